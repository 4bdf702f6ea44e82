//! Statements. Each is charged for what it executes, so that a program ends soon however its loops and calls nest.

use super::places::{Class, Place, Shape};
use super::program::Generator;
use super::types::Int;

impl Generator {
    /// `count` statements, in a block of their own.
    pub(super) fn block(&mut self, count: usize, depth: usize) {
        self.indent += 1;
        for _ in 0..count {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        self.cost += self.repeats;
        match self.random.below(20) {
            0..=7 => self.assignment(),
            8 | 9 if depth > 0 => self.branch(depth),
            10 | 11 if depth > 0 => self.for_loop(depth),
            12 if depth > 0 => self.while_loop(depth),
            13 if depth > 0 => self.switch(depth),
            14 | 15 => self.call(),
            16 => self.memory_function(),
            17 => self.through_pointer(),
            18 => self.varargs_call(),
            _ => self.note(),
        }
    }

    /// Adds a value to the checksum.
    fn note(&mut self) {
        let value = self.expr(Class::Data, Int::U64, 2);
        self.line(&format!("note({value});"));
    }

    fn assignment(&mut self) {
        let Some(place) = self.some_place(|_| true) else { return self.note() };
        let target = self.access(&place, place.class);
        let value = self.expr(place.class, place.ty, 3);
        let op = match place.shape {
            // A compound assignment to a narrow type computes in int, where only these cannot overflow.
            Shape::Scalar { .. } | Shape::Array { .. } => ["=", "=", "=", "^=", "|=", "&="][self.random.below(6)],
            Shape::Grid { .. } => "=",
        };
        self.line(&format!("{target} {op} {value};"));
        if !place.ty.signed && self.random.below(6) == 0 {
            let step = if self.random.coin() { "++" } else { "--" };
            self.line(&format!("{target}{step};"));
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition(2);
        self.branch_on(&condition, depth);
    }

    pub(super) fn branch_on(&mut self, condition: &str, depth: usize) {
        self.line(&format!("if ({condition}) {{"));
        self.block_of_few(depth);
        if self.random.coin() {
            self.line("} else {");
            self.block_of_few(depth);
        }
        self.line("}");
    }

    /// One of the few branches that a symbolic input decides.
    pub(super) fn symbolic_branch(&mut self) {
        let (left, right) = (self.int(), self.int());
        let op = ["<", ">=", "==", "!="][self.random.below(4)];
        let (a, b) = (self.expr(Class::Fresh, left, 2), self.expr(Class::Fresh, right, 1));
        self.branch_on(&format!("{a} {op} {b}"), 1);
    }

    /// A switch that a symbolic input decides.
    pub(super) fn symbolic_switch(&mut self) {
        let value = self.expr(Class::Fresh, Int::U8, 1);
        self.switch_on(&format!("({value} & 3)"), 1);
    }

    fn block_of_few(&mut self, depth: usize) {
        let count = 1 + self.random.below(3);
        self.block(count, depth - 1);
    }

    fn for_loop(&mut self, depth: usize) {
        let times = 1 + self.random.below(6) as u64;
        if !self.affordable(times * 4) {
            return self.assignment();
        }
        let counter = self.fresh_name("i");
        let (start, step) = (self.random.below(4) as u64, 1 + self.random.below(3) as u64);
        let end = start + times * step;
        self.line(&format!("for (uint32_t {counter} = {start}; {counter} < {end}; {counter} += {step}) {{"));
        self.repeated(times, &counter, depth);
        self.line("}");
    }

    fn while_loop(&mut self, depth: usize) {
        let times = 2 + self.random.below(5) as u64;
        if !self.affordable(times * 4) {
            return self.assignment();
        }
        let counter = self.fresh_name("w");
        self.line("{");
        self.indent += 1;
        self.line(&format!("uint32_t {counter} = {times};"));
        let tested_first = self.random.coin();
        self.line(&if tested_first { format!("while ({counter}-- > 0) {{") } else { "do {".to_string() });
        self.repeated(times, &counter, depth);
        self.line(&if tested_first { "}".to_string() } else { format!("}} while (--{counter} > 0);") });
        self.indent -= 1;
        self.line("}");
    }

    /// The body of a loop. The counter can be read in it but is never written.
    fn repeated(&mut self, times: u64, counter: &str, depth: usize) {
        let outer = self.repeats;
        self.repeats *= times;
        let known = self.places.len();
        self.counters.push(counter.to_string());
        self.places.push(Place::scalar(counter, Int::U32, Class::Control));
        self.block_of_few(depth);
        if self.random.below(4) == 0 {
            let condition = self.condition(1);
            let way = if self.random.coin() { "break" } else { "continue" };
            self.indent += 1;
            self.line(&format!("if ({condition}) {way};"));
            self.assignment();
            self.indent -= 1;
        }
        self.counters.pop();
        self.places.truncate(known);
        self.repeats = outer;
    }

    fn switch(&mut self, depth: usize) {
        let ty = self.int();
        let value = self.expr(Class::Control, ty, 2);
        self.switch_on(&format!("({value} & 7)"), depth);
    }

    fn switch_on(&mut self, value: &str, depth: usize) {
        self.line(&format!("switch ({value}) {{"));
        let cases = 2 + self.random.below(2);
        for case in 0..cases {
            self.line(&format!("case {case}:"));
            self.block_of_few(depth);
            if self.random.below(4) != 0 {
                self.line("  break;");
            }
        }
        self.line("default:");
        self.block_of_few(depth);
        self.line("}");
    }

    fn call(&mut self) {
        if self.functions.is_empty() {
            return self.assignment();
        }
        let through_table = self.random.below(3) == 0;
        let index = self.random.below(self.functions.len());
        let dearest = self.functions.iter().map(|f| f.cost).max().unwrap_or(1);
        let cost = if through_table { dearest } else { self.functions[index].cost };
        if !self.affordable(cost) {
            return self.assignment();
        }
        self.cost += cost * self.repeats;
        let a = self.expr(Class::Data, Int::U32, 2);
        let b = self.expr(Class::Data, Int { bits: 64, signed: true }, 2);
        let k = self.expr(Class::Control, Int::U8, 1);
        let callee = if through_table {
            let choose = self.expr(Class::Control, Int::U32, 1);
            format!("table_{}[{choose} % {}u]", self.functions.len(), self.functions.len())
        } else {
            self.functions[index].name.clone()
        };
        self.line(&format!("note({callee}({a}, {b}, {k}));"));
    }

    fn varargs_call(&mut self) {
        let a = self.expr(Class::Data, Int::U32, 1);
        let b = self.expr(Class::Data, Int::U64, 1);
        let c = self.expr(Class::Control, Int::U8, 1);
        self.line(&format!("note(gather(\"ulcul\", {a}, {b}, {c}, {a} ^ 1u, {b}));"));
    }

    fn memory_function(&mut self) {
        let array = |place: &Place| matches!(place.shape, Shape::Array { .. });
        let Some(to) = self.some_place(array) else { return self.note() };
        let Shape::Array { length } = to.shape else { return self.note() };
        let bytes = length * to.ty.bits as usize / 8;
        let count = self.random.below(bytes + 1);
        let Some(from) = self.some_place(|p| array(p) && to.accepts(p.class)) else { return self.note() };
        let Shape::Array { length: from_length } = from.shape else { return self.note() };
        let from_bytes = from_length * from.ty.bits as usize / 8;
        match self.random.below(3) {
            0 => {
                let byte = self.expr(to.class, Int::U8, 1);
                self.line(&format!("memset({}, {byte}, {count});", to.name));
            }
            1 if from.name != to.name => {
                self.line(&format!("memcpy({}, {}, {});", to.name, from.name, count.min(from_bytes)));
            }
            _ => {
                let skip = self.random.below(bytes - count + 1);
                let name = &to.name;
                self.line(&format!("memmove((char *){name} + {skip}, {name}, {count});"));
            }
        }
    }

    /// Writes and reads through the address of a scalar or of an element.
    fn through_pointer(&mut self) {
        let addressable =
            |place: &Place| !matches!(place.shape, Shape::Scalar { addressable: false } | Shape::Grid { .. });
        let Some(place) = self.some_place(addressable) else { return self.note() };
        let pointer = self.fresh_name("p");
        let target = self.access(&place, Class::Control);
        let value = self.expr(place.class, place.ty, 2);
        let ty = place.ty.name();
        self.line("{");
        self.indent += 1;
        self.line(&format!("{ty} *{pointer} = &{target};"));
        if self.random.coin() {
            self.line(&format!("{ty} **{pointer}{pointer} = &{pointer};"));
            self.line(&format!("**{pointer}{pointer} = {value};"));
        } else {
            self.line(&format!("*{pointer} = {value};"));
        }
        self.line(&format!("note((uint64_t)*{pointer});"));
        self.indent -= 1;
        self.line("}");
    }

    /// A place that may be written.
    fn some_place(&mut self, wanted: impl Fn(&Place) -> bool) -> Option<Place> {
        let counters = &self.counters;
        let fit: Vec<&Place> = self.places.iter().filter(|p| wanted(p) && !counters.contains(&p.name)).collect();
        if fit.is_empty() { None } else { Some(fit[self.random.below(fit.len())].clone()) }
    }

    fn affordable(&self, cost: u64) -> bool {
        self.cost + cost * self.repeats <= self.budget
    }
}
