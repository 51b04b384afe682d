//! What one task of an engine does that spreads a run over many machines: the same kernels, over some of the documents.

mod counting;
mod digesting;
mod known;
mod meeting;
mod reading;
mod rows;
mod signing;

pub use counting::{Counts, count_rows, host_rows, write_lexicon};
pub use digesting::{Digest, digest_rows};
pub use meeting::{Combined, Limits, Link, Meeting, Met, families};
pub use reading::{Split, are_lines, files_json, keep_source, read_split, sources, told, unit};
pub use signing::{compiled, sign_rows};
