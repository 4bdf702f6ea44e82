"""One concrete use, run twice: by the native binary in a root of its own, and by Osier."""

import contextlib
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Result:
    """What can be seen of a run from outside."""

    status: str
    # Nothing where the run does not tell: Osier says of a path that ends in an error only the error.
    stdout: bytes | None
    stderr: bytes | None
    seconds: float
    # Nothing where the run does not tell which files it left.
    files: dict | None = None
    # What Osier says of an error in the program.
    fault: str = ""


# By which signal a native program dies of an error that Osier reports, if it dies.
SIGNALS = {
    "null-pointer": 11,
    "out-of-bounds": 11,
    "use-after-free": 11,
    "read-only-write": 11,
    "stack-overflow": 11,
    "division-by-zero": 8,
    "assertion": 6,
    "abort": 6,
}


class Unsupported(Exception):
    """Osier says that it cannot run this."""


class Failed(Exception):
    """Osier did not end the run in order."""


# When every run begins by the clock of Osier's kernel; the time of all given files.
START = 1_700_000_000


def write_files(use, root):
    for name, content in use.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644)
        os.utime(path, (START, START))


def read_files(root):
    """Every regular file and link below `root` that is not a device's stand-in, by name."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if name.startswith("dev/"):
            continue
        if path.is_symlink():
            found[name] = ("link", os.readlink(path).encode())
        elif path.is_file():
            found[name] = ("file", path.read_bytes())
    return found


def devices(root):
    """What `--devices` adds to Osier's world: /dev/null, /dev/zero and an empty /tmp."""
    (root / "dev").mkdir()
    for name, minor in (("null", 3), ("zero", 5)):
        path = root / "dev" / name
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            path.chmod(0o666)
        except PermissionError:
            path.touch()
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)


def become_root():
    """Starts the script again as root of a user name space, if it is not root already."""
    if os.geteuid() != 0:
        command = ["unshare", "--user", "--map-root-user", sys.executable, *sys.argv]
        os.execvp(command[0], command)


def run_native(binary, use, limit):
    """Runs the binary with the use's files as all of its file system. It is executed by its descriptor, so that it need
    not be in there, and with the priority that Osier's kernel tells. Needs root: see `become_root`."""
    with tempfile.TemporaryDirectory(prefix="osier-native-") as folder:
        root = Path(folder).resolve()
        root.chmod(0o755)
        devices(root)
        write_files(use, root)
        arguments = [str(binary), *use.arguments]
        descriptor = os.open(binary, os.O_RDONLY)

        def enter():
            with contextlib.suppress(PermissionError):
                os.setpriority(os.PRIO_PROCESS, 0, 0)
            os.umask(0o022)
            os.chroot(root)
            os.chdir("/")
            os.execve(descriptor, arguments, use.environment)

        start = time.monotonic()
        try:
            child = subprocess.run(arguments, input=use.stdin, capture_output=True, timeout=limit, preexec_fn=enter)
        finally:
            os.close(descriptor)
        seconds = time.monotonic() - start
        status = f"exit {child.returncode}" if child.returncode >= 0 else f"signal {-child.returncode}"
        return Result(status, child.stdout, child.stderr, seconds, read_files(root))


def run_osier(osier, binary, use, limit):
    """Runs the use under Osier, with nothing symbolic."""
    with tempfile.TemporaryDirectory(prefix="osier-concrete-") as folder:
        root, out = Path(folder) / "root", Path(folder) / "out"
        root.mkdir()
        write_files(use, root)
        (Path(folder) / "stdin").write_bytes(use.stdin)
        command = [str(osier), "run", "--out", str(out), "--json", "--devices", "--max-time", str(limit), "--stdin", f"{folder}/stdin"]
        for name in use.files:
            command += ["--file", f"{root / name}=/{name}"]
        for key, value in use.environment.items():
            command += ["--env", f"{key}={value}"]
        command += [str(binary), *use.arguments]
        start = time.monotonic()
        try:
            child = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit + 20)
        except subprocess.TimeoutExpired:
            raise Failed(f"did not end in {limit + 20} s") from None
        seconds = time.monotonic() - start
        said = child.stderr.decode(errors="replace")
        if child.returncode not in (0, 1):
            raise Failed(f"osier run ended with {child.returncode}: {last_line(said)}")
        summary = json.loads((out / "summary.json").read_text())
        for error in summary["errors"]:
            text = f"{error['kind']}: {error['message']} ({error['file']}:{error['line']} in {error['function']})"
            if error["kind"] == "unsupported":
                raise Unsupported(text)
            if error["kind"] not in SIGNALS:
                raise Failed(text)
            return Result(f"signal {SIGNALS[error['kind']]}", None, None, seconds, fault=text)
        if summary["stopped"] != "finished":
            raise Failed(f"stopped: {summary['stopped']} after {summary['instructions']} instructions")
        status, stdout, stderr = read_ending(out)
        return Result(status, stdout, stderr, seconds)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("error")), lines[-1] if lines else "no message")


def read_ending(out):
    """Status and output of the run's only path."""
    lines = (out / "endings.txt").read_text().splitlines()
    if len(lines) != 1:
        raise Failed(f"{len(lines)} paths where everything is concrete")
    match = re.fullmatch(r"test\d+ (\w+ \S+)((?: .*)?)", lines[0])
    if match is None:
        raise Failed(f"cannot read the ending: {lines[0][:200]}")
    words = re.findall(r'"((?:[^"\\]|\\.)*)"(\+\S+)?', match.group(2))
    if len(words) != 2:
        raise Failed("the run does not tell what was printed")
    if any(rest for _, rest in words):
        raise Failed("more was printed than a run keeps")
    return match.group(1), unescape(words[0][0]), unescape(words[1][0])


def unescape(text):
    short = {"n": b"\n", "t": b"\t", "r": b"\r"}
    out = b""
    for plain, escape in re.findall(r"([^\\]+)|\\(x[0-9a-f]{2}|.)", text):
        if plain:
            out += plain.encode("latin-1")
        elif escape[0] == "x" and len(escape) == 3:
            out += bytes([int(escape[1:], 16)])
        else:
            out += short.get(escape, escape.encode())
    return out
