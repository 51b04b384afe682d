//! The tests of the crate from outside, as one program: every further one would link the crate once more.

mod bad_input;
mod common;
mod finding;
mod formats;
mod going_on;
mod jsonl;
mod keeping;
mod memory;
