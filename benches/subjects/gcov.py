"""Lines and branches of one source file, counted by gcov."""

import re
import subprocess
from dataclasses import dataclass


@dataclass
class Coverage:
    lines: float
    branches: float
    # Of all branches, those whose way was taken at least once.
    taken: float
    line_count: int
    branch_count: int


def forget(folder):
    """Begins to count anew."""
    for path in folder.glob("*.gcda"):
        path.unlink()


def count(folder, source):
    """What the runs since `forget` covered of `source` in `folder`, where its objects are too."""
    command = ["gcov", "--no-output", "--branch-probabilities", "--object-directory", ".", source]
    text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    for part in text.split("File '")[1:]:
        if part.split("'")[0].rsplit("/", 1)[-1] == source:
            lines = number(part, "Lines executed")
            branches = number(part, "Branches executed")
            taken = number(part, "Taken at least once")
            return Coverage(lines[0], branches[0], taken[0], lines[1], branches[1])
    raise SystemExit(f"error: gcov counted nothing in {folder / source}:\n{text}")


def number(text, title):
    found = re.search(title + r":([0-9.]+)% of (\d+)", text)
    return (float(found.group(1)), int(found.group(2))) if found else (0.0, 0)


def uncovered(folder, source):
    """The numbers of the lines that no run reached."""
    command = ["gcov", "--stdout", "--object-directory", ".", source]
    text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    lines = []
    for line in text.split("0:Source:")[1:]:
        if line.split("\n", 1)[0].rsplit("/", 1)[-1] == source:
            lines = [int(at) for at in re.findall(r"^\s*(?:#####|=====)\*?:\s*(\d+):", line, re.M)]
            break
    return lines
