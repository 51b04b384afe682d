//! The integration tests of the crate, as one program: each further program would link the crate once more.

mod golden;
mod hashes;
mod json;
mod oracle;
mod search;
mod text;
mod tokens;
