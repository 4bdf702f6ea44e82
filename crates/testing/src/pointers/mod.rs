//! A seeded generator of C programs whose pointers depend on inputs, for running one program under several memory models.
//!
//! Objects of the heap, the stack and of globals, tables of pointers into them, lists and grids; three input bytes choose
//! among them. A program goes from one access to the next and ends in one of many named ways, each behind a branch of
//! its own, so that which endings can be reached does not depend on how a model counts paths. On its way out it writes a
//! checksum of all memory, by which a native run tells whether every byte is what the model says.
//!
//! Some programs have errors in them: a freed, null or constant object among the targets, an index that may leave one.
//!
//! The same seed gives the same text. Start reading at [`program`].

mod chains;
mod objects;
mod statements;

use crate::generate::Program;
use objects::{Object, Table};
use osier_base::Random;

/// The input bytes; more would multiply the paths of the models that fork.
const INPUTS: usize = 3;

const PREAMBLE: &str = r#"#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
static u8 in[3];
static struct { u8 *start; unsigned size; } all[64];
static unsigned objects;
static void track(void *start, unsigned size) {
  all[objects].start = start;
  all[objects++].size = size;
}
static void forget(void *start) {
  for (unsigned o = 0; o < objects; o++)
    if (all[o].start == (u8 *)start)
      all[o].size = 0;
}
static __attribute__((noreturn)) void finish(int status) {
  u64 sum = 0;
  for (unsigned o = 0; o < objects; o++)
    for (unsigned b = 0; b < all[o].size; b++)
      sum = sum * 31 + all[o].start[b];
  write(1, &sum, sizeof sum);
  _exit(status);
}
struct __attribute__((packed)) any32 { u32 value; };
static __attribute__((noinline)) void bump(u8 *at) { *at += 3; }
"#;

/// What stands at this point of a program.
struct Generator {
    random: Random,
    objects: Vec<Object>,
    tables: Vec<Table>,
    /// Whether this program may have errors in it.
    careless: bool,
    endings: usize,
    names: usize,
    globals: String,
    body: String,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x5e67);
    let careless = random.below(4) == 0;
    let mut generator = Generator {
        random,
        objects: Vec::new(),
        tables: Vec::new(),
        careless,
        endings: 0,
        names: 0,
        globals: String::new(),
        body: String::new(),
    };
    for _ in 0..1 + generator.random.below(2) {
        generator.table();
    }
    if generator.random.below(2) == 0 {
        generator.chain();
    }
    for _ in 0..3 + generator.random.below(4) {
        generator.statement();
    }
    Program { seed, source: generator.text() }
}

impl Generator {
    fn line(&mut self, text: &str) {
        self.body += "  ";
        self.body += text;
        self.body.push('\n');
    }

    fn fresh_name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Ends the program, in a way of its own, if a condition holds. Each ending is a function, so that no optimisation
    /// joins two of them.
    fn end_if(&mut self, condition: &str) {
        self.endings += 1;
        let ending = format!("  end_{}();", self.endings);
        self.line(&format!("if ({condition})"));
        self.line(&ending);
    }

    fn input(&mut self) -> String {
        format!("in[{}]", self.random.below(INPUTS))
    }

    /// An index below `bound` that depends on an input.
    fn index(&mut self, bound: usize) -> String {
        let input = self.input();
        match self.random.below(4) {
            _ if bound == 1 => "0".into(),
            0 => format!("({input} * {bound} >> 8)"),
            1 => format!("({input} + {}) % {bound}", self.random.below(4)),
            _ if bound.is_power_of_two() => format!("({input} & {})", bound - 1),
            _ => format!("{input} % {bound}"),
        }
    }

    fn text(self) -> String {
        let mut text = PREAMBLE.to_string();
        text += &self.globals;
        for ending in 0..=self.endings {
            text += &format!(
                "static __attribute__((noinline, noreturn)) void end_{ending}(void) {{ finish({ending}); }}\n"
            );
        }
        text += "int main(void) {\n  klee_make_symbolic(in, sizeof in, \"in\");\n";
        text += &self.body;
        text += "  end_0();\n}\n";
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_program() {
        assert_eq!(program(5), program(5));
        assert_ne!(program(5).source, program(6).source);
    }

    /// A generator that never takes one of its turns tests less than it says.
    #[test]
    fn every_construct_occurs() {
        let all: String = (0..80).map(|seed| program(seed).source).collect();
        let constructs = [
            "malloc(",
            "realloc(",
            "free(",
            "NULL",
            "static const",
            "->next",
            "->to[",
            "memcpy(",
            "memset(",
            "any32",
            "uintptr_t",
            "bump(",
            "unsigned char *",
            "grid",
            "places",
            "[in[0] >",
            "for (",
        ];
        for construct in constructs {
            assert!(all.contains(construct), "{construct}");
        }
    }
}
