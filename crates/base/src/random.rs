//! The one source of random numbers: seeded by the user's `--seed`, so that a command gives the same run again.

/// A seeded generator. Rooms that need randomness get one handed in.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound)
    }

    pub fn coin(&mut self) -> bool {
        self.0.bool()
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.f64()
    }

    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }
}
