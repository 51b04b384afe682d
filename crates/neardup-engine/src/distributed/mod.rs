//! What one task of an engine does that spreads a run over many machines: the same kernels, over some of the documents.
//!
//! A task signs documents where they are stored and sends rows of digests and keys. Another links documents that share a key,
//! except where their sketches prove that they cannot match. A family of linked documents is then compared in one task by an
//! ordinary run, in policy order. Each such run receives two corpus-wide facts that it cannot compute itself: the keys above
//! the cap and the document-frequency lexicon.

mod counting;
mod digesting;
mod known;
mod meeting;
mod reading;
mod rows;
mod signing;
mod sources;

pub use crate::results::lacking::Lacking;
pub use counting::{Counts, count_rows, host_rows, write_lexicon};
pub use digesting::{Digest, digest_rows};
pub use meeting::{Combined, Limits, Link, Meeting, Met, families};
pub use reading::{Split, are_lines, keep_source, read_split, told, unit};
pub use signing::{compiled, sign_rows};
pub use sources::Sources;
