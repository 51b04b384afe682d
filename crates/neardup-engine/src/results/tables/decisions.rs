//! Table decisions: one row per document of the input, in input order.

use super::{counts, flags, numbers, parts, shares, texts};
use crate::Result;
use crate::findings::decisions::{DroppedDocument, DroppedDocuments};
use crate::tables::names::TableNames;
use crate::tables::page_columns::{self, PageColumns, PageRows};
use crate::tables::schema::{Column, PairColumns, RunKinds, record_batch, schema};
use crate::tables::table::{ROW, Table, VALUE};
use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::DataType::{Boolean, Float64, UInt32, UInt64, Utf8};
use arrow_schema::SchemaRef;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::util::ids::DocId;
use std::ops::Range;
use std::sync::Arc;

/// Names of the columns of a row's pair.
pub const PAIR: PairColumns =
    PairColumns { left: "id", right: "original", cluster: Some("duplicate_id"), counts: ["shared", "id_size", "original_size"] };

/// Returns the columns of the table.
pub fn columns<'a>() -> Vec<Column<DecisionSlice<'a>>> {
    let own = [
    Column::new("id", Utf8, "the document", |slice: &DecisionSlice<'a>| slice.names.id(slice.documents.iter().copied())),
    Column::new("source", Utf8, "its file, as the input named it, or its path below the input folder", |slice: &DecisionSlice<'a>| {
        texts(slice.documents.iter().map(|&document| Some(slice.names.source(document))))
    })
    .derived(),
    Column::new(ROW, UInt64, "the line it begins on, or its row, from 1", |slice: &DecisionSlice<'a>| {
        Arc::new(slice.documents.iter().map(|&document| Some(slice.names.rows[document.index()])).collect::<UInt64Array>())
    })
    .derived(),
    Column::new("verdict", Utf8, "`keep` or `drop`; with `--keep-per-duplicate` other than 1 a kept row may have an original, and a dropped one may be its own", |slice: &DecisionSlice<'a>| {
        texts(slice.documents.iter().map(|&document| Some(if slice.verdicts.is_dropped(document) { "drop" } else { "keep" })))
    })
    .derived(),
    Column::new(
        "original",
        Utf8,
        "the kept document it was checked against; its own id when it is kept. Of several passes the one that was kept by then: a later \
         pass may have dropped it",
        |slice: &DecisionSlice<'a>| slice.original_ids.clone(),
    ),
    Column::new("rule", Utf8, "`identical`, `lexical`, `shingles` or `near`; null when kept", |slice: &DecisionSlice<'a>| {
        texts(slice.dropped.iter().map(|dropped| dropped.map(|dropped| dropped.rule.name())))
    })
    .nullable(),
    Column::new("shared", UInt32, "shingles both have; null when kept", |slice: &DecisionSlice<'a>| parts(&slice.overlaps, |overlap| overlap.shared)).nullable(),
    Column::new("id_size", UInt32, "shingles of the document; null when kept, like all that follows up to of_original", |slice: &DecisionSlice<'a>| {
        parts(&slice.overlaps, |overlap| overlap.left)
    })
    .nullable(),
    Column::new("original_size", UInt32, "shingles of the original", |slice: &DecisionSlice<'a>| parts(&slice.overlaps, |overlap| overlap.right)).nullable(),
    Column::new("resemblance", Float64, "shared / (id_size + original_size - shared)", |slice: &DecisionSlice<'a>| {
        shares(&slice.overlaps, Overlap::resemblance)
    })
    .nullable()
    .derived(),
    Column::new("in_original", Float64, "shared / id_size: how much of the document the original contains", |slice: &DecisionSlice<'a>| {
        shares(&slice.overlaps, Overlap::left_in_right)
    })
    .nullable()
    .derived(),
    Column::new("of_original", Float64, "shared / original_size: how much of the original the document contains", |slice: &DecisionSlice<'a>| {
        shares(&slice.overlaps, Overlap::right_in_left)
    })
    .nullable()
    .derived(),
    Column::new(
        "duplicate_id",
        Utf8,
        "the id all documents of one group share: that of the leader, which is kept in the end",
        |slice: &DecisionSlice<'a>| slice.leader_ids.clone(),
    )
    .derived(),
    Column::new("group_size", UInt32, "the leader and the documents dropped for it, by all passes", |slice: &DecisionSlice<'a>| {
        counts(slice.leaders.iter().map(|&leader| Some(slice.verdicts.group_size(leader))))
    }),
    Column::new(
        "verified",
        Boolean,
        "decided by the features or texts themselves, and not by what a sketch keeps, in the pass that dropped it; null when kept",
        |slice: &DecisionSlice<'a>| {
            let is_verified = |dropped: &DroppedDocument| dropped.rule.is_certain() || slice.verified[dropped.pass as usize];
            flags(slice.dropped.iter().map(|dropped| dropped.map(is_verified)))
        },
    )
    .nullable()
    .derived(),
    Column::new(
        VALUE,
        Float64,
        "of schemes with an estimate, a distance or a measure of whole texts only: the number that decided, of the first such condition \
         (`~resemblance`: from 0 to 1, `hamming`: bits that differ, `agree`: bits that are alike, `levenshtein`: cost of the edits); null \
         of copies, which no condition decides, where a text has nothing to be compared by, and in a pass of features only",
        |slice: &DecisionSlice<'a>| numbers(slice.dropped.iter().map(|dropped| dropped.map_or(PairValue::NONE, |dropped| dropped.value))),
    )
    .nullable()
    .derived().of(RunKinds::OfEstimates),
    Column::new("original_in", Utf8, "with `--against` only: `input` or `reference`", |slice: &DecisionSlice<'a>| {
        texts(slice.originals.iter().map(|&original| Some(slice.names.origin(original))))
    })
    .derived().of(RunKinds::Against),
    Column::new("pass", UInt32, "of several passes only: the one that dropped it, from 1; null when kept", |slice: &DecisionSlice<'a>| {
        counts(slice.dropped.iter().map(|dropped| dropped.map(|dropped| dropped.pass + 1)))
    })
    .nullable()
    .derived().of(RunKinds::OfPasses),
    ];
    own.into_iter().chain(page_columns::columns()).collect()
}

/// Some documents, with their decisions.
pub struct DecisionSlice<'a> {
    names: &'a TableNames<'a>,
    verdicts: &'a DroppedDocuments,
    verified: &'a [bool],
    documents: &'a [DocId],
    dropped: Vec<Option<&'a DroppedDocument>>,
    overlaps: Vec<Option<Overlap>>,
    originals: Vec<DocId>,
    original_ids: ArrayRef,
    leaders: Vec<DocId>,
    leader_ids: ArrayRef,
    pages: PageColumns,
}

impl PageRows for DecisionSlice<'_> {
    fn pages(&self) -> &PageColumns {
        &self.pages
    }
}

/// The table.
pub struct Decisions<'a> {
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// Dropped documents, with the reasons.
    pub verdicts: &'a DroppedDocuments,
    /// Whether each pass checks every pair on its features.
    pub verified: &'a [bool],
}

impl Table for Decisions<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&columns(), self.names)
    }

    fn rows(&self) -> usize {
        self.names.documents.len()
    }

    fn slice(&self, range: Range<usize>) -> Result<RecordBatch> {
        let (names, verdicts) = (self.names, self.verdicts);
        let documents = &names.documents[range];
        let dropped: Vec<_> = documents.iter().map(|&document| verdicts.get(document)).collect();
        let of = |pick: &dyn Fn(&DroppedDocument) -> DocId| -> Vec<DocId> {
            documents.iter().zip(&dropped).map(|(&document, dropped)| dropped.map_or(document, pick)).collect()
        };
        let (originals, leaders) = (of(&|dropped| dropped.original), of(&|dropped| verdicts.leader_of(dropped)));
        let overlaps = dropped.iter().map(|dropped| dropped.map(|dropped| dropped.overlap)).collect();
        let original_ids = names.id(originals.iter().copied());
        let leader_ids = if leaders == originals { original_ids.clone() } else { names.id(leaders.iter().copied()) };
        let (verified, pages) = (self.verified, names.pages(documents)?);
        record_batch(
            &columns(),
            names,
            &DecisionSlice { names, verdicts, verified, documents, dropped, overlaps, originals, original_ids, leaders, leader_ids, pages },
        )
    }
}
