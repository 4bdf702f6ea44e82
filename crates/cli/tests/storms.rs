//! Damaged files through the command: it ends by itself with a documented status, and says one thing if it refuses.
//!
//! The libraries are stormed by thousands of files where they are tested; here fewer go the whole way, and what still
//! loads is executed too.

mod common;

use common::{Place, Said, one_message};
use std::process::Command;

const SOURCE: &str = "
void klee_make_symbolic(void *, unsigned long, const char *);
struct node { int value; struct node *next; };
static const char *names[] = {\"a\", \"bc\", 0};
int table[4] = {1, 2, 3, 4};
int sum(struct node *n, int k) { int s = 0; while (n) { s += n->value * table[k & 3]; n = n->next; } return s; }
double half(double d, unsigned char c) { switch (c) { case 1: return d / 2; case 7: return d; default: return 0.5; } }
int main(int argc, char **argv) {
  struct node n = {argc, 0};
  unsigned char c;
  klee_make_symbolic(&c, 1, \"c\");
  if (c > 200) return sum(&n, c);
  return names[c & 1][0] + (int)half(2, c);
}
";

/// No path of this machine gets into the bytes: the same seed must give the same file everywhere.
fn compiled(place: &Place, flags: &[&str]) -> Vec<u8> {
    place.write("seed.c", SOURCE);
    let mut clang = Command::new("clang-22");
    clang.args(flags).args(["-fdebug-compilation-dir=/", "-emit-llvm", "-o", "-", "seed.c"]).current_dir(place.path());
    let output = clang.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Noise, a beginning, or a copy with a few bytes changed, taken out or repeated.
fn damaged(seed: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    let at = random.usize(..bytes.len());
    let end = (at + random.usize(1..64)).min(bytes.len());
    match random.u8(..10) {
        0 => bytes = (0..random.usize(..200)).map(|_| random.u8(..)).collect(),
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => {
            for _ in 0..random.usize(1..6) {
                let at = random.usize(..bytes.len());
                bytes[at] = if random.bool() { random.u8(..) } else { bytes[at] ^ (1 << random.u8(..8)) };
            }
        }
    }
    bytes
}

fn rounds() -> u64 {
    std::env::var("OSIER_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

/// Checks every answer, and that some files were refused and some were not.
fn storm(place: &Place, name: &str, seed: &[u8], command: &[&str]) {
    let (mut refused, rounds) = (0, rounds());
    for round in 0..rounds {
        let bytes = damaged(seed, &mut fastrand::Rng::with_seed(round));
        place.write(name, &bytes);
        let said @ Said { status, .. } = &place.osier(&[command, &[name]].concat());
        assert!(matches!(status, Some(0..=2)), "{name}, seed {round}: {said:?}");
        assert!(!said.err.contains("panicked"), "{name}, seed {round}: {said:?}");
        if *status == Some(2) {
            refused += 1;
            one_message(said);
            assert!(said.err.contains(name) || said.err.contains("`main`"), "{name}, seed {round}: {said:?}");
        }
    }
    assert!((rounds / 10..rounds).contains(&refused), "{refused} of {rounds} were refused");
}

const RUN: &[&str] = &["run", "--json", "--no-tests", "--max-instructions=100000", "--max-time=5s"];

#[test]
fn damaged_bitcode() {
    let place = Place::new();
    storm(&place, "damaged.bc", &compiled(&place, &["-c", "-g"]), RUN);
}

#[test]
fn damaged_text() {
    let place = Place::new();
    storm(&place, "damaged.ll", &compiled(&place, &["-S", "-O1"]), RUN);
}

#[test]
fn damaged_tests() {
    let place = Place::new();
    let seed = b"KTEST\0\0\0\x03\0\0\0\x02\0\0\0\x06good.c\0\0\0\x03abc\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01x\0\0\0\x04\x07\0\0\0\0\0\0\x03buf\0\0\0\x09some text";
    storm(&place, "damaged.ktest", seed, &["test", "show"]);
}
