"""What is measured: programs, settings, and what must come out. The order is that of the printed table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    # Also the key of KLEE's figure in klee.json, unless `klee` names another.
    name: str
    program: str
    cc_flags: tuple = ()
    options: tuple = ()
    klee: str = ""
    # Measured on a disk as well: its tests are so many that creating the files is a good part of the work.
    many_tests: bool = False
    # Each run takes another seed: the time depends on luck.
    seeds: bool = False
    # A limit may end it, so that a run that does not finish is no failure.
    limited: bool = False
    runs: int = 3
    # Also run natively at -O0.
    native: bool = False
    # Only with --long.
    long: bool = False


def branchy(length, suffix, options=(), **more):
    return Case(f"branchy3 NB={length}{suffix}", "branchy.c", ("-DW=3", f"-DNB={length}"), options, **more)


def sized(program, letter, size, suffix="", flags=(), options=(), **more):
    return Case(f"{program} {letter}={size}{suffix}", f"{program}.c", (f"-D{letter}={size}", *flags), options, **more)


DFS = ("--search=dfs",)
# What KLEE does with a pointer that may lead to several objects; memory/ compares the models.
FORK = ("--memory=fork",)
TO_THE_ASSERTION = ("--exit-on-error",)

CASES = [
    Case("concrete -O0", "concrete_write.c", native=True),
    Case("concrete -O1", "concrete_write.c", ("-O1",), native=True),
    branchy(8, "", many_tests=True),
    branchy(8, " dfs", DFS, many_tests=True),
    branchy(10, "", many_tests=True),
    branchy(10, " dfs", DFS),
    branchy(10, " dfs, no tests", (*DFS, "--no-tests")),
    *(sized("matrix1", "N", n, options=FORK) for n in (10, 20, 40, 60)),
    *(sized("matrix2", "N", n, options=FORK) for n in (10, 20)),
    Case("hashtable", "hashtable.c", options=FORK),
    Case("pending random-path", "pending.c", (), (*TO_THE_ASSERTION, "--pending", "--search=random-path", "--max-time=60"), seeds=True),
    Case("pending default search", "pending.c", (), (*TO_THE_ASSERTION, "--max-time=60"), seeds=True),
    Case("pending dfs", "pending.c", (), (*TO_THE_ASSERTION, "--pending", *DFS, "--max-time=10"), limited=True, runs=1),
    sized("strspn", "L", 8, " -O0"),
    sized("strspn", "L", 13, " -O0", many_tests=True),
    sized("strspn", "L", 20, " -O0 dfs, no tests", options=(*DFS, "--no-tests", "--max-time=120"),
          klee="strspn L=20 -O0 dfs", limited=True, runs=1),
    sized("strspn", "L", 20, " -O0 dfs", options=(*DFS, "--max-time=240"), limited=True, runs=1, long=True),
    sized("strspn", "L", 20, " -O1", ("-O1",)),
    sized("strchr", "L", 20, " -O0"),
]

MILLION = 1_000_000


def per_second(least):
    return f"{least // MILLION} M instructions a second", lambda m, klee: m.rate >= least


def share_of_klee(share):
    """Against the better of KLEE's solvers in the same setting."""
    of_solvers = lambda klee: min(klee[solver] for solver in ("stp", "z3") if solver in klee)
    return f"1/{round(1 / share)} of KLEE's time", lambda m, klee: m.cpu <= share * of_solvers(klee)


def faster_than_best():
    return "faster than KLEE's best setting", lambda m, klee: m.cpu < klee["best"]


# The goals that the project has set itself, by case.
GOALS = {
    "concrete -O0": per_second(100 * MILLION),
    "concrete -O1": per_second(100 * MILLION),
    "branchy3 NB=8": share_of_klee(1 / 4),
    "branchy3 NB=8 dfs": share_of_klee(1 / 4),
    "matrix1 N=40": share_of_klee(1 / 20),
    "hashtable": faster_than_best(),
}
