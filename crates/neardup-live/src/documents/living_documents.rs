//! The roll: the serial numbers of the living documents of the segments, and the steps that the index had taken when the log began.
//! The state contains the same facts by positions in the segments. Thanks to the roll they survive damage to a segment or to the
//! state.

use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

const KIND: &str = FileKind::Roll.word();
const SERIALS: &str = "serials";

#[derive(Serialize, Deserialize)]
struct RollHeader {
    index: Identity,
    arrived: i64,
    steps: u64,
}

/// The contents of the roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivingDocuments {
    /// Serial numbers of the living documents, ascending.
    pub serials: Vec<u64>,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// Number of steps in the life of the index.
    pub steps: u64,
}

impl LivingDocuments {
    /// Writes the roll, completely or not at all.
    pub fn write(&self, path: &Path, index: &Identity) -> Result<()> {
        let header = RollHeader { index: index.clone(), arrived: self.arrived, steps: self.steps };
        let mut writer = Writer::create(path, KIND, &header)?;
        writer.section(SERIALS, &self.serials)?;
        writer.finish()
    }

    /// Reads the roll of this index, and checks every byte.
    pub fn read(path: &Path, index: &Identity) -> Result<LivingDocuments> {
        let sections = Sections::open(path, KIND)?;
        sections.verify()?;
        let RollHeader { index: found, arrived, steps } = sections.header()?;
        index.check(&found, path)?;
        let serials = sections.get::<u64>(SERIALS)?.to_vec();
        let fits = serials.is_sorted_by(|one, other| one < other) && serials.last().is_none_or(|&last| last <= steps);
        if fits {
            Ok(LivingDocuments { serials, arrived, steps })
        } else {
            Err(Error::damaged(path, "its serial numbers do not ascend to the last step"))
        }
    }
}
