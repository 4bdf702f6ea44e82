"""The benchmarks of "Pending Constraints in Symbolic Execution for Better Exploration and Seeding", Table 1 (Table 4.1 of
the thesis): what is symbolic of each program, and two seeds."""

import math
import struct
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "subjects"))

from recipe import load  # noqa: E402


@dataclass
class Seed:
    """Bytes that are shorter than what is symbolic are filled up with zeros, as in the paper."""

    arguments: list
    stdin: bytes | None = None
    # Of the symbolic file A.
    file: bytes | None = None


@dataclass
class Benchmark:
    name: str
    recipe: str
    program: str
    # What follows the program's name, in the words of `osier run`.
    arguments: list
    # By name: s1 and s2.
    seeds: dict

    def binary(self):
        return load(self.recipe).program(self.program)


def wav(samples):
    """Mono, 16 bits, 44,100 Hz."""
    data = b"".join(struct.pack("<h", sample) for sample in samples)
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 44100, 88200, 2, 16) + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def capture(packet):
    """A pcap file with one Ethernet packet of 60 bytes."""
    packet = packet.ljust(60, b"\0")
    return struct.pack("<IHHIIIIIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1, 1_000_000_000, 0, len(packet), len(packet)) + packet


def ip(protocol, payload):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 7, 0x4000, 64, protocol, 0, b"\x0a\0\0\1", b"\x0a\0\0\2")
    total = sum(struct.unpack(">10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    ethernet = b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0"
    return ethernet + header[:10] + struct.pack(">H", ~total & 0xFFFF) + header[12:] + payload


def png(colour_type, depth, row):
    """One pixel; `row` is its line behind the filter's byte."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, depth, colour_type, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" + row, 9)) + chunk(b"IEND", b"")


def jpeg(quantisation, frame, tables, data):
    """One grey pixel."""
    dqt = b"\xff\xdb\0\x43\0" + bytes(quantisation)
    scan = b"\xff\xda\0\x08\1\1\0\0\x3f\0"
    return b"\xff\xd8" + dqt + frame + b"\0\x0b\x08\0\1\0\1\1\1\x11\0" + tables + scan + data + b"\xff\xd9"


# The quantisation of the smallest file; quality 90.
FINE = bytes.fromhex("030202020202030202020303030304060404040404080606050609080a0a090809090a0c0f0c0a0b0e0b09090d110d0e0f10"
                     "1011100a0c12131210130f101010")
# With arithmetic coding, which needs no tables of codes; and baseline, with one code of one bit in each table.
SMALLEST_JPEG = jpeg(FINE, b"\xff\xc9", b"\xff\xcc\0\6\0\x10\x10\5", b"\xd2\xcf\x20")
HUFFMAN = b"\xff\xc4\0\x14\0\1" + bytes(15) + b"\0" + b"\xff\xc4\0\x14\x10\1" + bytes(15) + b"\0"
BASELINE_JPEG = jpeg([1] * 64, b"\xff\xc0", HUFFMAN, b"\x3f")

SYN = ip(6, struct.pack(">HHIIBBHHH", 40000, 80, 1000, 0, 6 << 4, 2, 8192, 0, 0) + b"\2\4\5\xb4")
PING = ip(1, struct.pack(">BBHHH", 8, 0, 0xF7FC, 1, 2) + b"ping payload")
SINE = [round(20000 * math.sin(2 * math.pi * number / 28)) for number in range(28)]

BENCHMARKS = (
    Benchmark("bc", "bc", "bc", ["--sym-stdin", "20"], {
        "s1": Seed([], stdin=b"435 / 4 + 6 - 3421\n"),
        "s2": Seed([], stdin=b"x=6\nsqrt(2 * x + 5)\n"),
    }),
    Benchmark("datamash", "datamash", "datamash", "--sym-arg 3 --sym-arg 1 --sym-arg 4 --sym-arg 1 --sym-stdin 20".split(), {
        "s1": Seed(["sum", "1", "mean", "3"], stdin=b"1\t2\t3\n4\t5\t6\n7\t8\t9\n"),
        "s2": Seed(["md5", "1", "sha1", "2"], stdin=b"1\t2\t3\n4\t5\t6\n"),
    }),
    Benchmark("m4", "m4", "m4", "-G -H37 --sym-arg 2 --sym-arg 5 --sym-stdin 20".split(), {
        "s1": Seed(["-G", "-H37", "-G", "-DM=6"], stdin=b"M is M also M is B\n"),
        "s2": Seed(["-G", "-H37", "-G", "-DM=6"], stdin=b"ifdef(`M', ha, nah)\n"),
    }),
    Benchmark("magick_jpg", "imagemagick", "convert", "jpeg:fd:0 png:fd:1 --sym-stdin 285".split(), {
        "s1": Seed(["jpeg:fd:0", "png:fd:1"], stdin=SMALLEST_JPEG),
        "s2": Seed(["jpeg:fd:0", "png:fd:1"], stdin=BASELINE_JPEG),
    }),
    Benchmark("magick_png", "imagemagick", "convert", "png:fd:0 jpeg:fd:1 --sym-stdin 70".split(), {
        "s1": Seed(["png:fd:0", "jpeg:fd:1"], stdin=png(0, 1, b"\0")),
        "s2": Seed(["png:fd:0", "jpeg:fd:1"], stdin=png(2, 8, b"\xff\xff\xff")),
    }),
    Benchmark("make", "make", "make", "-n -f A --sym-arg 2 --sym-arg 5 --sym-file A 20".split(), {
        "s1": Seed(["-n", "-f", "A", "-n", "-Bfds"], file=b"$(info $$helo ther)\n"),
        "s2": Seed(["-n", "-f", "A", "-n", "-Bfds"], file=b"a:=4\n$(info $a)\n"),
    }),
    Benchmark("oggenc", "vorbis-tools", "oggenc", "A --sym-file A 100".split(), {
        "s1": Seed(["A"], file=wav([])),
        "s2": Seed(["A"], file=wav(SINE)),
    }),
    Benchmark("sqlite3", "sqlite3", "sqlite3", ["--sym-stdin", "20"], {
        "s1": Seed([], stdin=b"SELECT * FROM t;\n"),
        "s2": Seed([], stdin=b"CREATE TABLE t (i);\n"),
    }),
    Benchmark("tcpdump", "tcpdump", "tcpdump", "-r A -K -n --sym-file A 100".split(), {
        "s1": Seed("-r A -K -n".split(), file=capture(SYN)),
        "s2": Seed("-r A -K -n".split(), file=capture(PING)),
    }),
)
