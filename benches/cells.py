"""A matrix of runs that can be stopped and gone on with: how a cell is run and recorded."""

import argparse
import json
import os
import re
import signal
import subprocess
import time


def write(record, cells):
    """All or nothing: a matrix that is stopped here has its cells still."""
    new = record.with_suffix(".new")
    new.write_text(json.dumps(cells, indent=1, sort_keys=True) + "\n")
    new.replace(record)


def finish(command, limit, said=subprocess.DEVNULL, processor=None):
    """Waits for a command; what it says on standard error goes to the file `said`. Whether it had to be killed, with its
    solvers, and its status. After so many seconds of the `processor` it is asked to end, and the limit counts from there."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
    try:
        if processor is not None:
            while child.poll() is None and processor_seconds(child.pid) < processor:
                time.sleep(0.1)
            if child.poll() is None:
                child.send_signal(signal.SIGINT)
        child.wait(limit)
        return False, child.returncode
    except subprocess.TimeoutExpired:
        return True, None
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def processor_seconds(session):
    """What the processes of a session have used, with those that ended."""
    ticks = 0
    for folder in os.listdir("/proc"):
        if folder.isdigit():
            try:
                with open(f"/proc/{folder}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def failure(killed, status, said):
    """Why a run left no results, in words; `said` is its standard error."""
    lines = said.read_text(errors="replace").strip().splitlines()
    return "killed" if killed else f"osier ended with {status}: {lines[-1] if lines else 'no message'}"


def errors_of(osier, binary, out, summary):
    """The errors of a run, each with what the native program does with its test: `native`."""
    found = []
    for error in summary["errors"]:
        kept = {name: error[name] for name in ("kind", "line", "function", "message", "test")}
        found.append(kept | {"file": os.path.basename(error["file"]), "native": replay(osier, binary, out, error["test"])})
    return found


def replay(osier, binary, out, test):
    if test is None:
        return "no test"
    command = [osier, "replay", str(binary), test]
    said = subprocess.run(command, cwd=out, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    verdict = re.search(r"^\S+\.ktest: (.*)$", said.stdout, re.M)
    return verdict[1] if verdict else "no verdict"


def seconds_of(text):
    """90, 90s, 10m, 2h."""
    matched = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if matched is None:
        raise argparse.ArgumentTypeError(f"`{text}` is no time: 90, 90s, 10m, 2h")
    return float(matched[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[matched[2]]
