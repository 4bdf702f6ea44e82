//! What the tests share: C snippets written to a folder of their own, and loaded.
#![allow(dead_code, reason = "every test binary has its own copy and uses a part of it")]

use osier_frontend::{LoadError, Loaded, Options, load};
use osier_ir::{Body, Function, Module, Op};
use std::path::{Path, PathBuf};

/// A folder that goes away with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("osier-frontend-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn options(level: &str) -> Options {
    Options { cc_flags: vec![level.to_owned(), "-w".to_owned()], entry: String::new(), ..Options::default() }
}

/// Compiles one snippet and lowers all of it. What comes out is always verified.
pub fn lower(name: &str, source: &str, level: &str) -> Module {
    let folder = Folder::new(&format!("{name}{level}"));
    let file = folder.write("snippet.c", source);
    let loaded = load(&[file], &options(level)).unwrap_or_else(|error| panic!("{error}"));
    osier_ir::verify(&loaded.module).unwrap_or_else(|found| panic!("{level}: {found:?}\n{}", loaded.module));
    loaded.module
}

pub fn load_text(name: &str, text: &str) -> Result<Loaded, LoadError> {
    let folder = Folder::new(name);
    let file = folder.write("snippet.ll", text);
    let loaded = load(&[file], &Options { entry: String::new(), ..Options::default() })?;
    osier_ir::verify(&loaded.module).unwrap_or_else(|found| panic!("{found:?}\n{}", loaded.module));
    Ok(loaded)
}

pub fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    &module.functions[module.function_named(name).unwrap_or_else(|| panic!("no function {name}"))]
}

pub fn body<'m>(module: &'m Module, name: &str) -> &'m Body {
    function(module, name).body.as_ref().unwrap_or_else(|| panic!("{name} has no body"))
}

/// The words of everything in the module that did not lower.
pub fn unsupported(module: &Module) -> Vec<String> {
    let bodies = module.functions.values().filter_map(|f| f.body.as_ref());
    bodies
        .flat_map(|body| &body.ops)
        .filter_map(|op| match op {
            Op::Unsupported { text } => Some(module.texts[*text].clone()),
            _ => None,
        })
        .collect()
}
