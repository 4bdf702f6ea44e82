"""What a matrix of pending constraints says: tables, and the figures of the thesis."""

import math
from functools import cache

from benchmarks import BENCHMARKS
from plot import bars

NAMES = [benchmark.name for benchmark in BENCHMARKS]
# The searchers of the figures, as the thesis names them; the tables have Osier's default, too.
SEARCHES = {"random-path": "random path", "nurs:depth": "depth-biased", "dfs": "DFS"}
# Unseeded, `--pending` covers so many times what is covered without, in the mean; and the sqlite3 seed's path is done
# after so many seconds, with checks made at once.
GOAL_RATIO, GOAL_SEED = 1.35, 60
# Seconds after the start at which coverage is compared, in cells that last longer.
TIMES = (60, 600)
# A cell that took so many times its limit had more time than the others.
LATE = 1.15
# Seconds after the end that are for deferred checks.
CHECK_BUDGET = 10


class Results:
    """The recorded cells of one time limit."""

    def __init__(self, cells, folder):
        self.cells, self.folder = cells, folder
        self.map = cache(self.map)

    def of(self, name, search, seeds, mode):
        """The finished cells, one for each run."""
        prefix = f"{name}/{search}/{seeds}/{mode}/"
        return [cell for key, cell in sorted(self.cells.items()) if key.startswith(prefix) and "failed" not in cell]

    def covered(self, name, search, seeds, mode):
        """Instructions covered, in the mean of the runs; nothing without a run."""
        return mean([cell["covered"] for cell in self.of(name, search, seeds, mode)])

    def together(self, name, search, *parts):
        """Instructions covered by all runs of the parts together, which are pairs of seeds and mode; nothing if one is
        missing."""
        cells = [self.of(name, search, seeds, mode) for seeds, mode in parts]
        if not all(cells):
            return None
        functions = {}
        for cell in (cell for part in cells for cell in part):
            for function, bits in self.map(cell["run"]).items():
                functions[function] = functions.get(function, 0) | bits
        return sum(bits.bit_count() for bits in functions.values())

    def map(self, run):
        """By function, the instructions covered, as bits."""
        lines = (self.folder / run / "covered.txt").read_text().splitlines()
        return {function: int(bits, 16) for function, bits in (line.rsplit(" ", 1) for line in lines)}

    def infeasible(self, name, search, mode):
        """Share of the time of queries that went to those without a solution, unseeded."""
        shares = [cell["queries"]["unsat_seconds"] / cell["queries"]["seconds"]
                  for cell in self.of(name, search, "none", mode) if cell["queries"]["seconds"] > 0]
        return mean(shares)


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def geometric(values):
    return math.exp(mean([math.log(value) for value in values])) if values else None


def divided(value, by):
    return None if value is None or not by else value / by


def brief(cell):
    if "failed" in cell:
        return f"{cell['failed']} after {cell['clock']} s"
    wrong = [error for error in cell["errors"] if not error["native"].startswith("same")]
    return (f"{cell['covered']:,} of {cell['total']:,} instructions covered, {cell['paths']['completed']:,} paths, {cell['seconds']} s, "
            f"{cell['stopped']}, {len(cell['errors'])} errors" + (f", {len(wrong)} NOT CONFIRMED" if wrong else ""))


def show(results, limit, kind):
    """Prints everything. Whether there is nothing that must not be."""
    print(f"# Pending constraints, {kind} a cell\n\nInstructions covered of the program's own code, without the libc's.")
    for search in (*SEARCHES, "default"):
        coverage_table(results, search, "Unseeded", ("none",))
        coverage_table(results, search, "Seeded, both seeds together", ("s1", "s2"))
    coverage_table(results, "random-path", "Seed set 1", ("s1",))
    infeasible_table(results)
    time_table(results)
    first = [cell["first_path"] for cell in results.of("sqlite3", "random-path", "s1", "pending")]
    if first:
        met = all(seconds is not None and seconds < GOAL_SEED for seconds in first)
        print(f"\nGoal {'met' if met else 'MISSED'}: the sqlite3 seed s1 runs to its end, with checks, in {GOAL_SEED} s; seconds: {first}.")
    return error_table(results) & failures(results, None if "processor" in kind else limit)


def coverage_table(results, search, title, seeds):
    rows, by_mode = [], {"pending": [], "relaxed": []}
    sums = {mode: [0, 0] for mode in by_mode}
    for name in NAMES:
        modes = {mode: [(seed, mode) for seed in seeds] for mode in ("plain", "pending", "relaxed")}
        if len(seeds) == 1:
            covered = {mode: results.covered(name, search, seeds[0], mode) for mode in modes}
        else:
            covered = {mode: results.together(name, search, *parts) for mode, parts in modes.items()}
        if all(value is None for value in covered.values()):
            continue
        both = results.together(name, search, *modes["plain"], *modes["pending"])
        ratios = {mode: divided(covered[mode], covered["plain"]) for mode in by_mode}
        for mode, ratio in ratios.items():
            if ratio is not None:
                by_mode[mode].append(ratio)
                sums[mode][0] += covered[mode]
                sums[mode][1] += covered["plain"]
        rows.append([name, *map(count, covered.values()), *map(times, ratios.values()), count(both)])
    if not rows:
        return
    rows.append(["arithmetic mean", "", "", "", *(times(mean(ratios)) for ratios in by_mode.values()), ""])
    rows.append(["of all instructions", "", "", "", *(times(divided(*sums[mode])) for mode in by_mode), ""])
    rows.append(["geometric mean", "", "", "", *(times(geometric(ratios)) for ratios in by_mode.values()), ""])
    print(f"\n## {title}, {search}\n")
    table(("benchmark", "without", "pending", "relaxed", "pending / without", "relaxed / without", "without and pending together"), rows)
    reached = mean(by_mode["pending"])
    if seeds == ("none",) and reached is not None:
        print(f"\nGoal {'met' if reached >= GOAL_RATIO else 'MISSED'}: {GOAL_RATIO} times as much with pending constraints, in the mean; {reached:.2f}.")


def infeasible_table(results):
    rows = []
    for name in NAMES:
        shares = [mean([results.infeasible(name, search, mode) for search in SEARCHES]) for mode in ("plain", "pending")]
        if any(share is not None for share in shares):
            rows.append([name, *("" if share is None else f"{share:.0%}" for share in shares)])
    if rows:
        print("\n## Share of the time of queries on those without a solution, unseeded, mean of the searchers\n")
        table(("benchmark", "without", "pending"), rows)


def time_table(results):
    """Which setting covers most after which time."""
    for seconds in TIMES:
        rows, settings = [], {}
        for key, cell in sorted(results.cells.items()):
            name, search, seeds, mode, _ = key.split("/")
            covered = cell.get("over_time", {}).get(str(seconds))
            if covered is not None and seeds == "none":
                settings.setdefault(f"{search}, {mode}", {}).setdefault(name, []).append(covered)
        for name in NAMES:
            covered = [mean(by_name.get(name, [])) for by_name in settings.values()]
            if any(value is not None for value in covered):
                rows.append([name, *map(count, covered)])
        if rows:
            print(f"\n## Unseeded, after {seconds} s of the clock\n")
            table(("benchmark", *settings), rows)


def error_table(results):
    """Whether every error is confirmed by the native program."""
    found = {}
    for key, cell in sorted(results.cells.items()):
        for error in cell.get("errors", []):
            place = (key.split("/")[0], error["kind"], f"{error['file']}:{error['line']}", error["message"])
            verdicts = found.setdefault(place, [0, set()])
            verdicts[0] += 1
            verdicts[1].add(error["native"])
    if found:
        print("\n## Errors\n")
        rows = [[*place, cells, "; ".join(sorted(verdicts))] for place, (cells, verdicts) in found.items()]
        table(("benchmark", "error", "place", "what", "cells", "native"), rows)
    return all(verdict.startswith("same") for _, verdicts in found.values() for verdict in verdicts)


def failures(results, limit):
    """Whether every cell came to its end. Without a limit of the clock, no cell is late."""
    failed = {key: cell["failed"] for key, cell in sorted(results.cells.items()) if "failed" in cell}
    late = {key: cell["seconds"] for key, cell in sorted(results.cells.items())
            if limit is not None and cell.get("seconds", 0) > limit * LATE + 1 + (CHECK_BUDGET if "/relaxed/" in key else 0)}
    if late:
        print("\nCells that explored for longer than their time: " + ", ".join(f"{key} {seconds} s" for key, seconds in late.items()))
    for key, why in failed.items():
        print(f"FAILED: {key}: {why}")
    return not failed


def table(titles, rows):
    print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")


def count(value):
    return "" if value is None else f"{value:,.0f}"


def times(value):
    return "" if value is None else f"{value:.2f}"


def draw(results, folder, kind):
    """Writes the figures; their paths."""
    time = kind.replace("-processor", " of the processor")
    up = "instructions covered × 1000"
    figures = []
    for search, words in SEARCHES.items():
        file = search.replace(":", "-")
        for number, what, seeds in (("4.4", "Unseeded", ("none",)), ("4.6", "Seeded", ("s1", "s2"))):
            plain, pending = ([(seed, mode) for seed in seeds] for mode in ("plain", "pending"))
            series = [(label, [thousands(results.together(name, search, *parts)) for name in NAMES])
                      for label, parts in (("without", plain), ("pending", pending), ("together", plain + pending))]
            figures.append((f"figure-{number}-{file}", f"{what}, {words}, {time}", up, series))
    shares = [(label, [percent(mean([results.infeasible(name, search, mode) for search in SEARCHES])) for name in NAMES])
              for label, mode in (("without", "plain"), ("pending", "pending"))]
    figures.append(("figure-4.5", f"Time on infeasible queries, unseeded, {time}", "% of the time of queries", shares))
    series = [(label, [thousands(results.covered(name, "random-path", "s1", mode)) for name in NAMES])
              for label, mode in (("without", "plain"), ("pending", "pending"), ("relaxed checks", "relaxed"))]
    figures.append(("figure-4.7", f"Seed set 1, random path, {time}", up, series))
    for file, title, axis, series in figures:
        if any(value for _, values in series for value in values):
            path = folder / f"{file}.svg"
            path.write_text(bars(title, axis, NAMES, series))
            yield path


def thousands(value):
    return None if value is None else value / 1000


def percent(value):
    return None if value is None else value * 100
