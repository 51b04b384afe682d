//! What a run leaves so that the same command resumes it after a stop.

pub(crate) mod entry;
pub(crate) mod file_state;
pub(crate) mod identity;
pub(crate) mod journal;
pub(crate) mod ledger;
pub(crate) mod output;
pub(crate) mod stage;
pub(crate) mod work_folder;
