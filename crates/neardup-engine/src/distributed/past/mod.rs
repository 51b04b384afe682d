//! The past: what earlier runs kept, so that a run over new documents decides them as a run over all would, by the policy of the
//! first. It has the keys of the kept documents in parts, their texts by homes, and how many documents each of them leads. A
//! document that was dropped leads no other, so nothing else is needed.

mod book;
mod rows;
mod shelf;

use crate::distributed::signing_pass::signing_pass;
use crate::documents::order::Keep;
use crate::job::lexicons::to_count;
use crate::job::{Job, Verb};
use crate::{Error, Result};

pub use book::{Past, PastBatch};
pub use rows::{PastRows, read_rows, write_rows};
pub use shelf::{Shelf, ShelvedText, write_shelf};

/// Refuses a job whose past would not be enough to decide its documents as a run over all.
///
/// # Errors
/// [`Error::Usage`] says what is not possible.
pub fn check(job: &Job<'_>, by_id: bool) -> Result<()> {
    let refuse = |why: &str| Err(Error::Usage(format!("past: {why}")));
    let passes = job.scheme.passes();
    match () {
        () if job.verb != Verb::Dedup => refuse("only dedup decides documents against it"),
        () if job.folder().is_none() => refuse("name an output: the documents are added when that is finished"),
        () if job.keep() != Keep::First || !job.fields.prefer.is_empty() => refuse("documents come in the order of their runs: keep first"),
        () if job.against.is_some() => refuse("there is no reference beside it (against)"),
        () if by_id => refuse("a DataFrame has no order: give files"),
        () if passes.len() > 1 => refuse("a later pass sees only what earlier ones keep: give a scheme of one pass"),
        () if to_count(&passes[0])?.is_some() => refuse("the scheme counts the documents of a run: give a lexicon or a frame as a file"),
        () if signing_pass(job, 0, None)?.kinds.iter().any(|kind| kind.cap.is_some()) => {
            refuse("a cap counts all documents of a key, and the past has only those that are kept: give a scheme without cap=")
        }
        () => Ok(()),
    }
}
