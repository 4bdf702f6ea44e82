//! A whole program: globals, functions, and a `main` that ends by showing the checksum.

use super::functions::{Function, PREAMBLE, preamble_places};
use super::places::{Class, Place, Shape};
use super::types::Int;
use osier_base::Random;

/// The first input bytes, which are symbolic if the program is compiled with `-DSYMBOLIC`. Compiled with `-DNATIVE` it
/// takes them as hexadecimal digits from its first argument; else they are constants.
pub const SYMBOLIC_INPUTS: usize = 4;
/// The input bytes after them, always constant.
pub(super) const CONSTANT_INPUTS: usize = 12;
pub(super) const INPUTS: usize = SYMBOLIC_INPUTS + CONSTANT_INPUTS;

/// What `main` may execute.
const MAIN_BUDGET: u64 = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub seed: u64,
    pub source: String,
}

/// The text so far, and what can be used at this point of it.
pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) places: Vec<Place>,
    /// Names of places that must not be written: loops and recursion end by them.
    pub(super) counters: Vec<String>,
    pub(super) functions: Vec<Function>,
    /// Statements that the current function executes so far, at most.
    pub(super) cost: u64,
    pub(super) budget: u64,
    /// How often the current statement is executed, at most.
    pub(super) repeats: u64,
    pub(super) indent: usize,
    text: String,
    names: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        places: preamble_places(),
        counters: Vec::new(),
        functions: Vec::new(),
        cost: 0,
        budget: 0,
        repeats: 1,
        indent: 0,
        text: String::new(),
        names: 0,
    };
    generator.head();
    let heap = generator.globals();
    for _ in 0..2 + generator.random.below(4) {
        generator.function();
    }
    generator.main(&heap);
    Program { seed, source: generator.text }
}

impl Generator {
    pub(super) fn line(&mut self, text: &str) {
        self.text += &"  ".repeat(self.indent);
        self.text += text;
        self.text.push('\n');
    }

    pub(super) fn fresh_name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn head(&mut self) {
        for header in ["stdarg", "stdint", "stdlib", "string", "unistd"] {
            self.line(&format!("#include <{header}.h>"));
        }
        self.line("#ifdef SYMBOLIC\n#include <klee/klee.h>\n#endif\n");
        let bytes: Vec<String> = (0..INPUTS).map(|_| self.random.below(256).to_string()).collect();
        self.line(&format!("static uint8_t in[{INPUTS}] = {{{}}};", bytes.join(", ")));
        self.line(PREAMBLE);
    }

    /// Declares globals; returns those that `main` must allocate.
    fn globals(&mut self) -> Vec<Place> {
        let mut heap = Vec::new();
        for number in 0..4 + self.random.below(6) {
            let ty = self.int();
            let class = if self.random.below(3) == 0 { Class::Control } else { Class::Data };
            let length = 4usize << self.random.below(3);
            let type_name = ty.name();
            let value = self.constant(ty);
            let name = format!("g{number}");
            match self.random.below(5) {
                0 | 1 => {
                    self.line(&format!("static {type_name} {name} = {value};"));
                    self.places.push(Place::scalar(name, ty, class));
                }
                2 => {
                    self.line(&format!("static {type_name} {name}[{length}] = {{{value}}};"));
                    self.places.push(Place::array(name, ty, class, length));
                }
                3 => {
                    self.line(&format!("static {type_name} {name}[4][{length}];"));
                    let shape = Shape::Grid { rows: 4, columns: length };
                    self.places.push(Place { name, ty, class, shape });
                }
                _ => {
                    self.line(&format!("static {type_name} *{name};"));
                    let place = Place::array(name, ty, class, length);
                    heap.push(place.clone());
                    self.places.push(place);
                }
            }
        }
        self.line("");
        heap
    }

    fn main(&mut self, heap: &[Place]) {
        self.line("int main(int argc, char **argv) {");
        self.indent = 1;
        self.line("(void)argc;\n  (void)argv;");
        self.inputs();
        for place in heap {
            self.allocate(place);
        }
        let globals = self.places.clone();
        self.cost = 0;
        self.budget = MAIN_BUDGET;
        self.locals();
        let (mut branches, mut switches) = (3, 1);
        for _ in 0..10 + self.random.below(8) {
            match self.random.below(7) {
                0 | 1 if branches > 0 => {
                    branches -= 1;
                    self.symbolic_branch();
                }
                2 if switches > 0 => {
                    switches -= 1;
                    self.symbolic_switch();
                }
                3 => self.struct_copy(),
                _ => {
                    self.indent = 0;
                    self.block(1, 3);
                    self.indent = 1;
                }
            }
        }
        for place in &globals {
            self.fold(place);
        }
        for place in heap {
            self.line(&format!("free({});", place.name));
        }
        self.line("show(checksum);");
        self.line("return (int)(checksum & 127);");
        self.indent = 0;
        self.line("}");
    }

    fn inputs(&mut self) {
        let last = SYMBOLIC_INPUTS;
        self.text += &format!(
            r#"#if defined(SYMBOLIC)
  uint8_t fresh[{last}];
  klee_make_symbolic(fresh, sizeof fresh, "in");
  memcpy(in, fresh, sizeof fresh);
#elif defined(NATIVE)
  if (argc > 1)
    for (int i = 0; i < 2 * {last}; i++) {{
      char c = argv[1][i];
      in[i / 2] = (uint8_t)(in[i / 2] << 4 | (c <= '9' ? c - '0' : c - 'a' + 10));
    }}
#endif
"#
        );
    }

    fn allocate(&mut self, place: &Place) {
        let Shape::Array { length } = place.shape else { unreachable!("only arrays live on the heap") };
        let (name, ty) = (&place.name, place.ty.name());
        match self.random.below(3) {
            0 => self.line(&format!("{name} = calloc({length}, sizeof({ty}));")),
            1 => {
                self.line(&format!("{name} = malloc({length} * sizeof({ty}));"));
                self.line(&format!("memset({name}, {}, {length} * sizeof({ty}));", self.names % 256));
            }
            _ => {
                self.line(&format!("{name} = calloc(1, sizeof({ty}));"));
                self.line(&format!("{name} = realloc({name}, {length} * sizeof({ty}));"));
                self.line(&format!("memset({name} + 1, 7, {} * sizeof({ty}));", length - 1));
            }
        }
    }

    fn struct_copy(&mut self) {
        let x = self.expr(Class::Data, Int::U32, 2);
        match self.random.below(3) {
            0 => self.line("s0 = *sp;"),
            1 => self.line(&format!("*sp = twist(s0, {x});")),
            _ => self.line("sp = sp == &s0 ? &s1 : &s0;"),
        }
    }

    /// Puts all that a place holds into the checksum.
    fn fold(&mut self, place: &Place) {
        let name = &place.name;
        let text = match place.shape {
            Shape::Scalar { .. } => format!("note((uint64_t){name});"),
            Shape::Array { length } => {
                format!("for (int i = 0; i < {length}; i++)\n    note((uint64_t){name}[i]);")
            }
            Shape::Grid { rows, columns } => {
                let cells = rows * columns;
                format!("for (int i = 0; i < {cells}; i++)\n    note((uint64_t){name}[i / {columns}][i % {columns}]);")
            }
        };
        self.line(&text);
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
        let all: String = (0..60).map(|seed| program(seed).source).collect();
        let constructs = [
            "for (uint32_t",
            "while (",
            "do {",
            "switch (",
            "break;",
            "continue;",
            "memcpy(",
            "memmove(",
            "memset(",
            "malloc(",
            "calloc(",
            "realloc(",
            "gather(\"",
            "twist(s0",
            "table_2[",
            "**p",
            "high_product((",
            "saturating_sum((",
            "through_floats((",
            "__builtin_clzll",
            " % -(",
            "<< (",
            ">> (",
            "u0.bytes[",
            "sp->low",
        ];
        for construct in constructs {
            assert!(all.contains(construct), "{construct}");
        }
    }
}
