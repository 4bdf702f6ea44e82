//! The verifier says what is wrong: each of these modules has one fault.

use osier_ir::*;

const SOUND: &str = "global @g size 8 align 8 data \"........\" {0: &f+4}
function &f(r0:i32, r1:i64) -> i32 {
  registers i32, i64, i32, i1, i64
block0:
  r2, r3 = overflow.sadd.i32 r0, 5:i32
  r4 = call0 &f(r2) *2
  switch.i32 r0, table0 {1:i32 => e0->block1, default => e1->block2[r2 = r0]}
block1:
  r3 = load.i1 [r1 + 8]
  branch r3, e2->block2, e3->block1
block2 +1:
  return r2
}
";

fn faults(module: &Module) -> Vec<String> {
    verify(module).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn sound() -> Module {
    let module = text::parse(&SOUND.replace("r4 = call0", "r4 as i64 = call0")).unwrap();
    assert_eq!(faults(&module), [""; 0]);
    module
}

#[track_caller]
fn expect_fault(of: &Module, words: &str) {
    let found = faults(of);
    assert!(found.iter().any(|fault| fault.contains(words)), "{words:?} is not in {found:#?}");
}

/// Replaces a part of the sound text; the result must parse.
#[track_caller]
fn expect_in_text(from: &str, to: &str, words: &str) {
    assert!(SOUND.contains(from), "{from}");
    expect_fault(&text::parse(&SOUND.replacen(from, to, 1)).unwrap(), words);
}

#[track_caller]
fn expect_in_body(change: impl FnOnce(&mut Body), words: &str) {
    let mut module = sound();
    change(module.functions[FuncId(0)].body.as_mut().unwrap());
    expect_fault(&module, words);
}

#[track_caller]
fn expect_in_module(change: impl FnOnce(&mut Module), words: &str) {
    let mut module = sound();
    change(&mut module);
    expect_fault(&module, words);
}

#[test]
fn widths_must_agree() {
    expect_in_text("5:i32", "5:i16", "operation 0: c0 has 16 bits, not 32");
    expect_in_text("r2, r3 = over", "r2, r4 = over", "r4 has 64 bits, not 1");
    expect_in_text("[r1 + 8]", "[r0 + 8]", "r0 has 32 bits, not 64");
    expect_in_text("[r2 = r0]", "[r2 = r1]", "a move of 64 bits to r2 of 32");
    expect_in_text("return r2", "return r1", "does not return what the function says");
    expect_in_text("return r2", "return (r2, r2)", "does not return what the function says");
    expect_in_text("&f(r2)", "&f(r2 as i8)", "r2 has 32 bits, not 8");
    expect_in_text("switch.i32 r0, table0 {1:i32", "switch.i32 r0, table0 {1:i8", "has a case for");
    expect_in_text("r3 = load.i1 [r1 + 8]", "r3 = trunc.i1.i1 r3", "truncates to no less");
    expect_in_text("r3 = load.i1 [r1 + 8]", "r3 = fconvert.half.half r3", "r3 has 1 bits, not 16");
    expect_in_text("r4 = call0 &f(r2)", "r4, r4 = call0 &f(r2)", "writes a register twice");
}

#[test]
fn registers_are_written_before_they_are_read() {
    expect_in_text("r2, r3 = overflow.sadd.i32 r0", "r2, r3 = overflow.sadd.i32 r2", "operation 0: r2 may be read");
    // Only the way by the default writes r2.
    expect_in_text("r2, r3 = overflow.sadd.i32 r0, 5:i32", "r3 = load.i1 [r1]", "r2 may be read before it is written");
    let moved = SOUND.replace("r4 = call0 &f(r2) *2", "r3 = load.i1 [r1]").replace("[r2 = r0]", "[r1 = r4]");
    expect_fault(&text::parse(&moved).unwrap(), "(f): r4 may be read");
}

#[test]
fn ids_must_name_something() {
    expect_in_text("return r2", "return r9", "operation 5: no such r9");
    expect_in_text("[r2 = r0]", "[r2 = r9]", "no such r9 in a side table");
    expect_in_text("e3->block1", "e3->block7", "e3 leads to block7");
    expect_in_text("e3->block1", "e3->block0", "e3 leads to block0");
    expect_in_text("r1:i64)", "r0:i64)", "two parameters in r0");
    expect_in_text("r1:i64)", "r1:i32)", "parameter r1 of 32 bits");
    expect_in_body(|body| body.calls[CallId(0)].callee = Callee::Direct(FuncId(7)), "no such f7");
    expect_in_body(|body| body.op_locations[1] = LocId(3), "operation 1: no such loc3");
    expect_in_body(|body| body.ops[5] = Op::ReturnOne { value: Operand::constant(ConstId(99)) }, "no such c99");
    expect_in_body(|body| body.ops[5] = Op::Unsupported { text: TextId(0) }, "no such text0");
    expect_in_body(|body| body.ops[5] = Op::ReturnMany { start: 0, len: 1 }, "past the end of their table");
    expect_in_body(|body| body.ops[5] = Op::Jump { edge: EdgeId(9) }, "no such e9");
}

#[test]
fn tables_fit_together() {
    expect_in_body(|body| body.op_weights.truncate(5), "6 operations have 6 locations and 5 weights");
    expect_in_body(|body| body.blocks[BlockId(1)].start = 2, "block1 is 2..5 and should begin at 3");
    expect_in_body(|body| body.blocks[BlockId(2)].weight = 0, "block2 weighs 0, its operations 1");
    expect_in_body(|body| body.ops[0] = Op::Unreachable, "has a terminator inside");
    expect_in_body(|body| body.ops[5] = Op::Move { dst: Reg(0), src: Operand::reg(Reg(0)) }, "does not end in a");
    expect_in_body(|body| body.ops[1] = body.ops[0], "call0 belongs to 0 operations");
    expect_in_body(|body| body.calls[CallId(0)].arg_kinds.clear(), "1 arguments, 0 kinds and 1 widths");
    expect_in_body(|body| body.calls[CallId(0)].result_widths.clear(), "1 results and 0 widths");
    expect_in_body(|body| body.tables[TableId(0)].default = Some(EdgeId(2)), "e1 is taken by no terminator");
    expect_in_body(|body| body.tables[TableId(0)].default = Some(EdgeId(2)), "from another block");
    expect_in_body(|body| body.edges[EdgeId(0)].moves.len = 1, "the edges do not share out the moves");
    expect_in_body(|body| body.operands.push(Operand::reg(Reg(0))), "the returns do not share out the operands");
    expect_in_text("default =>", "2:i32 =>", "has no default");
    expect_in_body(
        |body| {
            let case = body.tables[TableId(0)].cases[0];
            body.tables[TableId(0)].cases.push(case);
        },
        "has two cases for one value",
    );
}

#[test]
fn the_module_itself_is_sound() {
    expect_in_module(|module| _ = module.constants.push(Constant::Int { width: 32, value: 5 }), "must be interned");
    expect_in_module(|module| _ = module.constants.push(Constant::Int { width: 8, value: 256 }), "which cannot be");
    expect_in_module(|module| module.files.clear(), "the first file must be nameless");
    expect_in_module(|module| module.locations[LocId(0)].line = 1, "loc0 must be the unknown place");
    expect_in_module(|module| module.constructors.push(FuncId(1)), "no f1 to construct");
    expect_in_module(|module| module.globals[GlobalId(0)].size = 9, "8 bytes of data for 9");
    expect_in_text("{0: &f+4}", "{1: &f+4}", "cannot apply");
    expect_in_text("{0: &f+4}", "{0: &f/block3}", "cannot apply");
}
