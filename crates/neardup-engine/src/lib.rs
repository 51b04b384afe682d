//! The local engine: sign, arrange, lead, score and connect a corpus on one machine.
//!
//! [`run`] does a [`Job`] from its inputs to its results, watched through a [`Watch`].

mod again;
mod bench;
mod budget;
mod build_lexicon;
mod capped_key;
mod catalogue;
mod clusters;
mod count;
mod digest;
mod error;
mod evidence;
mod explain;
mod found;
mod groups;
mod ids;
mod job;
mod leader_groups;
mod ledger;
mod lexicons;
mod machine;
mod near_misses;
mod order;
mod output;
mod pairs;
mod pass_count;
mod passages;
mod passes;
mod pipeline;
mod recluster;
mod repeated;
mod results;
mod run;
mod sign;
mod signed;
mod sketches;
mod span;
mod summary;
mod tables;
mod turn;
mod verdicts;
mod watch;
mod writing;

pub use budget::threads;
pub use build_lexicon::build_lexicon;
pub use error::{Error, Fault, Result};
pub use explain::{Explanation, count, explain, measure};
pub use job::{Arrivals, Foreign, Input, Job, ReadArchive, Stream, Verb};
pub use lexicons::compiled;
pub use machine::memory;
pub use order::Keep;
pub use output::read_table;
pub use recluster::{Policy, recluster};
pub use run::{Outcome, run};
pub use watch::{Progress, Watch};
