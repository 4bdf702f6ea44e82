//! Where the rules of `order.rs` fire and where they must not.

use crate::testing::{fires, keeps};

#[test]
fn same_operands() {
    fires("(= x x)", "true");
    fires("(<u x x)", "false");
    fires("(<=u x x)", "true");
    fires("(<s x x)", "false");
    fires("(<=s x x)", "true");
    keeps("(<=s x y)");
}

#[test]
fn ult_extreme() {
    fires("(<u x 0)", "false");
    fires("(<u x 1)", "(= x 0)");
    fires("(<u x 255)", "(~ (= x 255))");
    fires("(<u 255 x)", "false");
    fires("(<u 254 x)", "(= x 255)");
    fires("(<u 0 x)", "(~ (= x 0))");
    keeps("(<u x 2)");
    keeps("(<u 1 x)");
}

#[test]
fn ult_out_of_range() {
    fires("(<u (zext 32 x) 256:32)", "true");
    fires("(<u (zext 32 x) 255:32)", "(~ (= x 255))");
    fires("(<u (%u i 10:32) 10:32)", "true");
    fires("(<u 9:32 (%u i 10:32))", "false");
    keeps("(<u (%u i 10:32) 8:32)");
    keeps("(<u 8:32 (%u i 10:32))");
}

#[test]
fn extended() {
    fires("(<u (zext 32 x) (zext 32 y))", "(<u x y)");
    fires("(<=u (zext 32 x) (zext 32 h))", "(<=u (zext 16 x) h)");
    fires("(<s (zext 32 x) (zext 32 y))", "(<u x y)");
    fires("(<=s (zext 32 x) (zext 32 y))", "(<=u x y)");
    fires("(<s (sext 32 x) (sext 32 y))", "(<s x y)");
    fires("(<u (sext 32 x) (sext 32 y))", "(<u x y)");
    fires("(<=u (sext 32 x) (sext 32 h))", "(<=u (sext 16 x) h)");
    keeps("(<s (zext 32 x) (sext 32 y))");
    keeps("(<u (zext 32 x) (sext 32 y))");
}

#[test]
fn ult_zext_constant() {
    fires("(<u (zext 32 x) 7:32)", "(<u x 7)");
    fires("(<u 7:32 (zext 32 x))", "(<u 7 x)");
    fires("(<u 255:32 (zext 32 x))", "false");
    keeps("(<u (zext 32 x) i)");
}

#[test]
fn ult_sext_constant() {
    fires("(<u (sext 32 x) 7:32)", "(<u x 7)");
    fires("(<u (sext 32 x) -7:32)", "(<u x -7)");
    fires("(<u (sext 32 x) 1000:32)", "(~ (extract 7 1 x))");
    fires("(<u (sext 32 x) 128:32)", "(~ (extract 7 1 x))");
    fires("(<u 1000:32 (sext 32 x))", "(extract 7 1 x)");
    fires("(<u 100:32 (sext 32 x))", "(<u 100 x)");
    keeps("(<u (sext 32 x) i)");
}

#[test]
fn ult_concat_constant() {
    fires("(<u (++ x y) 0x1200:16)", "(<u x 0x12)");
    fires("(<u 0x12ff:16 (++ x y))", "(<u 0x12 x)");
    keeps("(<u (++ x y) 0x1201:16)");
    keeps("(<u 0x1200:16 (++ x y))");
}

#[test]
fn ule_constant() {
    fires("(<=u x 7)", "(<u x 8)");
    fires("(<=u x 255)", "true");
    fires("(<=u 7 x)", "(<u 6 x)");
    fires("(<=u 0 x)", "true");
    keeps("(<=u x y)");
}

#[test]
fn slt_zero() {
    fires("(<s x 0)", "(extract 7 1 x)");
    fires("(<s -1 x)", "(~ (extract 7 1 x))");
    fires("(<=s 0 x)", "(~ (extract 7 1 x))");
    keeps("(<s x 2)");
    keeps("(<s 0 x)");
}

#[test]
fn slt_extreme() {
    fires("(<s x -128)", "false");
    fires("(<s x -127)", "(= x -128)");
    fires("(<s x 127)", "(~ (= x 127))");
    fires("(<s 127 x)", "false");
    fires("(<s 126 x)", "(= x 127)");
    fires("(<s -128 x)", "(~ (= x -128))");
    keeps("(<s x 126)");
}

#[test]
fn slt_of_nonnegative() {
    fires("(<s (%u i 10:32) (zext 32 x))", "(<u (%u i 10:32) (zext 32 x))");
    fires("(<s (zext 32 x) 7:32)", "(<u x 7)");
    keeps("(<s (zext 32 x) i)");
}

#[test]
fn sle_of_nonnegative() {
    fires("(<=s (%u i 10:32) (zext 32 x))", "(<=u (%u i 10:32) (zext 32 x))");
    keeps("(<=s (zext 32 x) i)");
}

#[test]
fn slt_mixed_signs() {
    fires("(<s (zext 32 x) -5:32)", "false");
    fires("(<s -5:32 (zext 32 x))", "true");
    keeps("(<s i -5:32)");
    keeps("(<s -5:32 i)");
}

#[test]
fn slt_sext_constant() {
    fires("(<s (sext 32 x) 7:32)", "(<s x 7)");
    fires("(<s -7:32 (sext 32 x))", "(<s -7 x)");
    fires("(<s (sext 32 x) 128:32)", "true");
    fires("(<s (sext 32 x) -200:32)", "false");
    fires("(<s 128:32 (sext 32 x))", "false");
    fires("(<s -200:32 (sext 32 x))", "true");
    keeps("(<s (sext 32 x) i)");
}

#[test]
fn common_high() {
    fires("(<u (++ x y) (++ x z))", "(<u y z)");
    fires("(<=u (++ x y) (++ x z))", "(<=u y z)");
    fires("(<s (++ x y) (++ x z))", "(<u y z)");
    fires("(<=s (++ x y) (++ x z))", "(<=u y z)");
    keeps("(<u (++ x y) (++ z y))");
    keeps("(<s (++ x y) (++ y x))");
}

#[test]
fn sle_constant() {
    fires("(<=s x 7)", "(<s x 8)");
    fires("(<=s x 127)", "true");
    fires("(<=s 7 x)", "(<s 6 x)");
    fires("(<=s -128 x)", "true");
    keeps("(<=s x y)");
}
