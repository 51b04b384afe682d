//! What a run saves so that the same command resumes it after a stop.
//!
//! Results are written to `OUTPUT.partial`, which is renamed when all is done. Each stage writes its columns to the work file
//! and an entry to the ledger. The next stage always reads its input from there, so a resumed run takes the same path. An entry
//! lists what is finished and the length of the work file at that time; bytes after it are cut off. Inside a stage the list is
//! a journal: signed chunks, decided batches, blocks of pairs. A batch is either read from the journal or computed, and the
//! same code continues with it.
//!
//! The same command over unchanged files finds the entries, because they contain the identity of the run. At the end, work
//! files are removed one by one, the entry of the last stage last. The summary is among the results before the first is
//! removed, so a run that stops in between is recognised as finished.

pub(crate) mod entry;
pub(crate) mod file_state;
pub(crate) mod identity;
pub(crate) mod journal;
pub(crate) mod ledger;
pub(crate) mod output;
pub(crate) mod stage;
pub(crate) mod work_folder;
