//! The tests of the crate from outside, as one program: every further one would link the crate once more.

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
mod stand_ins;
mod term_classics;
