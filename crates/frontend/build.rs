//! Compiles the C++ shims against the LLVM that `llvm-sys` links.

fn main() {
    println!("cargo::rerun-if-changed=src/shim.cpp");
    println!("cargo::rerun-if-changed=src/open.cpp");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").expect("LLVM_SYS_221_PREFIX names LLVM 22's directory");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-isystem")
        .flag(format!("{prefix}/include"))
        .files(["src/shim.cpp", "src/open.cpp"])
        .compile("osier_frontend_shim");
}
