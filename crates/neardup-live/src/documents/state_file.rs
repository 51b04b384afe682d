//! The file of the state: the state of every document of the segments when the log began.

use crate::documents::state::StateColumns;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use serde::{Deserialize, Serialize};
use std::path::Path;

const KIND: &str = FileKind::State.word();

/// The header of the file.
#[derive(Serialize, Deserialize)]
pub struct StateHeader {
    /// The index that the file belongs to.
    pub index: Identity,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// Number of steps in the life of the index.
    pub steps: u64,
}

/// The contents of the file.
#[derive(Default)]
pub struct StoredState {
    /// The state of the documents.
    pub columns: StateColumns,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// Number of steps in the life of the index.
    pub steps: u64,
}

impl StoredState {
    /// Writes the file, completely or not at all. Refuses inconsistent columns, which could not be read again.
    pub fn write(&self, path: &Path, index: &Identity) -> Result<()> {
        check(&self.columns, path)?;
        let header = StateHeader { index: index.clone(), arrived: self.arrived, steps: self.steps };
        let mut writer = Writer::create(path, KIND, &header)?;
        writer.section("alive", &self.columns.alive.iter().map(|&alive| u8::from(alive)).collect::<Vec<u8>>())?;
        writer.section("carriers", &self.columns.representatives)?;
        writer.section("leaders", &self.columns.leaders)?;
        writer.section("roots", &self.columns.roots)?;
        writer.finish()
    }

    /// Reads the state of `count` documents of this index, and checks every byte.
    pub fn read(path: &Path, index: &Identity, count: u32) -> Result<StoredState> {
        let sections = Sections::open(path, KIND)?;
        sections.verify()?;
        let StateHeader { index: found, arrived, steps } = sections.header()?;
        index.check(&found, path)?;
        let alive: Vec<bool> = sections.get::<u8>("alive")?.iter().map(|&alive| alive != 0).collect();
        let column = |name: &str| -> Result<Vec<DocId>> {
            let values = sections.get::<DocId>(name)?;
            let fits = values.len() == count as usize && values.iter().all(|value| value.0 < count);
            fits.then(|| values.to_vec()).ok_or_else(|| Error::damaged(path, format!("column {name} does not fit the {count} documents")))
        };
        let columns = StateColumns { representatives: column("carriers")?, leaders: column("leaders")?, roots: column("roots")?, alive };
        if columns.alive.len() != count as usize {
            return Err(Error::damaged(path, format!("it is of {} documents, and there are {count}", columns.alive.len())));
        }
        check(&columns, path)?;
        Ok(StoredState { columns, arrived, steps })
    }
}

fn check(columns: &StateColumns, path: &Path) -> Result<()> {
    let damaged = |number| Err(Error::damaged(path, format!("the state of document {number}, counted from 0, is inconsistent")));
    columns.first_inconsistent().map_or(Ok(()), damaged)
}
