//! An input or a host, and how much of it was kept.

use serde::{Deserialize, Serialize};

/// One file, stream or host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its path as the user gave it, or the name of the host.
    pub name: String,
    /// Number of documents read from it.
    pub documents: u64,
    /// Number of its documents that were kept.
    pub kept: u64,
}
