//! The files of a run: each file that was named or found is either read, or counted as not read.

use neardup_corpus::Discovered;
use serde::Serialize;
use std::collections::BTreeMap;

/// Counts of the files, as in `run.json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Files {
    /// Files that were named, or found in a folder or by a pattern: the sum of those read and those not read.
    pub found: u64,
    /// Files that were read.
    pub read: u64,
    /// Files that were not read.
    pub not_read: u64,
    /// Number of unread files for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// Names of the first files that were not read.
    pub names: Vec<String>,
    /// Folders that neardup made, which were not searched.
    pub own_folders: u64,
    /// Names of the first of these folders.
    pub own_folder_names: Vec<String>,
}

impl Files {
    /// Returns the counts of the files of an input and of its reference.
    pub fn of(input: &Discovered, against: &Discovered) -> Files {
        let read = (input.sources.len() + against.sources.len()) as u64;
        let unread = input.unread.clone().and(&against.unread);
        let not_read = unread.count();
        Files {
            found: read + not_read,
            read,
            not_read,
            reasons: unread.reasons,
            names: unread.names,
            own_folders: unread.folder_count,
            own_folder_names: unread.folders,
        }
    }
}
