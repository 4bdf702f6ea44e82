//! Names of arrays that both formats accept, each used once.

use osier_term::{Array, ArrayNode, Pool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names for base arrays: inputs keep their own as far as the formats allow, tables are numbered.
#[derive(Default)]
pub(crate) struct Names {
    by_array: FxHashMap<Array, String>,
    taken: FxHashSet<String>,
}

impl Names {
    /// Names all of `arrays`, in this order.
    pub(crate) fn new(pool: &Pool, arrays: &[Array]) -> Self {
        let mut names = Names::default();
        for &array in arrays {
            names.add(pool, array);
        }
        names
    }

    /// Names one more; whether it had no name yet.
    pub(crate) fn add(&mut self, pool: &Pool, array: Array) -> bool {
        if self.by_array.contains_key(&array) {
            return false;
        }
        let wish = match pool.array_node(array) {
            ArrayNode::Input { name, .. } => identifier(name),
            ArrayNode::Table { .. } => "table".to_owned(),
            ArrayNode::Store { .. } => unreachable!("only base arrays have names"),
        };
        let name = self.unused(&wish);
        self.by_array.insert(array, name);
        true
    }

    fn unused(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        name
    }

    pub(crate) fn get(&self, array: Array) -> &str {
        &self.by_array[&array]
    }
}

/// Letters, digits and underscores, not beginning with a digit, and none of the words and labels that the formats or
/// the printers use themselves: those are capitals, or have no lower-case letter followed by an underscore.
fn identifier(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase()) && !RESERVED.contains(&text.as_str());
    let looks_like_label =
        text.len() > 1 && matches!(&text[..1], "t" | "w") && text[1..].bytes().all(|b| b.is_ascii_digit());
    if !plain || looks_like_label {
        text.insert_str(0, "in_");
    }
    text
}

const RESERVED: &[&str] = &[
    "and", "array", "as", "assert", "concat", "def", "distinct", "exists", "extract", "false", "forall", "ite", "let",
    "match", "not", "or", "par", "query", "select", "store", "symbolic", "true", "xor", "bvnot", "bvneg", "bvadd",
    "bvsub", "bvmul", "bvudiv", "bvsdiv", "bvurem", "bvsrem", "bvshl", "bvlshr", "bvashr", "bvand", "bvor", "bvxor",
    "bvult", "bvule", "bvslt", "bvsle",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_unique() {
        let mut pool = Pool::new();
        let wishes = ["a.b", "a-b", "3x", "true", "t12", "Arg", "ok"];
        let arrays: Vec<Array> = wishes.iter().map(|w| pool.input(w, 1)).collect();
        let names = Names::new(&pool, &arrays);
        let got: Vec<&str> = arrays.iter().map(|&a| names.get(a)).collect();
        assert_eq!(got, ["a_b", "a_b_1", "in_3x", "in_true", "in_t12", "in_Arg", "ok"]);
    }
}
