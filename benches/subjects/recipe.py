"""Recipes: what a subject is made of, how it is built, what it is run on.

A recipe is `recipes/NAME.toml`:

    about      one line
    packages   Debian source packages; each is unpacked into a folder of its name
    tools      Debian packages that the build needs on the host
    programs   folders, inside the subject's, in which the programs are
    uses       real uses, a line each (see `Use`)
    symbolic   the standard symbolic set-up of each program, or of all others for "*": its arguments, with symbolic ones
               among them; options of `osier run` may stand before a word `@`
    [files]    the small files that uses name
    [steps]    shell, in order; each runs in the subject's folder and is done once
"""

import os
import re
import shlex
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent


def cache():
    """The folder in which all subjects are, one folder each."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "osier" / "subjects"


@dataclass
class Use:
    """One real use, written like a shell's line: `TZ=UTC0 date -d @0`, `sort -n <numbers`, `cut -f1 table`.

    Words before the program's name are its environment, and there is no other; `<NAME` is standard input (else empty).
    Files of the recipe whose names occur in the line are in the folder that the program starts in, which is the root
    of its file system; nothing else is. Names after ` # ` are there too."""

    line: str
    program: str
    arguments: list
    environment: dict
    stdin: bytes
    files: dict = field(default_factory=dict)

    @staticmethod
    def parse(line, files):
        command, _, more = line.partition(" # ")
        words = shlex.split(command)
        environment, stdin = {}, b""
        while words and re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*=.*", words[0], re.S):
            key, _, value = words.pop(0).partition("=")
            environment[key] = value
        # Only a bare `<` redirects: in quotes it belongs to the program.
        redirected = re.search(r"\s<([^\s'\"]+)", command)
        if redirected:
            stdin = files[redirected.group(1)]
            words.remove("<" + redirected.group(1))
        named = set(re.findall(r"[A-Za-z0-9_./+-]+", " ".join(words[1:]) + " " + more))
        given = {name: content for name, content in files.items() if name in named}
        return Use(line, words[0], words[1:], environment, stdin, given)


@dataclass
class Recipe:
    name: str
    about: str
    packages: list
    tools: list
    programs: list
    symbolic: dict
    steps: dict
    lines: list
    written: dict

    @property
    def folder(self):
        return cache() / self.name

    def program(self, name):
        """The path of a program that has been built."""
        for folder in self.programs:
            path = self.folder / folder / name
            if path.is_file() and os.access(path, os.X_OK):
                return path
        raise SystemExit(f"error: {self.name} has no program `{name}` yet: run `benches/subjects/subject build {self.name}`")

    def files(self):
        """Files that uses may name: those written in the recipe and those that its steps left in `inputs/`."""
        made = self.folder / "inputs"
        found = {str(path.relative_to(made)): path.read_bytes() for path in sorted(made.rglob("*")) if path.is_file()}
        return found | {name: text.encode() for name, text in self.written.items()}

    def uses(self):
        files = self.files()
        return [Use.parse(line, files) for line in self.lines]

    def setup(self, program):
        """The standard symbolic set-up of a program: what follows `osier run`, as words."""
        words = shlex.split(self.symbolic.get(program, self.symbolic.get("*", "")))
        split = words.index("@") if "@" in words else 0
        return words[:split] + [str(self.program(program))] + [word for word in words[split:] if word != "@"]


def names():
    return sorted(path.stem for path in (HERE / "recipes").glob("*.toml"))


def load(name):
    path = HERE / "recipes" / f"{name}.toml"
    if not path.is_file():
        raise SystemExit(f"error: no subject `{name}`; there are: {', '.join(names())}")
    data = tomllib.loads(path.read_text())
    symbolic = data["symbolic"]
    known = {"about", "packages", "tools", "programs", "uses", "symbolic", "files", "steps"}
    if set(data) - known:
        raise SystemExit(f"error: {path.name}: unknown keys {sorted(set(data) - known)}")
    return Recipe(
        name=name,
        about=data["about"],
        packages=data["packages"],
        tools=data.get("tools", []),
        programs=data["programs"],
        symbolic=symbolic,
        steps=data["steps"],
        lines=[line for line in data["uses"].splitlines() if line.strip()],
        written=data.get("files", {}),
    )
