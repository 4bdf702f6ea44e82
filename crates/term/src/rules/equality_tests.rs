//! Where the rules of `equality.rs` fire and where they must not.

use crate::testing::{fires, keeps};

#[test]
fn eq_zext_constant() {
    fires("(= (zext 32 x) 7:32)", "(= x 7)");
    fires("(= (zext 32 x) 256:32)", "false");
    fires("(~ (= (zext 32 p) 0:32))", "p");
    fires("(= (zext 32 p) 0:32)", "(~ p)");
    keeps("(= i 256:32)");
}

#[test]
fn eq_sext_constant() {
    fires("(= (sext 32 x) -7:32)", "(= x -7)");
    fires("(= (sext 32 x) 128:32)", "false");
    fires("(= (sext 32 x) 127:32)", "(= x 127)");
    keeps("(= (sext 32 x) i)");
}

#[test]
fn eq_concat_constant() {
    fires("(= (++ x y) 0x1234:16)", "(& (= x 0x12) (= y 0x34))");
    fires("(= (++ 1 y) 0x1234:16)", "false");
    keeps("(= (++ x y) h)");
}

#[test]
fn eq_sum_constant() {
    fires("(= (+ x 3) 1)", "(= x 254)");
    fires("(= (- 3 x) 4)", "(= x 255)");
    keeps("(= (+ x y) 3)");
    keeps("(= (- x y) 3)");
}

#[test]
fn eq_difference_zero() {
    fires("(= (- x y) 0)", "(= x y)");
    fires("(= (^ x y) 0)", "(= x y)");
    keeps("(= (- x y) 1)");
    keeps("(= (^ x y) 1)");
}

#[test]
fn eq_xor_constant() {
    fires("(= (^ x 5) 6)", "(= x 3)");
    keeps("(= (^ x y) 6)");
}

#[test]
fn eq_not_constant() {
    fires("(= (~ x) 5)", "(= x 250)");
    keeps("(= (~ x) y)");
}

#[test]
fn eq_or_constant() {
    fires("(= (| x y) 0)", "(& (= x 0) (= y 0))");
    fires("(= (| x 3) 5)", "false");
    keeps("(= (| x 3) 7)");
    keeps("(= (| x y) 1)");
}

#[test]
fn eq_and_constant() {
    fires("(= (& x 0xa0) 0x40)", "false");
    fires("(= (& x 0xe0) 0x40)", "(= (extract 5 3 x) 2:3)");
    fires("(= (& x 0x80) 0)", "(~ (extract 7 1 x))");
    fires("(~ (= (& i 16:32) 0:32))", "(extract 4 1 i)");
    keeps("(= (& x 0xa0) 0x20)");
}

#[test]
fn eq_product_constant() {
    fires("(= (* x 3) 9)", "(= x 3)");
    fires("(= (* x 3) 1)", "(= x 171)");
    fires("(= (* i 0x10001:32) 0x50005:32)", "(= i 5:32)");
    keeps("(= (* x 6) 12)");
}

#[test]
fn eq_shl_constant() {
    fires("(= (<< i 4:32) 0x130:32)", "(= (extract 0 28 i) 0x13:28)");
    fires("(= (<< i 4:32) 8:32)", "false");
    keeps("(= (<< i j) 8:32)");
}

#[test]
fn eq_choice_constant() {
    fires("(= (if p 3 x) 3)", "(| p (= x 3))");
    fires("(= (if p 3 x) 4)", "(& (~ p) (= x 4))");
    fires("(= (if p x 3) 3)", "(| (~ p) (= x 3))");
    fires("(= (if p x 3) 4)", "(& p (= x 4))");
    keeps("(= (if p x y) 4)");
}

#[test]
fn eq_out_of_range() {
    fires("(= (%u x 10) 10)", "false");
    fires("(= (* x 6) 3)", "false");
    keeps("(= (%u x 10) 9)");
    keeps("(= (* x 6) 0)");
}

#[test]
fn eq_complement() {
    fires("(= x (~ x))", "false");
    keeps("(= x (~ y))");
}

#[test]
fn eq_extended() {
    fires("(= (zext 32 x) (zext 32 y))", "(= x y)");
    fires("(= (zext 32 x) (zext 32 h))", "(= (zext 16 x) h)");
    fires("(= (sext 32 x) (sext 32 h))", "(= (sext 16 x) h)");
    keeps("(= (zext 32 x) (sext 32 y))");
}

#[test]
fn eq_common_summand() {
    fires("(= (+ x y) (+ x z))", "(= y z)");
    fires("(= (+ x y) (+ y z))", "(= x z)");
    fires("(= (^ x y) (^ y z))", "(= x z)");
    fires("(= (- x y) (- x z))", "(= y z)");
    fires("(= (- x y) (- z y))", "(= x z)");
    keeps("(= (- x y) (- y z))");
    keeps("(= (* x y) (* x z))");
}

#[test]
fn eq_common_part() {
    fires("(= (+ x y) x)", "(= y 0)");
    fires("(= y (^ x y))", "(= x 0)");
    fires("(= (- x y) x)", "(= y 0)");
    fires("(= (+ x 1) x)", "false");
    keeps("(= (- x y) y)");
    keeps("(= (& x y) y)");
}

#[test]
fn eq_sums_with_constants() {
    fires("(= (+ x 3) (+ y 3))", "(= x y)");
    fires("(= (+ x 5) (+ y 3))", "(= (+ x 2) y)");
    keeps("(= (+ x 5) y)");
}

#[test]
fn eq_concat_common() {
    fires("(= (++ x y) (++ x z))", "(= y z)");
    fires("(= (++ x z) (++ y z))", "(= x y)");
    keeps("(= (++ x h) (++ h z))");
}

#[test]
fn eq_concat_aligned() {
    fires("(= (++ x y) (++ y z))", "(& (= x y) (= y z))");
    fires("(= (++ h x) (++ (~ h) y))", "(& (= h (~ h)) (= x y))");
    keeps("(= (++ x h) (++ h y))");
    keeps("(= (++ x i) (++ y j))");
}

#[test]
fn eq_zext_concat() {
    fires("(= (zext 16 x) (++ y z))", "(& (= y 0) (= x z))");
    fires("(= (++ h x) (zext 24 y))", "(& (= h 0:16) (= x y))");
    keeps("(= (++ h x) (zext 24 (~ h)))");
    keeps("(= (++ h i) (zext 48 x))");
}

#[test]
fn eq_nots() {
    fires("(= (~ x) (~ y))", "(= x y)");
    keeps("(= (~ x) y)");
}
