use std::collections::BTreeMap;
use std::path::Path;

use neardup_disk::{owned, regular};
use serde::{Deserialize, Serialize};

/// Maximum number of names that are listed.
const LISTED: usize = 100;

/// Files that inputs represent but that are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// Number of files by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Names of the first hundred files.
    pub names: Vec<String>,
    /// First hundred folders that neardup made. No walk and no pattern enters them.
    pub folders: Vec<String>,
    /// Number of such folders.
    pub folder_count: u64,
}

impl Unread {
    /// Counts a file with an unknown suffix.
    pub(crate) fn unknown(&mut self, path: &Path) {
        let reason = match path.extension() {
            Some(suffix) => format!("unknown suffix .{}", suffix.to_string_lossy().to_lowercase()),
            None => "no suffix".to_owned(),
        };
        self.file(path, reason);
    }

    /// Counts a hidden file or folder, which is not entered.
    pub(crate) fn hidden(&mut self, path: &Path, is_folder: bool) {
        self.file(path, if is_folder { "hidden folder" } else { "hidden file" }.to_owned());
    }

    /// Counts a file that the patterns of the caller do not want.
    pub(crate) fn unwanted(&mut self, path: &Path, reason: &str) {
        self.file(path, reason.to_owned());
    }

    /// Counts an entry that is neither a file nor a folder.
    pub(crate) fn special(&mut self, path: &Path) {
        self.file(path, "no regular file".to_owned());
    }

    /// Counts a folder of neardup.
    pub(crate) fn folder(&mut self, path: &Path) {
        self.folder_count += 1;
        if self.folders.len() < LISTED {
            self.folders.push(path.display().to_string());
        }
    }

    /// Removes a folder from the list: the one in which this run makes its results.
    pub fn leave_out(&mut self, folder: &Path) {
        let Ok(own) = std::fs::canonicalize(folder) else { return };
        let before = self.folders.len();
        self.folders.retain(|folder| std::fs::canonicalize(folder).map_or(true, |folder| folder != own));
        self.folder_count -= (before - self.folders.len()) as u64;
    }

    /// Returns the counts by reason, for a message.
    pub(crate) fn shown(&self) -> String {
        self.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect::<Vec<_>>().join(", ")
    }

    fn file(&mut self, path: &Path, reason: String) {
        *self.reasons.entry(reason).or_default() += 1;
        if self.names.len() < LISTED {
            self.names.push(path.display().to_string());
        }
    }

    /// Returns the number of files.
    pub fn count(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Returns the files of both.
    pub fn and(mut self, other: &Unread) -> Unread {
        other.reasons.iter().for_each(|(reason, count)| *self.reasons.entry(reason.clone()).or_default() += count);
        self.names.extend(other.names.iter().take(LISTED.saturating_sub(self.names.len())).cloned());
        self.folders.extend(other.folders.iter().take(LISTED.saturating_sub(self.folders.len())).cloned());
        self.folder_count += other.folder_count;
        self
    }
}

/// Whether neardup made a folder. Its marker says so; in a result of version 0.1.0, its run.json does.
pub(crate) fn is_own(folder: &Path) -> bool {
    owned::kind(folder).is_ok_and(|kind| kind.is_some()) || is_unmarked_result(folder)
}

/// Whether a folder is a result of neardup.
pub(crate) fn is_result(folder: &Path) -> bool {
    owned::kind(folder).is_ok_and(|kind| kind.as_deref() == Some("result")) || is_unmarked_result(folder)
}

fn is_unmarked_result(folder: &Path) -> bool {
    let text = regular::read(&folder.join("run.json")).unwrap_or_default();
    serde_json::from_slice::<serde_json::Value>(&text).is_ok_and(|run| run.get("neardup").is_some())
}
