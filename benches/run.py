"""Measures Osier on the benchmark programs and holds the results against KLEE's and against the goals.

    OSIER_BIN=path/to/osier python3 -B benches/run.py [--long] [NAME...]

Only the cases whose names contain one of the NAMEs run, if any is given. OSIER_BENCH_DISK names a folder on a disk
(default: that of OSIER_BIN). Exit status 1 if a case explored something else than KLEE did. A missed goal is only said:
a busy machine may miss one by chance.
"""

import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from cases import CASES, GOALS
from measure import HERE, file_system, measure, price_of_files

TMPFS = Path("/dev/shm")


def main():
    osier = os.environ.get("OSIER_BIN")
    if not osier or not os.access(osier, os.X_OK):
        raise SystemExit("error: OSIER_BIN must name the osier binary, built with --profile dist")
    osier = Path(osier).resolve()
    words = sys.argv[1:]
    names = [word for word in words if not word.startswith("--")]
    chosen = [case for case in CASES if ("--long" in words or not case.long)]
    chosen = [case for case in chosen if not names or any(name in case.name for name in names)]
    klee = json.loads((HERE / "klee.json").read_text())
    disk = Path(os.environ.get("OSIER_BENCH_DISK", osier.parent))
    memory = TMPFS if os.access(TMPFS, os.W_OK) else disk

    print_machine(memory)
    print(f"KLEE's figures: {klee['provenance']}\n")
    goals, defects, measured = main_table(osier, chosen, klee["figures"], memory)
    goals += solver_table(measured, klee["figures"])
    folders = [memory] if memory == disk or file_system(disk) == "tmpfs" else [memory, disk]
    files_table(osier, [case for case in chosen if case.many_tests], folders)
    print()
    for line in goals + defects:
        print(line)
    if defects:
        raise SystemExit(1)


def print_machine(memory):
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{os.cpu_count()} cores ({model[0] if model else platform.machine()}), Linux {platform.release()}, load {load} at the start")
    print(f"CPU seconds, user and system, children included; medians of three runs, or one run under a limit.")
    print(f"Results on {file_system(memory)}. KLEE/Osier is against KLEE's fastest setting known; its strspn L=20 presumably wrote tests.")


HEADER = ("program", "CPU", "with clang", "paths", "instructions", "M/s", "asked", "solved", "STP", "Z3", "KLEE/Osier", "native", "goal")


def main_table(osier, cases, figures, memory):
    """Prints a row for each case. Gives how the goals turned out, what must not be, and the cases with their measures."""
    widths = (34, 7, 10, 9, 12, 7, 9, 7, 7, 7, 10, 7, 6)
    print("  ".join(f"{title:{'<' if at == 0 else '>'}{width}}" for at, (title, width) in enumerate(zip(HEADER, widths))))
    goals, defects, measured = [], [], []
    for case in cases:
        with tempfile.TemporaryDirectory(dir=memory, prefix="osier-bench-") as folder:
            m = measure(osier, case, Path(folder), case.runs, from_source=case.runs > 1)
        figure = figures.get(case.klee or case.name, {})
        goal = judge(case, m, figure, goals)
        measured.append((case, m))
        defects += defects_of(case, m, figure)
        cells = row(case, m, figure, goal)
        print("  ".join(f"{cell:{'<' if at == 0 else '>'}{width}}" for at, (cell, width) in enumerate(zip(cells, widths))), flush=True)
    return goals, defects, measured


def row(case, m, figure, goal):
    summary = m.summary
    fastest = min((figure[key] for key in ("stp", "z3", "best") if key in figure), default=None)
    finished = summary["stopped"] in ("finished", "error")
    ratio = f"{fastest / m.cpu:.1f}" if fastest and finished else "-"
    return (
        case.name + ("" if finished else f" ({summary['stopped']})"),
        f"{m.cpu:.3f}",
        f"{m.cpu_from_source:.3f}" if m.cpu_from_source else "-",
        f"{summary['paths']['completed']:,}",
        f"{summary['instructions']:,}",
        f"{m.rate / 1e6:.1f}",
        f"{summary['queries']['asked']:,}",
        f"{summary['queries']['solved']:,}",
        f"{figure['stp']:.2f}" if "stp" in figure else "-",
        f"{figure['z3']:.2f}" if "z3" in figure else "-",
        ratio,
        f"{m.cpu / m.native:.1f}x" if m.native else "-",
        goal,
    )


def judge(case, m, figure, goals):
    if case.name not in GOALS:
        return "-"
    text, is_met = GOALS[case.name]
    met = is_met(m, figure)
    word = "met" if met else "MISSED"
    goals.append(f"goal {word}: {case.name}: {text}")
    return word


def defects_of(case, m, figure):
    """A finished exploration has KLEE's number of paths, or something is wrong."""
    summary = m.summary
    paths, stopped = summary["paths"]["completed"], summary["stopped"]
    if stopped == "finished" and paths != figure.get("paths", paths):
        yield f"PATHS: {case.name}: {paths:,}, KLEE has {figure['paths']:,}"
    if stopped not in ("finished", "error") and not case.limited:
        yield f"UNFINISHED: {case.name}: {stopped}"
    for error in summary["errors"]:
        if error["kind"] == "unsupported":
            yield f"UNSUPPORTED: {case.name}: {error['message']}"


SOLVER_HEADER = """
Time in the solver: seconds that queries took in the chain, its caches and backends included, beside KLEE's CPU time,
which is known only of whole runs. The cost of what a witness or a look at one byte answers is in Osier's whole run.
"""


def solver_table(measured, figures):
    """Prints a row for each case that KLEE has been measured on. Gives whether the goal is met, in a line."""
    measured = [(case, m, figures[case.klee or case.name]) for case, m in measured if (case.klee or case.name) in figures]
    if not measured:
        return []
    print(SOLVER_HEADER)
    print(f"{'program':34}" + "".join(f"  {title:>9}" for title in ("asked", "solved", "in solver", "whole run", "STP", "Z3")))
    slower = []
    for case, m, figure in measured:
        queries = m.summary["queries"]
        klee = [figure[key] for key in ("stp", "z3") if key in figure]
        numbers = [f"{queries['asked']:,}", f"{queries['solved']:,}", f"{queries['seconds']:.4f}", f"{m.cpu:.3f}"]
        numbers += [f"{figure[key]:.2f}" if key in figure else "-" for key in ("stp", "z3")]
        print(f"{case.name:34}" + "".join(f"  {number:>9}" for number in numbers))
        if klee and queries["seconds"] >= min(klee):
            slower.append(case.name)
    met = f"MISSED: {', '.join(slower)}" if slower else "met"
    return [f"goal {met}: less time in the solver than KLEE takes with STP and with Z3, on all {len(measured)} programs"]


FILES_HEADER = """
The same where many tests are written, one run each, beside the price of creating as many files of 64 bytes and doing
nothing else. On a disk a file can cost half a millisecond, and hardly ever the same: that swamps what the engine does.
"""


def files_table(osier, cases, folders):
    if not cases:
        return
    print(FILES_HEADER)
    titles = ("CPU", "wall", "files CPU", "files wall", "ms a file")
    print(f"{'program':34}  {'on':6}  {'tests':>7}" + "".join(f"  {title:>10}" for title in titles))
    for case in cases:
        for place in folders:
            with tempfile.TemporaryDirectory(dir=place, prefix="osier-bench-") as folder:
                m = measure(osier, case, Path(folder), 1, from_source=False)
                tests = m.summary["tests"]
                files = price_of_files(Path(folder), tests)
            cells = (m.cpu, m.wall, files.cpu, files.wall, files.wall / max(tests, 1) * 1e3)
            numbers = "".join(f"  {cell:10.3f}" for cell in cells)
            print(f"{case.name:34}  {file_system(place):6}  {tests:7,}{numbers}", flush=True)


if __name__ == "__main__":
    main()
