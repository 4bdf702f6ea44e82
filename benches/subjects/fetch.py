"""Debian source packages, fetched with a list of sources of our own, so that the machine's stays as it is."""

import os
import shutil
import subprocess

MIRROR = "http://deb.debian.org/debian"
# The release that the versions in the recipes are from comes first; later ones stand in where the mirror lost a file.
SUITES = ("bookworm", "trixie", "sid")


def install(tools):
    """Installs what a build needs on the host, where it is missing."""
    missing = []
    for tool in tools:
        asked = subprocess.run(["dpkg-query", "-W", "-f=${Status}", tool], capture_output=True, text=True)
        if "install ok installed" not in asked.stdout:
            missing.append(tool)
    if missing:
        sudo = [] if os.geteuid() == 0 else ["sudo"]
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
        subprocess.run(sudo + command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})


class Sources:
    """`apt-get source` in a folder of its own."""

    def __init__(self, folder, log):
        self.folder, self.log = folder, log

    def apt(self, suite, *words, root=False, cwd=None):
        lists = self.folder / suite
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        source = self.folder / f"{suite}.list"
        source.write_text(f"deb-src {MIRROR} {suite} main\n")
        options = [
            f"Dir::Etc::sourcelist={source}",
            "Dir::Etc::sourceparts=/dev/null",
            f"Dir::State::lists={lists}",
            "APT::Sandbox::User=root",
            "Acquire::Retries=2",
        ]
        command = ["apt-get", "-qq"] + [word for option in options for word in ("-o", option)] + list(words)
        if root and os.geteuid() != 0:
            command.insert(0, "sudo")
        with open(self.log, "ab") as log:
            return subprocess.run(command, cwd=cwd, stdout=log, stderr=log).returncode == 0

    def update(self, suite):
        done = self.folder / f"{suite}.updated"
        if not done.exists():
            if not self.apt(suite, "update", root=True):
                raise SystemExit(f"error: cannot read the list of source packages of {suite}: see {self.log}")
            done.touch()

    def unpack(self, package, target):
        """Leaves the sources of `package` in `target`, with Debian's patches where the mirror has them."""
        attempts = [(suite, ()) for suite in SUITES] + [(suite, ("--tar-only",)) for suite in SUITES]
        for suite, options in attempts:
            self.update(suite)
            work = self.folder / f"{package}.new"
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            if self.apt(suite, "source", "--download-only", *options, package, cwd=work):
                self.extract(package, work, patched=not options)
                same_time(work / package)
                shutil.rmtree(target, ignore_errors=True)
                (work / package).rename(target)
                shutil.rmtree(work)
                return suite if not options else f"{suite}, without Debian's patches"
        raise SystemExit(f"error: cannot fetch the source package {package}: see {self.log}")

    def extract(self, package, work, patched):
        if patched:
            dsc = next(work.glob("*.dsc"))
            command = ["dpkg-source", "--no-check", "-x", dsc.name, package]
        else:
            (work / package).mkdir()
            archive = next(work.glob("*.orig.tar.*"))
            command = ["tar", "xf", archive.name, "-C", package, "--strip-components=1"]
        with open(self.log, "ab") as log:
            subprocess.run(command, cwd=work, stdout=log, stderr=log, check=True)


def same_time(folder):
    """One time for all files: make then finds nothing that autoconf and automake would have to write again."""
    moment = 1_600_000_000
    for root, folders, files in os.walk(folder):
        for name in files + folders:
            os.utime(os.path.join(root, name), (moment, moment), follow_symlinks=False)
