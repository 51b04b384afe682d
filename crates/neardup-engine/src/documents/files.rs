//! The files that a run was given: all that were named or found are read, or counted as not read.

use neardup_corpus::Discovered;
use serde::Serialize;
use std::collections::BTreeMap;

/// What became of the files, as `run.json` says it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Files {
    /// Files that were named, or found in a folder or by a pattern: those read and those not read.
    pub found: u64,
    /// Files that were read.
    pub read: u64,
    /// Files that were not read.
    pub not_read: u64,
    /// Why not, and how many for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// The first of those that were not read.
    pub names: Vec<String>,
    /// Folders that neardup made, which were not entered.
    pub own_folders: u64,
    /// The first of them.
    pub own_folder_names: Vec<String>,
}

impl Files {
    /// The files of an input, and of what it is compared with.
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
