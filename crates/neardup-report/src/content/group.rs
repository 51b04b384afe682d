//! Groups: documents with one value in the field of groups.

use serde::{Deserialize, Serialize};

/// One group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedGroup {
    /// Its name.
    pub name: String,
    /// Number of its documents.
    pub documents: u64,
    /// Number of its documents that were dropped; `None` if the run does not decide.
    pub dropped: Option<u64>,
    /// Number of listed pairs with a document of the group; `None` if the run lists none.
    pub pairs: Option<u64>,
}
