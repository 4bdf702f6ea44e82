//! Where the rules of `bitwise.rs` fire and where they must not.

use crate::testing::{fires, keeps};

#[test]
fn and_or_same() {
    fires("(& x x)", "x");
    fires("(| x x)", "x");
    keeps("(& x y)");
}

#[test]
fn and_unit() {
    fires("(& x 0)", "0");
    fires("(& x 255)", "x");
    keeps("(& x 254)");
}

#[test]
fn or_unit() {
    fires("(| x 0)", "x");
    fires("(| x 255)", "255");
    keeps("(| x 254)");
}

#[test]
fn and_complement() {
    fires("(& x (~ x))", "0");
    fires("(& (<u x y) (<=u y x))", "false");
    fires("(& (<u x 7) (<u 6 x))", "false");
    fires("(& (<s x 7) (<s 6 x))", "false");
    keeps("(& x (~ y))");
    keeps("(& (<u x y) (<=u x y))");
}

#[test]
fn or_complement() {
    fires("(| x (~ x))", "255");
    fires("(| (<u x 7) (<u 6 x))", "true");
    keeps("(| (<u x 6) (<u 6 x))");
}

#[test]
fn and_constants() {
    fires("(& (& x 0xe0) 0xb0)", "(& x 0xa0)");
    keeps("(& (& x y) 0xa0)");
}

#[test]
fn or_constants() {
    fires("(| (| x 3) 5)", "(| x 7)");
    keeps("(| (| x y) 5)");
}

#[test]
fn xor_constants() {
    fires("(^ (^ x 3) 5)", "(^ x 6)");
    fires("(^ (~ x) 5)", "(^ x 250)");
    keeps("(^ x 5)");
}

#[test]
fn and_of_or_with_constant() {
    fires("(& (| x 3) 0xf0)", "(& x 0xf0)");
    fires("(& (| x 0xc0) 0x80)", "0x80");
    keeps("(& (| x 0xc0) 0xa0)");
}

#[test]
fn and_absorbs() {
    fires("(& x (& x y))", "(& x y)");
    fires("(& (& y x) x)", "(& x y)");
    fires("(& x (& (~ x) y))", "0");
    fires("(& x (| x y))", "x");
    fires("(& x (| (~ x) y))", "(& x y)");
    keeps("(& x (| y z))");
    keeps("(& x (& y z))");
}

#[test]
fn or_absorbs() {
    fires("(| x (| x y))", "(| x y)");
    fires("(| x (| (~ x) y))", "255");
    fires("(| x (& x y))", "x");
    fires("(| x (& (~ x) y))", "(| x y)");
    keeps("(| x (& y z))");
}

#[test]
fn extended_operands() {
    fires("(& (zext 32 x) (zext 32 y))", "(zext 32 (& x y))");
    fires("(^ (zext 32 x) (zext 32 h))", "(zext 32 (^ (zext 16 x) h))");
    fires("(| (sext 32 x) (sext 32 y))", "(sext 32 (| x y))");
    fires("(& (zext 32 x) 0x1f0:32)", "(zext 32 (& x 0xf0))");
    fires("(| (zext 32 x) 0x10f:32)", "(++ 1:24 (| x 15))");
    fires("(^ (zext 32 x) 15:32)", "(zext 32 (^ x 15))");
    fires("(& (sext 32 x) -16:32)", "(sext 32 (& x -16))");
    keeps("(| (sext 32 x) 0x80:32)");
    keeps("(| (sext 32 x) (sext 32 h))");
    keeps("(| (zext 32 x) (sext 32 y))");
}

#[test]
fn and_concat() {
    fires("(& (++ x y) 0xff00:16)", "(++ x 0)");
    fires("(& (++ x y) 0xfff0:16)", "(++ x (& y 0xf0))");
    keeps("(& (++ x y) 0xf0f0:16)");
}

#[test]
fn or_concat() {
    fires("(| (++ x y) 0x000f:16)", "(++ x (| y 15))");
    fires("(| (++ x y) 0xffff:16)", "0xffff:16");
    keeps("(| (++ x y) 0xf0f0:16)");
}

#[test]
fn concat_with_zext() {
    fires("(| (++ x (++ y z)) (zext 24 (++ z x)))", "(++ x (| (++ y z) (++ z x)))");
    fires("(^ (zext 16 z) (++ x y))", "(++ x (^ y z))");
    keeps("(| (++ x y) (zext 16 (extract 0 9 i)))");
    keeps("(^ (++ x y) (sext 16 z))");
}

#[test]
fn and_narrow() {
    fires("(& i 0xff:32)", "(zext 32 (extract 0 8 i))");
    fires("(& i 0xf0:32)", "(zext 32 (& (extract 0 8 i) 0xf0))");
    keeps("(& i 0x80000000:32)");
}

#[test]
fn join_disjoint() {
    fires("(| (<< (zext 32 x) 8:32) (zext 32 y))", "(zext 32 (++ x y))");
    fires("(| (<< i 8:32) (zext 32 y))", "(++ (extract 0 24 i) y)");
    fires("(| (& i -256:32) (zext 32 y))", "(++ (extract 8 24 i) y)");
    fires("(^ (zext 32 y) (<< i 12:32))", "(++ (extract 0 20 i) (zext 12 y))");
    keeps("(| (<< i 4:32) (zext 32 y))");
    keeps("(| (<< i 8:32) (sext 32 y))");
}

#[test]
fn xor_same() {
    fires("(^ x x)", "0");
    keeps("(^ x y)");
}

#[test]
fn xor_unit() {
    fires("(^ x 0)", "x");
    fires("(^ x 255)", "(~ x)");
    keeps("(^ x 254)");
}

#[test]
fn xor_complement() {
    fires("(^ x (~ x))", "255");
    keeps("(^ x z)");
}

#[test]
fn xor_cancels() {
    fires("(^ (^ x y) x)", "y");
    fires("(^ y (^ x y))", "x");
    keeps("(^ (^ x y) z)");
}

#[test]
fn xor_not() {
    fires("(^ (~ x) y)", "(~ (^ x y))");
    fires("(^ (~ x) (~ y))", "(^ x y)");
    keeps("(^ (- 0 x) y)");
}
