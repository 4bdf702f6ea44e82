"""Seeds from the test-suites of tar, binutils and dwarfutils, as their source packages have them."""

import bz2
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "subjects"))

from recipe import load  # noqa: E402

LARGEST = 64 * 1024


@dataclass
class Seed:
    # Where it is from.
    name: str
    recipe: str
    program: str
    # The file is A.
    arguments: list
    content: bytes

    def key(self):
        said = json.dumps([self.program, self.arguments]).encode() + self.content
        return f"{self.program}-{hashlib.sha256(said).hexdigest()[:12]}"


def seeds(program, folder):
    """The seeds of a program, the smallest files first; each file with each of its command lines once."""
    found = {seed.key(): seed for seed in PROGRAMS[program](folder) if 0 < len(seed.content) <= LARGEST}
    return sorted(found.values(), key=lambda seed: (len(seed.content), seed.key()))


# Stands in front of tar while its suite runs: keeps the archive of each call that reads one, with the call.
SPY = """#!{python}
import hashlib, os, re, sys
words = sys.argv[1:]
archive = None
for place, word in enumerate(words):
    if word.startswith("--file="):
        archive, form = word[7:], words[:place] + ["--file=A"] + words[place + 1:]
    elif place + 1 < len(words) and (word == "--file" or re.fullmatch("-[a-zA-Z]*f" if place else "-?[a-zA-Z]*f", word)):
        archive, form = words[place + 1], words[:place + 1] + ["A"] + words[place + 2:]
reads = any(re.fullmatch("-?[a-zA-Z]*[txd][a-zA-Z]*", word) and "-c" not in word for word in words[:2]) or {{"--list", "--extract", "--diff"}} & set(words)
if archive and reads and os.path.isfile(archive):
    content = open(archive, "rb").read()
    test = os.path.basename(os.path.dirname(os.getcwd())) + "/" + os.path.basename(os.getcwd())
    name = hashlib.sha256(repr(form).encode() + content).hexdigest()[:16]
    with open(f"{kept}/{{name}}.archive", "wb") as file:
        file.write(content)
    with open(f"{kept}/{{name}}.call", "w") as file:
        file.write("\\0".join([test, *form]))
os.execv("{tar}", ["tar", *words])
"""


def tar_seeds(folder):
    """What the suite gives tar to read. It is run once, natively, on a copy."""
    recipe = load("tar")
    kept = folder / "tar-suite"
    if not (kept / "done").exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        run_tar_suite(recipe, kept)
        (kept / "done").touch()
    for call in sorted(kept.glob("*.call")):
        test, *words = call.read_text().split("\0")
        content = call.with_suffix(".archive").read_bytes()
        yield Seed(f"tests/{test}", "tar", "tar", words if is_plain(words) else ["-tvf", "A"], content)


def run_tar_suite(recipe, kept):
    source = recipe.folder / "tar"
    with tempfile.TemporaryDirectory(prefix="osier-tar-") as work:
        work = Path(work) / "tests"
        shutil.copytree(source / "tests", work)
        for name in ("atconfig", "atlocal"):
            text = (work / name).read_text().replace(str(source / "tests"), str(work))
            (work / name).write_text(text.replace("at_top_srcdir='..'", f"at_top_srcdir='{source}'"))
        library = [f"-I{source}", f"-I{source}/gnu", f"-I{source}/lib"]
        for name in ("genfile", "ckmtime", "checkseekhole"):
            sources = [work / f"{name}.c", *([work / "argcv.c"] if name == "genfile" else [])]
            subprocess.run(["cc", "-w", "-DHAVE_CONFIG_H", "-DLOCALEDIR=\"\"", *library, *sources, "-o", work / name], capture_output=True)
        spy = work / "tar"
        spy.write_text(SPY.format(python=sys.executable, kept=kept, tar=recipe.program("tar")))
        spy.chmod(0o755)
        environment = os.environ | {"TAR_OPTIONS": "", "PATH": f"{work}:{os.environ['PATH']}"}
        subprocess.run(["sh", "./testsuite"], cwd=work, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=1800)


def is_plain(words):
    """Whether a call needs nothing but the archive: no other file, no other program, no other folder."""
    short, long = r"-?[tvxfkpOimSnRBwo]+", r"--(list|extract|verbose|utc|numeric-owner|to-stdout|keep-old-files|overwrite|wildcards|file|file=A|ignore-zeros)"
    for word in words:
        if word.startswith("-") and not re.fullmatch(f"{short}|{long}", word) or "/" in word:
            return False
    return True


def readelf_seeds(folder):
    """Sources that the suite assembles, with the options of `readelf` that it checks; and the objects that it has."""
    recipe = load("binutils")
    assembler = recipe.program("as-new")
    root = recipe.folder / "binutils"
    for suite in ("binutils/testsuite/binutils-all", "binutils/testsuite/binutils-all/x86-64", "gas/testsuite/gas/elf"):
        for test in sorted((root / suite).glob("*.d")):
            said = dict(re.findall(r"^#(\w+): *(.*)$", test.read_text(errors="replace"), re.M))
            source = test.parent / said.get("source", f"{test.stem}.s").split()[0]
            if "readelf" not in said or not source.exists():
                continue
            content = assembled(assembler, source, shlex.split(said.get("as", "")))
            if content is not None:
                yield Seed(f"{suite}/{test.name}", "binutils", "readelf", [*shlex.split(said["readelf"]), "A"], content)
                yield Seed(f"{suite}/{test.name}", "binutils", "readelf", ["-a", "A"], content)
        for packed in sorted((root / suite).glob("*.bz2")):
            content = bz2.decompress(packed.read_bytes())
            for options in (["-a", "A"], ["-w", "A"]):
                yield Seed(f"{suite}/{packed.name}", "binutils", "readelf", options, content)


def assembled(assembler, source, flags):
    """The object, if there is one for this machine."""
    with tempfile.TemporaryDirectory(prefix="osier-as-") as work:
        out = Path(work) / "out.o"
        # The same object each time: what describes it for debuggers names no folder of today.
        command = [assembler, *flags, f"--debug-prefix-map={work}=.", f"-I{source.parent}", "-o", out, source]
        done = subprocess.run(command, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        return out.read_bytes() if done.returncode == 0 and out.exists() else None


def dwarfdump_seeds(folder):
    """The suite's three objects, with its command lines and two more."""
    at = load("dwarfutils").folder / "dwarfutils" / "dwarfdump"
    for name in ("testuriLE64ELf.obj", "testobjLE32PE.exe", "test-mach-o-32.dSYM"):
        for options in (["-vvv", "-a"], [], ["-ka"], ["-E", "-r", "-F"]):
            yield Seed(f"dwarfdump/{name}", "dwarfutils", "dwarfdump", [*options, "A"], (at / name).read_bytes())


PROGRAMS = {"tar": tar_seeds, "readelf": readelf_seeds, "dwarfdump": dwarfdump_seeds}
