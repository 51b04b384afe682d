//! The roll: which documents of the segments live, by their serial numbers, and how far the index had come when the log began. The
//! state says so, too, by places in the segments; with the roll, damage to a segment or to the state takes nothing away.

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

/// What the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivingDocuments {
    /// The serial numbers of the living, ascending.
    pub serials: Vec<u64>,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// How many steps were taken through the life of the index.
    pub steps: u64,
}

impl LivingDocuments {
    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path, index: &Identity) -> Result<()> {
        let header = RollHeader { index: index.clone(), arrived: self.arrived, steps: self.steps };
        let mut writer = Writer::create(path, KIND, &header)?;
        writer.section(SERIALS, &self.serials)?;
        writer.finish()
    }

    /// Reads that of this index, and checks every byte.
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
