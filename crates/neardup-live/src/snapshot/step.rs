//! Steps: the records of the log. Everything else follows from them, so replaying a log makes the same decisions.

use crate::documents::document::Document;
use crate::shards::received::ReceivedMessages;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::Path;

/// One step, which is a record of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexStep<'a> {
    /// A document is added. It replaces the document of the same URL.
    Add {
        /// The time, in Unix seconds.
        arrived: i64,
        /// The document.
        document: Cow<'a, Document>,
        /// The messages between the shards of an index during the step.
        #[serde(default, rename = "heard", skip_serializing_if = "ReceivedMessages::is_empty")]
        received: ReceivedMessages,
    },
    /// Documents are removed.
    Remove {
        /// Serial numbers of the documents.
        serials: Vec<u64>,
        /// The messages between the shards of an index during the step.
        #[serde(default, rename = "heard", skip_serializing_if = "ReceivedMessages::is_empty")]
        received: ReceivedMessages,
    },
}

impl IndexStep<'_> {
    /// The messages between the shards of an index during the step.
    pub fn received(&self) -> &ReceivedMessages {
        match self {
            IndexStep::Add { received, .. } | IndexStep::Remove { received, .. } => received,
        }
    }

    /// Returns the record for the log at `log`.
    pub fn bytes(&self, log: &Path) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(Error::file(log, "write"))
    }

    /// Parses a record of the log at `log`.
    pub fn read(bytes: &[u8], log: &Path) -> Result<IndexStep<'static>> {
        serde_json::from_slice(bytes).map_err(|error| Error::damaged(log, format!("a record cannot be read: {error}")))
    }
}
