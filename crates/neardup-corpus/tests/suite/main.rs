//! The integration tests of the crate, as one program: each further program would link the crate once more.

mod bad_input;
mod common;
mod finding;
mod formats;
mod jsonl;
mod keeping;
mod memory;
mod pages;
mod resuming;
