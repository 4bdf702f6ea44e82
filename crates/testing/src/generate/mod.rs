//! A seeded generator of C programs.
