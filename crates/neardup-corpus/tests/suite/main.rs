//! The integration tests of the crate, as one program: each further program would link the crate once more.

mod any_bytes;
mod bad_input;
mod common;
mod compressed;
mod containers;
mod encodings;
mod fields;
mod finding;
mod formats;
mod json_shapes;
mod jsonl;
mod keeping;
mod memory;
mod misnamed;
mod pages;
mod resuming;
mod tables;
