//! Says how much of some files lowers: `cargo run --example survey -- [-O2] [-Iinclude] FILE...`. Each file is loaded by
//! itself and whole; the constructs that do not lower are counted.

use osier_frontend::{Options, load};
use osier_ir::{GlobalInit, Op};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let options = Options { cc_flags: flags, entry: String::new(), ..Options::default() };
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    let (mut functions, mut operations, mut instructions, mut failed, mut seconds) = (0, 0, 0u64, 0, 0.0);
    for file in &files {
        let loaded = match load(&[PathBuf::from(file)], &options) {
            Ok(loaded) => loaded,
            Err(error) => {
                failed += 1;
                eprintln!("{error}");
                continue;
            }
        };
        seconds += loaded.lower_seconds;
        let module = loaded.module;
        for problem in osier_ir::verify(&module).err().unwrap_or_default() {
            eprintln!("{file}: {problem}");
        }
        for body in module.functions.values().filter_map(|f| f.body.as_ref()) {
            functions += 1;
            operations += body.ops.len();
            instructions += body.op_weights.iter().map(|&w| u64::from(w)).sum::<u64>();
            for op in &body.ops {
                if let Op::Unsupported { text } = op {
                    *missing.entry(module.texts[*text].clone()).or_default() += 1;
                }
            }
        }
        for global in module.globals.values() {
            if let GlobalInit::Unsupported(text) = global.init {
                *missing.entry(module.texts[text].clone()).or_default() += 1;
            }
        }
    }
    println!("{} files, {failed} not loaded, {functions} functions", files.len());
    println!("{operations} operations for {instructions} instructions, lowered in {seconds:.3} s");
    for (text, count) in missing {
        println!("{count:6} {text}");
    }
}
