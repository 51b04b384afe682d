//! One task of an engine that spreads a run over many machines: the same kernels, over some of the documents.
//!
//! A task signs documents where they are stored and sends rows of digests and keys. Another links documents that share a key,
//! except where their sketches prove that they cannot match. A family of linked documents is then compared in one task by an
//! ordinary run, in policy order. Each such run receives two corpus-wide facts that it cannot compute itself: the keys above
//! the cap and the document-frequency lexicon.

mod counted_terms;
mod driver;
mod family;
mod home;
mod key_groups;
mod known;
mod message;
mod output;
mod plan;
mod records;
mod row_sums;
mod rows;
mod signed_rows;
mod source_split;
mod sources;
mod stages;
mod tally;

pub use crate::results::missing_fields::Lacking;
pub use counted_terms::{CountedTerms, count_rows, host_rows, write_lexicon};
pub use driver::{Division, Driver, StageStep, Step};
pub use key_groups::{CombinedKeys, KeyFindings, KeyGroups, KeyLimits, KeyLink, families};
pub use message::{Row, StageName};
pub use plan::Plan;
pub use row_sums::{digest, merge_sums, sum_rows};
pub use signed_rows::{compiled, sign_rows};
pub use source_split::{SourceSplit, are_lines, describe_reject, keep_source, read_split, unit};
pub use sources::Sources;
pub use stages::StageTask;
