# What users run. Everything that is compiled goes to one folder outside the source tree, so that clones share it.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/osier/target
OSIER := $(CARGO_TARGET_DIR)/release/osier
DIST := $(CARGO_TARGET_DIR)/dist/osier
PREFIX ?= $(HOME)/.local
# Property tests try the same cases everywhere.
export PROPTEST_RNG_SEED ?= 20261115

.PHONY: demo test bench bench-memory bench-memory-subjects bench-pending csmith models orders install setup libc build check

demo: build
	@rm -rf "$(CARGO_TARGET_DIR)/demo"
	@echo; echo '$$ osier run --confirm examples/parser.c'; echo
	@"$(OSIER)" run --confirm --out "$(CARGO_TARGET_DIR)/demo" examples/parser.c; [ $$? -eq 1 ]
	@echo; echo 'The input that it found, as a test:'; echo
	@"$(OSIER)" test show "$(CARGO_TARGET_DIR)"/demo/$$(cd "$(CARGO_TARGET_DIR)/demo" && ls *.err | head -1 | cut -d. -f1).ktest

test: check build
	cargo nextest run --release --workspace --exclude osier-testing --no-fail-fast
	cargo test --release --doc --workspace -q
	OSIER_BIN="$(OSIER)" cargo nextest run --release -p osier-testing --no-fail-fast
	OSIER_BIN="$(OSIER)" cargo run --release -q -p osier-testing --bin differential -- --programs 60 --seed 1 --mode both

# 345 random programs, of which 300 end, each natively and under Osier; minutes. `make test` has a sample of them.
csmith: build
	OSIER_BIN="$(OSIER)" cargo run --release -q -p osier-testing --bin csmith -- --programs 345 --seed 1 --jobs 2

# 300 random programs with symbolic pointers, each under every memory model; many minutes. `make test` has a sample of them.
models: build
	OSIER_BIN="$(OSIER)" cargo run --release -q -p osier-testing --bin differential -- --mode models --programs 300 --seed 1

# 300 random programs, each with pending constraints and without, and by every strategy; many minutes.
orders: build
	OSIER_BIN="$(OSIER)" cargo run --release -q -p osier-testing --bin differential -- --mode orders --programs 300 --seed 1

check: setup
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets -- -D warnings

bench: setup libc
	cargo build --profile dist -p osier-cli -p osier --bins --example fork_cost
	OSIER_BIN="$(DIST)" python3 -B benches/run.py
	@echo; OSIER_BIN="$(DIST)" benches/solver/compare --sample 500
	@echo; OSIER_BIN="$(DIST)" benches/memory/figures --runs 1 --out "$(CARGO_TARGET_DIR)/bench-memory"
	@echo; "$(CARGO_TARGET_DIR)/dist/examples/fork_cost"

# Time of each memory model on a growing matrix: a table and a picture for each figure.
bench-memory: setup libc
	cargo build --profile dist -p osier-cli
	OSIER_BIN="$(DIST)" benches/memory/figures --out "$(CARGO_TARGET_DIR)/bench-memory"

# The papers' programs under each memory model and searcher; up to 30 minutes a cell, goes on where it stopped.
bench-memory-subjects: setup libc
	cargo build --profile dist -p osier-cli
	OSIER_BIN="$(DIST)" benches/subjects/subject build m4 make sqlite3 apr binutils libxml2
	OSIER_BIN="$(DIST)" benches/memory/subjects

# Pending constraints on nine programs: hours. It may be stopped, and goes on where it was.
bench-pending: setup libc
	cargo build --profile dist -p osier-cli
	OSIER_BIN="$(DIST)" benches/subjects/subject build bc datamash imagemagick m4 make sqlite3 tcpdump vorbis-tools
	OSIER_BIN="$(DIST)" benches/pending/matrix --seconds 2m; status=$$?; benches/pending/matrix --seconds 2m --plot; exit $$status

# Real programs from Debian's source packages: built by `osier cc`, run under Osier, compared with the native binaries.
subjects: build
	OSIER_BIN="$(OSIER)" benches/subjects/subject build
	OSIER_BIN="$(OSIER)" benches/subjects/concrete

install: setup libc
	cargo build --profile dist -p osier-cli
	install -D "$(DIST)" "$(DESTDIR)$(PREFIX)/bin/osier"
	@echo "installed $(PREFIX)/bin/osier"; case ":$$PATH:" in *:"$(PREFIX)/bin":*) ;; *) echo "add $(PREFIX)/bin to your PATH";; esac

build: setup libc
	cargo build --release -p osier-cli

# musl as bitcode, from Debian's source package, in a cache folder.
libc: setup
	@scripts/libc >/dev/null

setup:
	@scripts/setup
