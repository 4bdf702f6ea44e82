//! Inputs that a run starts from: a path that a seed takes costs no query.

/// An input that the run starts from: bytes for symbolic objects by name.
#[derive(Clone, Debug)]
pub struct Seed {
    pub name: String,
    pub objects: Vec<SeedObject>,
}

/// The bytes of one symbolic object. The n-th symbolic object of a name takes the n-th of that name.
#[derive(Clone, Debug)]
pub struct SeedObject {
    pub name: String,
    pub bytes: Vec<u8>,
}
