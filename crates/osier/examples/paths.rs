//! Prints how each path of a program ends and with which inputs: `cargo run --release --example paths -- prog.c`.

use osier::{Exploration, LoadOptions, Options, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let program = load(&files, &LoadOptions::default())?;
    let mut exploration = Exploration::new(program, Options::default())?;
    while let Some(path) = exploration.next_path()? {
        println!("{:?}", path.ending);
        for input in &path.inputs {
            println!("  {} = {:02x?}", input.name, input.bytes);
        }
    }
    Ok(())
}
