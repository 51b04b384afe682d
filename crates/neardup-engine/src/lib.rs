//! The local engine: sign, arrange, lead, score and connect a corpus on one machine.
//!
//! [`run`] does a [`Job`] from its inputs to its results, observed through a [`Watch`].

mod checkpoint;
mod digests;
pub mod distributed;
mod documents;
mod error;
mod explain;
mod findings;
mod finished;
mod job;
mod pipeline;
mod progress;
mod recluster;
mod repeated_passages;
mod resources;
mod results;
mod run;
mod signing;
mod tables;

pub use digests::row_sum::DIGEST_VERSION;
pub use documents::files::Files;
pub use documents::order::Keep;
pub use documents::records::RecordCounts;
pub use error::{Error, Fault, Result};
pub use explain::explanation::{Explanation, count, explain, measure};
pub use explain::overlaps::overlaps;
pub use finished::{Finished, PairChoice, evidence};
pub use job::lexicons::compiled;
pub use job::options::JobOptions;
pub use job::outcome::Outcome;
pub use job::passage_cuts::PassageUnit;
pub use job::{BatchStream, ExternalError, FetchFile, Input, Job, Verb};
pub use progress::{Progress, Watch};
pub use recluster::{AtThreshold, ReclusterPolicy, at_thresholds, recluster};
pub use resources::budget::threads;
pub use resources::machine::memory;
pub use results::missing_fields::{refuse_missing, refuse_texts_of_archives, refuse_unknown};
pub use results::summary::Counts;
pub use results::tables::IndexTable;
pub use run::run;
pub use signing::build_lexicon::build_lexicon;
pub use tables::parquet_file::write_table;
pub use tables::read::read_table;
pub use tables::schema::ColumnDescription;

/// Describes the columns of all tables of results.
pub fn described() -> Vec<ColumnDescription> {
    [results::tables::described(), repeated_passages::tables::described()].concat()
}
