//! Names the libraries that Bitwuzla's static archive leaves open. `bitwuzla-sys` links GMP and the C++ library itself.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Bitwuzla's build finds Debian's CaDiCaL by its name and does not pack it into its own archive.
    println!("cargo:rustc-link-lib=cadical");
    println!("cargo:rustc-link-lib=mpfr");
}
