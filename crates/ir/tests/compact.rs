//! Compaction changes numbers and nothing else: a run before and a run after see the same values.

mod common;

use osier_base::EntityVec;
use osier_ir::*;
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

const STEPS: usize = 300;

fn mix(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Runs a body without knowing what its operations mean: a result is a hash of the operation's place and of what it
/// read, a terminator takes the edge that the hash says, a move moves. Gives what each step read.
fn run(body: &Body, params: &[Param], seed: u64) -> Vec<(u32, Vec<u64>)> {
    let mut registers: EntityVec<Reg, u64> = body.registers.ids().map(|_| 0).collect();
    for (position, param) in params.iter().enumerate() {
        registers[param.reg] = mix((seed, position));
    }
    let value = |registers: &EntityVec<Reg, u64>, operand: Operand| match operand.unpack() {
        Unpacked::Reg(reg) => registers[reg],
        Unpacked::Const(constant) => mix(("constant", constant)),
    };
    let mut trace = Vec::new();
    let mut at = 0;
    while trace.len() < STEPS {
        let op = &body.ops[at as usize];
        let mut read = Vec::new();
        op.for_each_use(body, |operand| read.push(value(&registers, operand)));
        trace.push((at, read.clone()));
        let outcome = mix((seed, at, trace.len(), &read));
        let mut results = 0;
        op.for_each_def(body, |reg| {
            registers[reg] = if matches!(op, Op::Move { .. }) { read[0] } else { mix((outcome, results)) };
            results += 1;
        });
        if !op.is_terminator() {
            at += 1;
            continue;
        }
        let edges: Vec<EdgeId> = op.edges(body).collect();
        if edges.is_empty() {
            break;
        }
        let edge = edges[(outcome % edges.len() as u64) as usize];
        for step in body.edge_moves(edge) {
            registers[step.dst] = value(&registers, step.src);
        }
        at = body.blocks[body.edges[edge].target].start;
    }
    trace
}

/// The generator sets all registers first, which makes them all live; takes away what is not needed.
fn without_needless_moves(module: &mut Module, id: FuncId) {
    let mut index = 0;
    while let Op::Move { .. } = module.functions[id].body.as_ref().unwrap().ops[index] {
        let before = module.functions[id].body.clone();
        let body = module.functions[id].body.as_mut().unwrap();
        body.ops.remove(index);
        body.op_locations.remove(index);
        body.op_weights.remove(index);
        body.vanished.clear();
        for block in body.blocks.values_mut() {
            block.end -= 1;
            block.start = block.start.saturating_sub(1);
        }
        if verify(module).is_err() {
            module.functions[id].body = before;
            index += 1;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_run_sees_the_same_values_before_and_after(words in prop::collection::vec(any::<u64>(), 0..1500), seed: u64) {
        let mut module = common::module(words);
        for id in module.functions.ids() {
            if module.functions[id].body.is_none() {
                continue;
            }
            without_needless_moves(&mut module, id);
            let (mut params, mut body) = (module.functions[id].params.clone(), module.functions[id].body.clone().unwrap());
            let registers = body.registers.len();
            let before: Vec<_> = (0..4).map(|run_number| run(&body, &params, seed ^ run_number)).collect();
            compact_registers(&mut body, &mut params);
            let after: Vec<_> = (0..4).map(|run_number| run(&body, &params, seed ^ run_number)).collect();
            prop_assert_eq!(before, after);
            prop_assert!(body.registers.len() <= registers);
            module.functions[id].params = params;
            module.functions[id].body = Some(body);
        }
        prop_assert_eq!(verify(&module), Ok(()));
    }
}

fn parsed(text: &str) -> Module {
    let module = text::parse(text).unwrap();
    assert_eq!(verify(&module), Ok(()));
    module
}

fn compacted(text: &str) -> Module {
    let mut module = parsed(text);
    let Function { params, body, .. } = &mut module.functions[FuncId(0)];
    compact_registers(body.as_mut().unwrap(), params);
    assert_eq!(verify(&module), Ok(()));
    module
}

#[test]
fn a_long_chain_needs_one_register() {
    let mut text = String::from("function &f(r0:i32) -> i32 {\n  registers i32*3000\nblock0:\n");
    for index in 1..3000 {
        text += &format!("  r{index} = add.i32 r{}, r{}\n", index - 1, index - 1);
    }
    text += "  return r2999\n}\n";
    assert_eq!(compacted(&text).functions[FuncId(0)].body.as_ref().unwrap().registers.len(), 1);
}

#[test]
fn a_loop_counter_shares_with_its_next_value_and_its_move_goes() {
    let module = compacted(
        "function &f(r0:i32) -> i32 {
  registers i32*3, i1
block0:
  jump e0->block1[r1 = 0:i32]
block1 +1:
  r2 = add.i32 r1, 1:i32
  r3 = cmp.eq.i32 r2, r0
  branch r3, e1->block2, e2->block1[r1 = r2]
block2:
  return r2
}
",
    );
    let body = module.functions[FuncId(0)].body.as_ref().unwrap();
    assert_eq!(body.registers.as_slice(), [32, 32, 1]);
    assert_eq!(body.moves.len(), 1, "{module}");
}

#[test]
fn what_is_never_read_gets_a_place_of_its_own() {
    let module = compacted(
        "function &f(r0:i32, r1:i32) -> i32 {
  registers i32*4, i1
block0:
  r2, r4 = overflow.uadd.i32 r0, 1:i32
  r3 = move 7:i32
  return r0
}
",
    );
    let function = &module.functions[FuncId(0)];
    let body = function.body.as_ref().unwrap();
    assert_eq!(body.registers.as_slice(), [32, 32, 1], "{module}");
    assert!(!matches!(body.ops[1], Op::Move { dst, .. } if dst == function.params[0].reg), "{module}");
}

#[test]
fn moves_on_an_edge_do_not_clobber_what_later_moves_read() {
    let module = compacted(
        "function &f(r0:i32, r1:i32) -> i32, i32 {
  registers i32*5
block0:
  jump e0->block1[r2 = r0, r3 = r1]
block1 +2:
  branch.eq.i32 r2, r3, e1->block2, e2->block1[r4 = r2, r2 = r3, r3 = r4]
block2:
  return (r2, r3)
}
",
    );
    let body = module.functions[FuncId(0)].body.as_ref().unwrap();
    assert_eq!(body.edge_moves(EdgeId(0)), []);
    assert_eq!(body.edge_moves(EdgeId(2)).len(), 3, "{module}");
    assert_eq!(body.registers.len(), 3);
}
