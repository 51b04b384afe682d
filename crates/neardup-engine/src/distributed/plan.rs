//! The plan of a distributed run: where its documents are at home, and into how many parts each step is divided.

use crate::distributed::records::{DocName, DocNumber, PolicyKey, RepeatedId};
use crate::{Error, Result};
use neardup_corpus::PlaceUnit;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// A file, as the tasks open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeFile {
    /// Path by which all machines open it.
    pub path: PathBuf,
    /// Its name in results and messages.
    pub name: String,
    /// Path of its kept output, below the common folder.
    pub target: PathBuf,
}

/// A home: some documents that one task reads, each time in the same order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeSplit {
    /// Its number. Homes of the reference come last.
    pub number: u32,
    /// The files, which are read together; one if only some chunks of it are read. A table whose rows are sent is a file without a
    /// path.
    pub files: Vec<HomeFile>,
    /// The chunks of lines to read; `None` for whole files.
    pub chunks: Option<Range<u32>>,
    /// Number of its first source among all of the run.
    pub first_source: u32,
    /// Whether the documents are of the reference.
    pub is_reference: bool,
    /// Whether the rows are sent, and not read from the files.
    pub is_sent: bool,
}

/// What every task knows of a home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomePlace {
    /// Name of its only source; empty if it has several, whose documents are named in full.
    pub name: String,
    /// Unit in which its rows are counted.
    pub unit: PlaceUnit,
    /// Whether its rows follow those of the home before, in the same source.
    pub follows: bool,
    /// Number of rows of the source before it, known after its documents were signed.
    pub rows_before: u64,
    /// Whether the documents are of the reference.
    pub is_reference: bool,
}

/// A family that is too large for one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DividedFamily {
    /// The root.
    pub root: DocNumber,
    /// The last document of the block that is decided next; `None` if all that are left are.
    pub limit: Option<PolicyKey>,
    /// The chunks of the others.
    pub chunks: Range<u32>,
    /// Number of blocks for clusters, at least two if they are connected.
    pub blocks: u32,
    /// The first of the tasks that connect every two of them.
    pub first_tie: u32,
}

impl DividedFamily {
    /// Returns the number of tasks that connect every two blocks.
    pub fn ties(&self) -> u32 {
        self.blocks * (self.blocks - 1) / 2
    }

    /// Returns the tasks that connect a block with the others.
    pub fn ties_of(&self, block: u32) -> impl Iterator<Item = u32> {
        let first = self.first_tie;
        let others = (0..self.blocks).filter(move |other| *other != block);
        let tie = move |other: u32| {
            let (small, large) = (block.min(other), block.max(other));
            first + large * (large - 1) / 2 + small
        };
        others.map(tie)
    }
}

/// What tasks know of the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastPlan {
    /// The folder.
    pub folder: PathBuf,
    /// Number of its batches; the batch of the run is the next one.
    pub batches: u32,
    /// Number of the parts of its keys.
    pub parts: u32,
}

/// What every task of a run knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The homes.
    pub homes: Vec<HomePlace>,
    /// Number of parts of the other steps that are not done at homes.
    pub parts: u32,
    /// Whether there is a reference; this adds columns.
    pub against: bool,
    /// Whether the reference has documents, so that only pairs with them are listed; known after they were signed.
    pub crosses: bool,
    /// Whether results have the columns of pages.
    pub has_urls: bool,
    /// Whether documents have ids from the data.
    pub has_ids: bool,
    /// Whether documents have no order and no place, except their ids.
    pub by_id: bool,
    /// The pass under way, from 0.
    pub pass: u32,
    /// Number of passes.
    pub passes: u32,
    /// Whether some documents are records of web archives.
    pub has_archives: bool,
    /// Whether names carry pages, because tables of pairs show them.
    pub has_pages: bool,
    /// The left documents with which the ranges of the pairs begin, except the first.
    pub ranges: Vec<DocName>,
    /// Whether the links under way are those of clusters of all passes, and not those of families of one.
    pub clusters: bool,
    /// Whether some documents have ids that other ones have, and are set aside.
    pub sets_aside: bool,
    /// Number of parts of the keys, and of what else is linked: a multiple of those of the past.
    pub key_parts: u32,
    /// The past, if there is one.
    pub past: Option<PastPlan>,
    /// Number of homes of the past, which come first and are of the reference.
    pub past_homes: u32,
    /// Whether further bits of keys are compared, so that hardly any documents are linked by chance.
    pub has_wide_keys: bool,
    /// Maximum number of nodes of a family that one task compares; 0 if no family is divided.
    pub family: u64,
    /// The families that are divided, ascending by root.
    pub divided: Vec<DividedFamily>,
    /// Keys that propose no pair, for these families: the table in the upper half, the key in the lower one.
    pub foreseen: Vec<u64>,
    /// Folder into which results are written; `None` if the caller receives them.
    pub output: Option<PathBuf>,
}

impl Plan {
    /// Packs the plan.
    ///
    /// # Errors
    /// [`Error::Data`] if it cannot be encoded, which is a fault inside neardup.
    pub fn pack(&self) -> Result<Vec<u8>> {
        postcard::to_stdvec(self).map_err(|error| Error::Data(format!("the plan cannot be packed: {error}")))
    }

    /// Reads a packed plan.
    ///
    /// # Errors
    /// [`Error::Data`] for bytes that are none.
    pub fn of_packed(packed: &[u8]) -> Result<Plan> {
        postcard::from_bytes(packed).map_err(|error| Error::Data(format!("the plan cannot be read: {error}")))
    }

    /// Whether a document is of the reference.
    pub fn is_reference(&self, document: DocNumber) -> bool {
        self.homes[document.home() as usize].is_reference
    }

    /// Returns the part of the past that has all keys of a part of the run.
    pub fn part_of_past(&self, past: &PastPlan, part: u32) -> u32 {
        part / (self.key_parts / past.parts)
    }

    /// Whether a document is of the past.
    pub fn is_past(&self, document: DocNumber) -> bool {
        document.home() < self.past_homes
    }

    /// Returns the name of a document in results.
    pub fn id(&self, name: &DocName) -> String {
        match &name.id {
            Some(id) => id.to_string(),
            None => self.place(name.number.home(), name.row),
        }
    }

    /// Returns the place of a document that has none except its id, as messages name it.
    pub fn describe_id(id: &str) -> String {
        format!("the document \"{id}\"")
    }

    /// Returns the place of a row of a home, as messages name it.
    pub fn describe(&self, home: u32, row: u64) -> String {
        let home = &self.homes[home as usize];
        home.unit.place(&home.name, home.rows_before + row)
    }

    /// Returns the place of the first document with an id, as messages name it.
    pub fn place_of_first(&self, repeated: &RepeatedId) -> String {
        let here = || self.describe(repeated.first.home(), repeated.first_row);
        repeated.first_place.as_deref().map_or_else(here, str::to_owned)
    }

    /// Returns the range of the pairs of a left document.
    pub fn range_of(&self, left: &DocName) -> u32 {
        self.ranges.partition_point(|first| self.order(first, left).is_le()) as u32
    }

    /// Returns the row of a document, and the name of its source, as an id.
    fn place(&self, home: u32, row: u64) -> String {
        let home = &self.homes[home as usize];
        format!("{}:{}", home.name, home.rows_before + row)
    }

    /// Compares two documents by their ids, as results order them.
    pub fn order(&self, one: &DocName, other: &DocName) -> std::cmp::Ordering {
        let ids = if self.has_ids { one.id.cmp(&other.id) } else { std::cmp::Ordering::Equal };
        ids.then(one.number.cmp(&other.number))
    }
}
