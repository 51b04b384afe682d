//! Table pairs: one row per pair, in the order of the ids. The forest has the same columns.

use super::{counts, flags, numbers, parts, shares, texts};
use crate::Result;
use crate::findings::pairs::{ScoredPair, StoredPairs};
use crate::tables::names::TableNames;
use crate::tables::page_columns::{PageColumns, archived, named};
use crate::tables::schema::{Column, PairColumns, RunKinds, record_batch, schema};
use crate::tables::table::{Table, VALUE};
use arrow_array::RecordBatch;
use arrow_schema::DataType::{Boolean, Float64, UInt32, UInt64, Utf8};
use arrow_schema::SchemaRef;
use neardup_core::measures::Overlap;
use neardup_core::util::ids::DocId;
use std::ops::Range;

/// Names of the columns of a row's pair.
pub const PAIR: PairColumns = PairColumns { left: "left", right: "right", cluster: None, counts: ["shared", "left_size", "right_size"] };

/// Returns the columns of the table.
pub fn columns<'a>() -> [Column<PairSlice<'a>>; 22] {
    [
        Column::new("left", Utf8, "the smaller id; with `--against` the input's", |slice: &PairSlice<'a>| {
            slice.names.id(slice.pairs.iter().map(|pair| pair.left))
        }),
        Column::new("right", Utf8, "the larger id; with `--against` the reference's", |slice: &PairSlice<'a>| {
            slice.names.id(slice.pairs.iter().map(|pair| pair.right))
        }),
        Column::new("rule", Utf8, "`identical`, `lexical`, `shingles` or `near`", |slice: &PairSlice<'a>| {
            texts(slice.pairs.iter().map(|pair| Some(pair.rule.name())))
        }),
        Column::new("shared", UInt32, "shingles both have", |slice: &PairSlice<'a>| parts(&slice.overlaps, |overlap| overlap.shared)),
        Column::new("left_size", UInt32, "shingles of the left document", |slice: &PairSlice<'a>| {
            parts(&slice.overlaps, |overlap| overlap.left)
        }),
        Column::new("right_size", UInt32, "shingles of the right document", |slice: &PairSlice<'a>| {
            parts(&slice.overlaps, |overlap| overlap.right)
        }),
        Column::new("resemblance", Float64, "shared / (left_size + right_size - shared)", |slice: &PairSlice<'a>| {
            shares(&slice.overlaps, Overlap::resemblance)
        })
        .derived(),
        Column::new("left_in_right", Float64, "shared / left_size", |slice: &PairSlice<'a>| {
            shares(&slice.overlaps, Overlap::left_in_right)
        })
        .derived(),
        Column::new("right_in_left", Float64, "shared / right_size", |slice: &PairSlice<'a>| {
            shares(&slice.overlaps, Overlap::right_in_left)
        })
        .derived(),
        Column::new(
            "verified",
            Boolean,
            "decided by the features or texts themselves, and not by what a sketch keeps, in the pass that found it",
            |slice: &PairSlice<'a>| {
                flags(slice.pairs.iter().map(|pair| Some(pair.rule.is_certain() || slice.verified[pair.pass as usize])))
            },
        )
        .derived(),
        Column::new(VALUE, Float64, "as in decisions", |slice: &PairSlice<'a>| numbers(slice.pairs.iter().map(|pair| pair.value)))
            .nullable()
            .derived()
            .of(RunKinds::OfEstimates),
        Column::new("pass", UInt32, "of several passes only: the one that found it, from 1", |slice: &PairSlice<'a>| {
            counts(slice.pairs.iter().map(|pair| Some(pair.pass + 1)))
        })
        .derived()
        .of(RunKinds::OfPasses),
        named("left_url", Utf8, "of web archives, or with `--url-field`: the URL of the left document", |slice: &PairSlice<'a>| {
            slice.left_pages.url.clone()
        }),
        named("left_host", Utf8, "the host of that URL", |slice: &PairSlice<'a>| slice.left_pages.host.clone()),
        archived("left_date", Utf8, "of web archives only: when the left record was made, in UTC", |slice: &PairSlice<'a>| {
            slice.left_pages.date.clone()
        }),
        archived("left_offset", UInt64, "where that record begins in its file, in bytes as it is stored", |slice: &PairSlice<'a>| {
            slice.left_pages.offset.clone()
        }),
        archived("left_length", UInt64, "its bytes there", |slice: &PairSlice<'a>| slice.left_pages.length.clone()),
        named("right_url", Utf8, "of web archives, or with `--url-field`: the URL of the right document", |slice: &PairSlice<'a>| {
            slice.right_pages.url.clone()
        }),
        named("right_host", Utf8, "the host of that URL", |slice: &PairSlice<'a>| slice.right_pages.host.clone()),
        archived("right_date", Utf8, "of web archives only: when the right record was made, in UTC", |slice: &PairSlice<'a>| {
            slice.right_pages.date.clone()
        }),
        archived("right_offset", UInt64, "where that record begins in its file, in bytes as it is stored", |slice: &PairSlice<'a>| {
            slice.right_pages.offset.clone()
        }),
        archived("right_length", UInt64, "its bytes there", |slice: &PairSlice<'a>| slice.right_pages.length.clone()),
    ]
}

/// Some pairs.
pub struct PairSlice<'a> {
    names: &'a TableNames<'a>,
    verified: &'a [bool],
    pairs: Vec<ScoredPair>,
    overlaps: Vec<Option<Overlap>>,
    left_pages: PageColumns,
    right_pages: PageColumns,
}

/// The table.
pub struct PairRows<'a> {
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// The pairs, ordered.
    pub pairs: StoredPairs<'a>,
    /// Whether each pass checks every pair on its features.
    pub verified: &'a [bool],
}

impl Table for PairRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&columns(), self.names)
    }

    fn rows(&self) -> usize {
        self.pairs.len()
    }

    fn slice(&self, range: Range<usize>) -> Result<RecordBatch> {
        let (names, verified, pairs) = (self.names, self.verified, self.pairs.read(range)?);
        let overlaps = pairs.iter().map(|pair| Some(pair.overlap)).collect();
        let pages = |end: fn(&ScoredPair) -> DocId| names.pages(&pairs.iter().map(end).collect::<Vec<_>>());
        let (left_pages, right_pages) = (pages(|pair| pair.left)?, pages(|pair| pair.right)?);
        record_batch(&columns(), names, &PairSlice { names, verified, pairs, overlaps, left_pages, right_pages })
    }
}
