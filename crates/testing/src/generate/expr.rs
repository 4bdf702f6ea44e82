//! Expressions. Each is one value of a given type and class, and has no undefined behaviour whatever its parts hold.

use super::places::{Class, Place, Shape};
use super::program::{CONSTANT_INPUTS, Generator, INPUTS, SYMBOLIC_INPUTS};
use super::types::Int;

impl Generator {
    /// An expression of type `ty`, in parentheses or a single token.
    pub(super) fn expr(&mut self, class: Class, ty: Int, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return self.leaf(class, ty);
        }
        let name = ty.name();
        match self.random.below(14) {
            0..=3 => {
                let op = ["+", "-", "*"][self.random.below(3)];
                let (a, b) = self.two(class, ty, depth);
                let wide = ty.wrapping();
                format!("({name})(({wide}){a} {op} ({wide}){b})")
            }
            4 | 5 => {
                let op = ["&", "|", "^"][self.random.below(3)];
                let (a, b) = self.two(class, ty, depth);
                format!("({name})({a} {op} {b})")
            }
            6 => self.division(class, ty, depth),
            7 | 8 => self.shift(class, ty, depth),
            9 => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.random.below(6)];
                // Operands of two types: C's conversions between signed and unsigned are part of what is tested.
                let (left, right) = (self.int(), self.int());
                let (a, b) = (self.expr(class, left, depth - 1), self.expr(class, right, depth - 1));
                format!("({name})({a} {op} {b})")
            }
            10 => {
                let from = self.int();
                format!("({name}){}", self.expr(class, from, depth - 1))
            }
            11 => {
                let a = self.expr(class, ty, depth - 1);
                let wide = ty.wrapping();
                match self.random.below(3) {
                    0 => format!("({name})~{a}"),
                    1 => format!("({name})(0u - ({wide}){a})"),
                    _ => format!("({name})!{a}"),
                }
            }
            12 => self.builtin(class, ty, depth),
            _ => self.choice(class, ty, depth),
        }
    }

    fn two(&mut self, class: Class, ty: Int, depth: usize) -> (String, String) {
        (self.expr(class, ty, depth - 1), self.expr(class, ty, depth - 1))
    }

    /// The class of operands that the solver is asked about: what a data value is divided or shifted by.
    fn asked_about(class: Class) -> Class {
        match class {
            Class::Control => Class::Control,
            Class::Data | Class::Fresh => Class::Fresh,
        }
    }

    fn division(&mut self, class: Class, ty: Int, depth: usize) -> String {
        let op = ["/", "%"][self.random.below(2)];
        let a = self.expr(class, ty, depth - 1);
        let b = self.expr(Self::asked_about(class), Int::U8, (depth - 1).min(1));
        let promoted = ty.promoted();
        // From 2 to 65: neither zero nor, where negated, minus one.
        let sign = if ty.signed && self.random.coin() { "-" } else { "" };
        format!("({})(({promoted}){a} {op} {sign}({promoted})(({b} & 63) + 2))", ty.name())
    }

    fn shift(&mut self, class: Class, ty: Int, depth: usize) -> String {
        let a = self.expr(class, ty, depth - 1);
        let amount = self.expr(Self::asked_about(class), Int::U8, (depth - 1).min(1));
        let mask = ty.bits - 1;
        if self.random.coin() {
            format!("({})(({}){a} << ({amount} & {mask}))", ty.name(), ty.wrapping())
        } else {
            format!("({})(({}){a} >> ({amount} & {mask}))", ty.name(), ty.promoted())
        }
    }

    fn builtin(&mut self, class: Class, ty: Int, depth: usize) -> String {
        let a = self.expr(class, Int::U64, depth - 1);
        let b = self.expr(class, Int::U64, depth - 1);
        let name = ty.name();
        match self.random.below(7) {
            // Floats are concrete for now: what a solver makes of them is not what is tested here.
            0 if class == Class::Control => format!("({name})through_floats((int32_t){a}, (int32_t){b})"),
            0 | 6 => format!("({name})__builtin_bswap64({a})"),
            1 => format!("({name})__builtin_popcountll({a})"),
            2 => format!("({name})__builtin_clzll({a} | 1)"),
            3 => format!("({name})__builtin_rotateleft32((uint32_t){a}, 13)"),
            4 => format!("({name})high_product({a}, {b})"),
            _ => format!("({name})saturating_sum((int32_t){a}, (int32_t){b})"),
        }
    }

    /// `?:` and `&&` are control flow, so they are for control values; what is selected may be anything.
    fn choice(&mut self, class: Class, ty: Int, depth: usize) -> String {
        let (a, b) = self.two(class, ty, depth);
        if class == Class::Fresh {
            return format!("({})({a} ^ {b})", ty.name());
        }
        let condition = self.condition(depth - 1);
        format!("({})({condition} ? {a} : {b})", ty.name())
    }

    /// A control condition.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let (left, right) = (self.int(), self.int());
        let a = self.expr(Class::Control, left, depth.min(2));
        let b = self.expr(Class::Control, right, depth.min(2));
        let op = ["<", ">=", "==", "!=", "&&", "||"][self.random.below(6)];
        format!("({a} {op} {b})")
    }

    fn leaf(&mut self, class: Class, ty: Int) -> String {
        let name = ty.name();
        let readable: Vec<Place> = self.places.iter().filter(|p| p.readable_for(class)).cloned().collect();
        if class == Class::Fresh {
            let byte = self.random.below(SYMBOLIC_INPUTS);
            return if self.random.below(3) == 0 { self.constant(ty) } else { format!("({name})in[{byte}]") };
        }
        match self.random.below(8) {
            0 | 1 => self.constant(ty),
            2 => {
                let first = if class == Class::Control { SYMBOLIC_INPUTS } else { 0 };
                let count = if class == Class::Control { CONSTANT_INPUTS } else { INPUTS };
                format!("({name})in[{}]", first + self.random.below(count))
            }
            _ if readable.is_empty() => self.constant(ty),
            _ => {
                let place = readable[self.random.below(readable.len())].clone();
                format!("({name}){}", self.access(&place, class))
            }
        }
    }

    /// An element of a place, or the place itself. Indices are control values, now and then fresh ones.
    pub(super) fn access(&mut self, place: &Place, class: Class) -> String {
        let name = &place.name;
        match place.shape {
            Shape::Scalar { .. } => name.clone(),
            Shape::Array { length } => {
                let index = self.index(class, length);
                format!("{name}[{index}]")
            }
            Shape::Grid { rows, columns } => {
                let (row, column) = (self.index(class, rows), self.index(class, columns));
                format!("{name}[{row}][{column}]")
            }
        }
    }

    /// An index below `length`. It reads no other element: accesses would nest without end.
    fn index(&mut self, class: Class, length: usize) -> String {
        let mask = length - 1;
        if class == Class::Data && self.random.below(8) == 0 {
            let index = self.expr(Class::Fresh, Int::U32, 1);
            return format!("{index} & {mask}");
        }
        let scalar = |p: &&Place| p.readable_for(Class::Control) && matches!(p.shape, Shape::Scalar { .. });
        let scalars: Vec<&Place> = self.places.iter().filter(scalar).collect();
        match self.random.below(4) {
            0 => self.random.below(length).to_string(),
            1 => format!("in[{}] & {mask}", SYMBOLIC_INPUTS + self.random.below(CONSTANT_INPUTS)),
            _ if scalars.is_empty() => self.random.below(length).to_string(),
            _ => {
                let name = &scalars[self.random.below(scalars.len())].name;
                format!("((uint32_t){name} + {}u) & {mask}", self.random.below(length))
            }
        }
    }

    /// Small numbers, powers of two and their neighbours, and any bits.
    pub(super) fn constant(&mut self, ty: Int) -> String {
        let bits = match self.random.below(4) {
            0 => self.random.below(16) as u64,
            1 => (self.random.below(16) as u64).wrapping_neg(),
            2 => (1u64 << self.random.below(64)).wrapping_sub(self.random.below(2) as u64),
            _ => self.random.bits(),
        };
        ty.constant(bits)
    }

    pub(super) fn int(&mut self) -> Int {
        Int::ALL[self.random.below(Int::ALL.len())]
    }
}
