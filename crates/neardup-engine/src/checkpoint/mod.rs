//! What a run leaves so that the same command resumes it after a stop.
//!
//! Results are written to `OUTPUT.partial`, which is renamed when all is done. Each stage leaves its columns in the work file
//! and an entry in the ledger. The next stage always reads its input from there, so a resumed run takes the same path. An entry
//! lists what is finished and the length of the work file at that time; bytes after it are cut off. Inside a stage the list is
//! a journal: signed chunks, decided batches, blocks of pairs. A batch is either read from the journal or computed, and the
//! same code continues with it.
//!
//! The same command over unchanged files finds the entries, because the identity of a run is part of them. Work files are
//! removed one by one at the end. Before that the summary is among the results, and the entry of the last stage goes last: a
//! run that stops in between is known to have ended.

pub(crate) mod entry;
pub(crate) mod file_state;
pub(crate) mod identity;
pub(crate) mod journal;
pub(crate) mod ledger;
pub(crate) mod output;
pub(crate) mod stage;
pub(crate) mod work_folder;
