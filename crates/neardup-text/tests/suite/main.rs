//! The tests of the crate from outside, as one program: every further one would link the crate once more.

mod hashes;
mod json;
mod oracle;
mod search;
mod text;
mod tokens;
