//! What the tests of the rules share: terms written down as text, and the plain meaning of what is written, computed
//! without a pool, against which every rewrite is checked.

use crate::assignment::Assignment;
use crate::bits::{apply, compare, mask, sign_extend};
use crate::eval::{Evaluator, eval};
use crate::node::{Array, BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// How to build a term: what was asked for, before any rule.
#[derive(Clone, Debug)]
pub(crate) enum Recipe {
    Const {
        width: u32,
        value: u128,
    },
    /// A byte of one of the inputs.
    Byte {
        input: usize,
        at: u32,
    },
    Bin(BvOp, Box<Recipe>, Box<Recipe>),
    Cmp(CmpOp, Box<Recipe>, Box<Recipe>),
    Not(Box<Recipe>),
    Concat(Box<Recipe>, Box<Recipe>),
    Extract {
        of: Box<Recipe>,
        low: u32,
        width: u32,
    },
    ZExt(Box<Recipe>, u32),
    SExt(Box<Recipe>, u32),
    Ite(Box<Recipe>, Box<Recipe>, Box<Recipe>),
    /// A read at a 64-bit index, after the stores, the first one first.
    Select {
        base: Base,
        stores: Vec<(Recipe, Recipe)>,
        index: Box<Recipe>,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Base {
    Input(usize),
    Table(Vec<u8>),
}

/// The sizes of the inputs that recipes refer to.
pub(crate) const INPUTS: [u32; 2] = [48, 16];

fn boxed(recipe: Recipe) -> Box<Recipe> {
    Box::new(recipe)
}

impl Recipe {
    /// A pool with the inputs.
    pub fn pool() -> (Pool, Vec<Array>) {
        let mut pool = Pool::new();
        let inputs = INPUTS.iter().enumerate().map(|(i, &size)| pool.input(&format!("in{i}"), size)).collect();
        (pool, inputs)
    }

    pub fn width(&self) -> u32 {
        match self {
            Recipe::Const { width, .. } | Recipe::Extract { width, .. } => *width,
            Recipe::Byte { .. } | Recipe::Select { .. } => 8,
            Recipe::Bin(_, a, _) | Recipe::Not(a) => a.width(),
            Recipe::Cmp(..) => 1,
            Recipe::Concat(high, low) => high.width() + low.width(),
            Recipe::ZExt(_, width) | Recipe::SExt(_, width) => *width,
            Recipe::Ite(_, then, _) => then.width(),
        }
    }

    pub fn build(&self, pool: &mut Pool, inputs: &[Array]) -> Term {
        match self {
            Recipe::Const { width, value } => pool.constant(*width, *value),
            Recipe::Byte { input, at } => pool.select_at(inputs[*input], u64::from(*at)),
            Recipe::Bin(op, a, b) => {
                let (a, b) = (a.build(pool, inputs), b.build(pool, inputs));
                pool.bin(*op, a, b)
            }
            Recipe::Cmp(op, a, b) => {
                let (a, b) = (a.build(pool, inputs), b.build(pool, inputs));
                pool.cmp(*op, a, b)
            }
            Recipe::Not(a) => {
                let a = a.build(pool, inputs);
                pool.not(a)
            }
            Recipe::Concat(high, low) => {
                let (high, low) = (high.build(pool, inputs), low.build(pool, inputs));
                pool.concat(high, low)
            }
            Recipe::Extract { of, low, width } => {
                let of = of.build(pool, inputs);
                pool.extract(of, *low, *width)
            }
            Recipe::ZExt(a, width) => {
                let a = a.build(pool, inputs);
                pool.zext(a, *width)
            }
            Recipe::SExt(a, width) => {
                let a = a.build(pool, inputs);
                pool.sext(a, *width)
            }
            Recipe::Ite(cond, then, other) => {
                let (cond, then, other) =
                    (cond.build(pool, inputs), then.build(pool, inputs), other.build(pool, inputs));
                pool.ite(cond, then, other)
            }
            Recipe::Select { base, stores, index } => {
                let mut array = match base {
                    Base::Input(input) => inputs[*input],
                    Base::Table(bytes) => pool.table(bytes),
                };
                for (index, value) in stores {
                    let (index, value) = (index.build(pool, inputs), value.build(pool, inputs));
                    array = pool.store(array, index, value);
                }
                let index = index.build(pool, inputs);
                pool.select(array, index)
            }
        }
    }

    /// The value by the meaning of the operators, where `bytes` are the inputs' contents.
    pub fn value(&self, bytes: &[Vec<u8>]) -> u128 {
        let width = self.width();
        match self {
            Recipe::Const { value, .. } => value & mask(width),
            Recipe::Byte { input, at } => u128::from(bytes[*input][*at as usize]),
            Recipe::Bin(op, a, b) => apply(*op, width, a.value(bytes), b.value(bytes)),
            Recipe::Cmp(op, a, b) => u128::from(compare(*op, a.width(), a.value(bytes), b.value(bytes))),
            Recipe::Not(a) => !a.value(bytes) & mask(width),
            Recipe::Concat(high, low) => high.value(bytes) << low.width() | low.value(bytes),
            Recipe::Extract { of, low, .. } => of.value(bytes) >> low & mask(width),
            Recipe::ZExt(a, _) => a.value(bytes),
            Recipe::SExt(a, _) => sign_extend(a.width(), a.value(bytes)) as u128 & mask(width),
            Recipe::Ite(cond, then, other) => {
                if cond.value(bytes) == 1 {
                    then.value(bytes)
                } else {
                    other.value(bytes)
                }
            }
            Recipe::Select { base, stores, index } => {
                let at = index.value(bytes);
                if let Some((_, value)) = stores.iter().rev().find(|(index, _)| index.value(bytes) == at) {
                    return value.value(bytes);
                }
                let contents = match base {
                    Base::Input(input) => &bytes[*input],
                    Base::Table(table) => table,
                };
                contents.get(usize::try_from(at).unwrap_or(usize::MAX)).map_or(0, |&byte| u128::from(byte))
            }
        }
    }

    /// Reads a term: `x y z` are bytes, `p q r` bits, `h` has 16, `i j` have 32 and `k l` 64 bits, and none of them
    /// lets a rule look inside; numbers are `5` for bytes and `5:32` for others; operators come first, as in
    /// `(+ x (zext 8 p))` or `(extract LOW WIDTH i)`.
    pub fn parse(text: &str) -> Recipe {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace();
        let recipe = parse_term(&mut words);
        assert_eq!(words.next(), None, "more than a term in {text}");
        recipe
    }
}

fn parse_term<'a>(words: &mut impl Iterator<Item = &'a str>) -> Recipe {
    let word = words.next().expect("a term");
    if word != "(" {
        return parse_atom(word);
    }
    let operator = words.next().expect("an operator");
    let number = |words: &mut _| -> u32 {
        let words: &mut dyn Iterator<Item = &'a str> = words;
        words.next().and_then(|word| word.parse().ok()).expect("a number")
    };
    let recipe = match operator {
        "extract" => {
            let (low, width) = (number(words), number(words));
            Recipe::Extract { of: boxed(parse_term(words)), low, width }
        }
        "zext" => {
            let width = number(words);
            Recipe::ZExt(boxed(parse_term(words)), width)
        }
        "sext" => {
            let width = number(words);
            Recipe::SExt(boxed(parse_term(words)), width)
        }
        "if" => {
            let (cond, then) = (parse_term(words), parse_term(words));
            Recipe::Ite(boxed(cond), boxed(then), boxed(parse_term(words)))
        }
        "~" => Recipe::Not(boxed(parse_term(words))),
        _ => {
            let (a, b) = (boxed(parse_term(words)), boxed(parse_term(words)));
            parse_pair(operator, a, b)
        }
    };
    assert_eq!(words.next(), Some(")"), "an operand too many");
    recipe
}

fn parse_pair(operator: &str, a: Box<Recipe>, b: Box<Recipe>) -> Recipe {
    let bin = match operator {
        "+" => BvOp::Add,
        "-" => BvOp::Sub,
        "*" => BvOp::Mul,
        "/u" => BvOp::UDiv,
        "/s" => BvOp::SDiv,
        "%u" => BvOp::URem,
        "%s" => BvOp::SRem,
        "<<" => BvOp::Shl,
        ">>u" => BvOp::LShr,
        ">>s" => BvOp::AShr,
        "&" => BvOp::And,
        "|" => BvOp::Or,
        "^" => BvOp::Xor,
        "=" => return Recipe::Cmp(CmpOp::Eq, a, b),
        "<u" => return Recipe::Cmp(CmpOp::Ult, a, b),
        "<=u" => return Recipe::Cmp(CmpOp::Ule, a, b),
        "<s" => return Recipe::Cmp(CmpOp::Slt, a, b),
        "<=s" => return Recipe::Cmp(CmpOp::Sle, a, b),
        "++" => return Recipe::Concat(a, b),
        _ => panic!("no operator {operator}"),
    };
    Recipe::Bin(bin, a, b)
}

/// A wide variable is a remainder by another: no rule takes that apart.
fn opaque(first: u32, bytes: u32) -> Recipe {
    let word = |first: u32| {
        (first + 1..first + bytes).fold(Recipe::Byte { input: 0, at: first }, |low, at| {
            Recipe::Concat(boxed(Recipe::Byte { input: 0, at }), boxed(low))
        })
    };
    Recipe::Bin(BvOp::URem, boxed(word(first)), boxed(word(first + bytes)))
}

fn parse_atom(word: &str) -> Recipe {
    let byte = |at| Recipe::Byte { input: 1, at };
    let bit = |at| Recipe::Extract { of: boxed(byte(at)), low: 3, width: 1 };
    match word {
        "x" => byte(0),
        "y" => byte(1),
        "z" => byte(2),
        "p" => bit(3),
        "q" => bit(4),
        "r" => bit(5),
        "h" => opaque(0, 2),
        "i" => opaque(4, 4),
        "j" => opaque(12, 4),
        "k" => opaque(20, 8),
        "false" => Recipe::Const { width: 1, value: 0 },
        "true" => Recipe::Const { width: 1, value: 1 },
        _ => {
            let (digits, width) = word.split_once(':').unwrap_or((word, "8"));
            let value = match digits.strip_prefix("0x") {
                Some(hex) => u128::from_str_radix(hex, 16).ok(),
                None => digits.parse::<i128>().ok().map(|value| value as u128),
            };
            let width: u32 = width.parse().expect("a width");
            Recipe::Const { width, value: value.unwrap_or_else(|| panic!("no atom {word}")) & mask(width) }
        }
    }
}

/// Contents for the inputs; extreme bytes are frequent among them.
pub(crate) fn random_bytes(random: &mut osier_base::Random) -> Vec<Vec<u8>> {
    let mut byte = || match random.below(4) {
        0 => [0, 1, 2, 3, 7, 0x7f, 0x80, 0xfe, 0xff][random.below(9)],
        1 => random.below(16) as u8,
        _ => random.bits() as u8,
    };
    INPUTS.iter().map(|&size| (0..size).map(|_| byte()).collect()).collect()
}

pub(crate) fn assignment(inputs: &[Array], bytes: &[Vec<u8>]) -> Assignment {
    let mut assignment = Assignment::new();
    for (&input, bytes) in inputs.iter().zip(bytes) {
        assignment.set(input, bytes.as_slice().into());
    }
    assignment
}

fn check_meaning(text: &str) {
    let (mut pool, inputs) = Recipe::pool();
    let recipe = Recipe::parse(text);
    let term = recipe.build(&mut pool, &inputs);
    assert_eq!(pool.width(term), recipe.width(), "the width of {text}");
    let mut random = osier_base::Random::new(1);
    for _ in 0..300 {
        let bytes = random_bytes(&mut random);
        let assignment = assignment(&inputs, &bytes);
        let expected = recipe.value(&bytes);
        assert_eq!(eval(&pool, term, &assignment), expected, "{text} as {}", pool.display(term));
        assert_eq!(Evaluator::new(&pool, &assignment).eval(term), expected, "{text} as {}", pool.display(term));
    }
}

/// Asserts that both texts give one term, and that it means what the first one says.
#[track_caller]
pub(crate) fn fires(before: &str, after: &str) {
    let (mut pool, inputs) = Recipe::pool();
    let [from, to] = [before, after].map(|text| Recipe::parse(text).build(&mut pool, &inputs));
    assert!(from == to, "{before} became {}, not {}", pool.display(from), pool.display(to));
    check_meaning(before);
    check_meaning(after);
}

/// Asserts that the outermost operator is still there, over the same operands.
#[track_caller]
pub(crate) fn keeps(text: &str) {
    let (mut pool, inputs) = Recipe::pool();
    let recipe = Recipe::parse(text);
    let term = recipe.build(&mut pool, &inputs);
    let mut built = |recipe: &Recipe| recipe.build(&mut pool, &inputs);
    let kept = match &recipe {
        Recipe::Bin(op, a, b) => {
            let (a, b) = (built(a), built(b));
            let node = pool.node(term);
            let swapped = op.is_commutative() && node == Node::Bin { op: *op, a: b, b: a };
            node == Node::Bin { op: *op, a, b } || swapped
        }
        Recipe::Cmp(op, a, b) => {
            let (a, b) = (built(a), built(b));
            let node = pool.node(term);
            node == Node::Cmp { op: *op, a, b } || *op == CmpOp::Eq && node == Node::Cmp { op: *op, a: b, b: a }
        }
        Recipe::Not(a) => Node::Not(built(a)) == pool.node(term),
        Recipe::Concat(high, low) => {
            let (high, low) = (built(high), built(low));
            pool.node(term) == Node::Concat { high, low }
        }
        Recipe::Extract { of, low, width } => {
            let (low, width) = (*low, *width);
            Node::Extract { term: built(of), low, width } == pool.node(term)
        }
        Recipe::ZExt(a, width) => Node::ZExt { term: built(a), width: *width } == pool.node(term),
        Recipe::SExt(a, width) => Node::SExt { term: built(a), width: *width } == pool.node(term),
        Recipe::Ite(cond, then, other) => {
            let (cond, then, other) = (built(cond), built(then), built(other));
            pool.node(term) == Node::Ite { cond, then, other }
        }
        Recipe::Const { .. } | Recipe::Byte { .. } | Recipe::Select { .. } => panic!("no operator in {text}"),
    };
    assert!(kept, "{text} became {}", pool.display(term));
    check_meaning(text);
}
