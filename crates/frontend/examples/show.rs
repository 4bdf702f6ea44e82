//! Prints the compact IR of a program: `cargo run --example show -- [-O2] FILE...`.

use osier_frontend::{Options, load};
use std::path::PathBuf;

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let options = Options { cc_flags: flags, entry: String::new(), ..Options::default() };
    let paths: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    match load(&paths, &options) {
        Ok(loaded) => println!("{}", loaded.module),
        Err(error) => eprintln!("error: {error}"),
    }
}
