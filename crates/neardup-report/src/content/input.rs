//! An input and what was kept of it.

use serde::{Deserialize, Serialize};

/// One file or stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its path as the user gave it.
    pub name: String,
    /// Documents read from it.
    pub documents: u64,
    /// Documents kept of it.
    pub kept: u64,
}
