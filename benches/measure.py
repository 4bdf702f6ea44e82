"""Runs a command and says what it cost; prices file systems."""

import json
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
HEADERS = HERE.parent / "runtime" / "include"
CLANG = "clang-22"
# What `osier run` hands to clang before the user's flags.
DEFAULT_CC_FLAGS = ("-g", "-O0")


@dataclass
class Cost:
    cpu: float
    wall: float
    status: int


@dataclass
class Measured:
    """A case's medians. `cpu` is without the compiler, `cpu_from_source` with it."""

    cpu: float = 0.0
    cpu_from_source: float = 0.0
    wall: float = 0.0
    summary: dict = field(default_factory=dict)
    native: float = 0.0

    @property
    def rate(self):
        return self.summary["instructions"] / self.cpu


def cost_of(command):
    """User and system time of a command and of all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    if done.returncode not in (0, 1):
        raise SystemExit(f"error: {shlex.join(map(str, command))} ended with {done.returncode}\n{done.stderr}")
    return Cost(cpu, wall, done.returncode)


def explore(osier, case, program, folder, seed):
    """One run of `osier`; its cost and its summary."""
    out = folder / "run"
    flags = (f"--cc-flags={shlex.join(case.cc_flags)}",) if case.cc_flags and program.suffix == ".c" else ()
    command = [osier, "run", "--json", f"--out={out}", f"--seed={seed}", *case.options, *flags, program]
    try:
        cost = cost_of(command)
        return cost, json.loads((out / "summary.json").read_text())
    finally:
        shutil.rmtree(out, ignore_errors=True)


def measure(osier, case, folder, runs, from_source):
    """Medians of some runs of a case whose results go to `folder`."""
    bitcode = folder / "program.bc"
    source = PROGRAMS / case.program
    subprocess.run([CLANG, "-c", "-emit-llvm", *DEFAULT_CC_FLAGS, f"-I{HEADERS}", *case.cc_flags, "-o", bitcode, source], check=True)
    done = [explore(osier, case, bitcode, folder, seed if case.seeds else 0) for seed in range(runs)]
    done.sort(key=lambda run: run[0].cpu)
    cost, summary = done[len(done) // 2]
    measured = Measured(cpu=cost.cpu, wall=cost.wall, summary=summary)
    if from_source:
        again = [explore(osier, case, source, folder, seed if case.seeds else 0)[0].cpu for seed in range(runs)]
        measured.cpu_from_source = statistics.median(again)
    if case.native:
        measured.native = native_cost(source, folder)
    bitcode.unlink()
    return measured


def native_cost(source, folder):
    """CPU seconds of the program itself, compiled without optimisation."""
    binary = folder / "native"
    subprocess.run([CLANG, "-O0", "-o", binary, source], check=True)
    cpu = statistics.median(cost_of([binary]).cpu for _ in range(9))
    binary.unlink()
    return cpu


def price_of_files(folder, count):
    """What it costs to create `count` small files in `folder` and do nothing else."""
    target = folder / "files"
    target.mkdir()
    before = os.times()
    for number in range(count):
        with open(target / f"test{number:06}.ktest", "xb", buffering=0) as file:
            file.write(bytes(64))
    after = os.times()
    shutil.rmtree(target)
    return Cost(after.user - before.user + after.system - before.system, after.elapsed - before.elapsed, 0)


def file_system(folder):
    """The kind of file system that a folder lies on."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    above = [(len(at), kind) for at, kind in mounts if folder.resolve().is_relative_to(at)]
    return max(above)[1]
