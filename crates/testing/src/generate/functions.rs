//! The functions of a generated program: a fixed preamble of helpers, and generated ones that call only earlier ones.

use super::places::{Class, Place};
use super::program::Generator;
use super::types::Int;

/// What one call of each generated function may execute.
const FUNCTION_BUDGET: u64 = 400;

/// A function `uint64_t NAME(uint32_t, int64_t, uint8_t)`.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub cost: u64,
}

/// Helpers that every program has. None branches on its arguments.
pub(super) const PREAMBLE: &str = r#"
static uint64_t checksum = 14695981039346656037ull;

static void note(uint64_t value) {
  checksum = (checksum ^ value) * 1099511628211ull;
  checksum ^= checksum >> 29;
}

static void show(uint64_t value) {
  char digits[17];
  for (int i = 0; i < 16; i++)
    digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  digits[16] = '\n';
  if (write(1, digits, sizeof digits) != (long)sizeof digits)
    abort();
}

static uint64_t high_product(uint64_t a, uint64_t b) {
  return (uint64_t)((unsigned __int128)a * b >> 64);
}

// The wrapped sum, with all bits set above it if it wrapped.
static uint64_t saturating_sum(int32_t a, int32_t b) {
  int32_t sum;
  uint64_t wrapped = __builtin_add_overflow(a, b, &sum);
  return (uint32_t)sum | (0 - wrapped) << 32;
}

// Small enough at each step that no conversion overflows.
static int32_t through_floats(int32_t a, int32_t b) {
  double d = (double)a * 0.5 + (double)b;
  float f = (float)(a >> 16) / 3.0f;
  return (int32_t)(d / 3.0) ^ (int32_t)f ^ (d < (double)f);
}

static uint64_t gather(const char *kinds, ...) {
  va_list list;
  uint64_t total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    total = total << 7 | total >> 57;
    switch (*kinds) {
    case 'u': total ^= va_arg(list, uint32_t); break;
    case 'l': total ^= va_arg(list, uint64_t); break;
    case 'c': total += (uint64_t)va_arg(list, int); break;
    }
  }
  va_end(list);
  return total;
}

struct record {
  uint8_t byte;
  int64_t wide;
  uint32_t low : 5;
  int32_t middle : 11;
  uint32_t high : 16;
  uint16_t row[4];
};

union view {
  uint64_t whole;
  uint32_t halves[2];
  int16_t small;
  uint8_t bytes[8];
};

static struct record s0 = {1, -2, 3, -4, 5, {6, 7, 8, 9}}, s1;
static struct record *sp = &s1;
static union view u0 = {0x0123456789abcdefull};

static struct record twist(struct record r, uint32_t x) {
  r.wide = (int64_t)((uint64_t)r.wide * 3 + x);
  r.middle = (int32_t)(x & 1023);
  r.row[2] ^= (uint16_t)x;
  return r;
}
"#;

/// The places that the preamble declares.
pub(super) fn preamble_places() -> Vec<Place> {
    let int = |bits, signed| Int { bits, signed };
    let data = Class::Data;
    let mut places = Vec::new();
    for owner in ["s0.", "s1.", "sp->"] {
        places.push(Place::scalar(format!("{owner}byte"), Int::U8, data));
        places.push(Place::scalar(format!("{owner}wide"), int(64, true), data));
        places.push(Place::bit_field(format!("{owner}low"), Int::U32, data));
        places.push(Place::bit_field(format!("{owner}middle"), int(32, true), data));
        places.push(Place::bit_field(format!("{owner}high"), Int::U32, data));
        places.push(Place::array(format!("{owner}row"), int(16, false), data, 4));
    }
    places.push(Place::scalar("u0.whole", Int::U64, data));
    places.push(Place::array("u0.halves", Int::U32, data, 2));
    places.push(Place::bit_field("u0.small", int(16, true), data));
    places.push(Place::array("u0.bytes", Int::U8, data, 8));
    places
}

impl Generator {
    /// Generates the next function and the table of all so far.
    pub(super) fn function(&mut self) {
        let name = format!("f{}", self.functions.len());
        let recursive = self.random.below(3) == 0;
        self.line(&format!("static uint64_t {name}(uint32_t a, int64_t b, uint8_t k) {{"));
        let known = self.places.len();
        self.cost = 0;
        self.budget = if recursive { FUNCTION_BUDGET / 8 } else { FUNCTION_BUDGET };
        self.places.push(Place::scalar("a", Int::U32, Class::Data));
        self.places.push(Place::scalar("b", Int { bits: 64, signed: true }, Class::Data));
        self.places.push(Place::scalar("k", Int::U8, Class::Control));
        // Written by nobody: it bounds the recursion.
        self.counters.push("k".into());
        self.indent += 1;
        if recursive {
            self.line("if ((k & 7) == 0)");
            self.line("  return a ^ (uint64_t)b;");
        }
        self.locals();
        self.indent -= 1;
        let count = 2 + self.random.below(5);
        self.block(count, 2);
        let value = self.expr(Class::Data, Int::U64, 2);
        if recursive {
            let next = self.expr(Class::Data, Int::U32, 2);
            self.line(&format!("  return {value} ^ {name}({next}, b, (uint8_t)((k & 7) - 1));"));
        } else {
            self.line(&format!("  return {value};"));
        }
        self.line("}\n");
        self.counters.pop();
        self.places.truncate(known);
        let cost = (self.cost + 4) * if recursive { 8 } else { 1 };
        self.functions.push(Function { name, cost });
        let names: Vec<&str> = self.functions.iter().map(|f| f.name.as_str()).collect();
        let (count, names) = (names.len(), names.join(", "));
        self.line(&format!("static uint64_t (*const table_{count}[])(uint32_t, int64_t, uint8_t) = {{{names}}};\n"));
    }

    /// Declares local variables of random types.
    pub(super) fn locals(&mut self) {
        for _ in 0..2 + self.random.below(4) {
            let name = self.fresh_name("v");
            let class = if self.random.below(3) == 0 { Class::Control } else { Class::Data };
            let ty = self.int();
            let value = self.expr(class, ty, 1);
            self.line(&format!("{} {name} = {value};", ty.name()));
            self.places.push(Place::scalar(name, ty, class));
        }
        let name = self.fresh_name("x");
        let (ty, length) = (self.int(), 4 << self.random.below(3));
        let (first, second) = (self.constant(ty), self.constant(ty));
        self.line(&format!("{} {name}[{length}] = {{{first}, {second}}};", ty.name()));
        self.places.push(Place::array(name, ty, Class::Data, length));
    }
}
