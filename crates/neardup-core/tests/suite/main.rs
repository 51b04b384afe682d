//! The integration tests of the crate, as one program: each further program would link the crate once more.

mod blocks;
mod broder;
mod caps;
mod certificate;
mod common_keys;
mod equal_buckets;
mod flow;
mod henzinger;
mod passages;
mod scheme_choices;
mod scheme_lines;
mod slices;
mod span;
mod support;
mod term_classics;
