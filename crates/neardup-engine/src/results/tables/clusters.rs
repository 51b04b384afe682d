//! Table clusters: one row per document of the input, in input order.

use super::{counts, parts, texts};
use crate::Result;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::{DroppedDocument, DroppedDocuments};
use crate::tables::names::TableNames;
use crate::tables::page_columns::{self, PageColumns, PageRows};
use crate::tables::schema::{Column, PairColumns, RunKinds, record_batch, schema};
use crate::tables::table::Table;
use arrow_array::RecordBatch;
use arrow_schema::DataType::{UInt32, Utf8};
use arrow_schema::SchemaRef;
use neardup_core::measures::Overlap;
use neardup_core::util::ids::DocId;
use std::ops::Range;

/// Names of the columns of a row's pair.
pub const PAIR: PairColumns =
    PairColumns { left: "id", right: "leader", cluster: Some("cluster"), counts: ["shared", "id_size", "leader_size"] };

/// Returns the columns of the table.
pub fn columns<'a>() -> Vec<Column<ClusterSlice<'a>>> {
    let own = [
    Column::new("id", Utf8, "the document", |slice: &ClusterSlice<'a>| slice.names.id(slice.documents.iter().copied())),
    Column::new("cluster", Utf8, "the smallest id of its component", |slice: &ClusterSlice<'a>| {
        slice.names.id(slice.documents.iter().map(|&document| slice.clusters.of(document)))
    }),
    Column::new("leader", Utf8, "the document the leader rule keeps for it", |slice: &ClusterSlice<'a>| slice.names.id(slice.leaders.iter().copied())),
    Column::new("size", UInt32, "documents in the component", |slice: &ClusterSlice<'a>| {
        counts(slice.documents.iter().map(|&document| Some(slice.clusters.size(document))))
    }),
    Column::new(
        "shared",
        UInt32,
        "shingles the document and its leader have in common; null when it is kept, or was dropped for another that a later pass dropped, \
         like the two that follow",
        |slice: &ClusterSlice<'a>| parts(&slice.overlaps, |overlap| overlap.shared),
    )
    .nullable(),
    Column::new("id_size", UInt32, "shingles of the document", |slice: &ClusterSlice<'a>| parts(&slice.overlaps, |overlap| overlap.left)).nullable(),
    Column::new("leader_size", UInt32, "shingles of the leader", |slice: &ClusterSlice<'a>| parts(&slice.overlaps, |overlap| overlap.right)).nullable(),
    Column::new("original_in", Utf8, "with `--against` only: where the leader is, `input` or `reference`", |slice: &ClusterSlice<'a>| {
        texts(slice.leaders.iter().map(|&leader| Some(slice.names.origin(leader))))
    })
    .derived().of(RunKinds::Against),
    Column::new("pass", UInt32, "of several passes only: the one that dropped it, from 1; null when kept", |slice: &ClusterSlice<'a>| {
        counts(slice.dropped.iter().map(|dropped| dropped.map(|dropped| dropped.pass + 1)))
    })
    .nullable()
    .derived().of(RunKinds::OfPasses),
    ];
    own.into_iter().chain(page_columns::columns()).collect()
}

/// Some documents, with their clusters.
pub struct ClusterSlice<'a> {
    names: &'a TableNames<'a>,
    clusters: &'a Clusters,
    documents: &'a [DocId],
    dropped: Vec<Option<&'a DroppedDocument>>,
    leaders: Vec<DocId>,
    overlaps: Vec<Option<Overlap>>,
    pages: PageColumns,
}

impl PageRows for ClusterSlice<'_> {
    fn pages(&self) -> &PageColumns {
        &self.pages
    }
}

/// The table.
pub struct ClusterRows<'a> {
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// Verdicts, which give the leader groups.
    pub verdicts: &'a DroppedDocuments,
    /// Components.
    pub clusters: &'a Clusters,
}

impl Table for ClusterRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&columns(), self.names)
    }

    fn rows(&self) -> usize {
        self.names.documents.len()
    }

    fn slice(&self, range: Range<usize>) -> Result<RecordBatch> {
        let (names, clusters) = (self.names, self.clusters);
        let documents = &names.documents[range];
        let dropped: Vec<_> = documents.iter().map(|&document| self.verdicts.get(document)).collect();
        let leader = |(&document, dropped): (&DocId, &Option<&DroppedDocument>)| {
            dropped.map_or(document, |dropped| self.verdicts.leader_of(dropped))
        };
        let leaders = documents.iter().zip(&dropped).map(leader).collect();
        let overlaps = dropped.iter().map(|dropped| self.verdicts.met_leader((*dropped)?)).collect();
        let pages = names.pages(documents)?;
        record_batch(&columns(), names, &ClusterSlice { names, clusters, documents, dropped, leaders, overlaps, pages })
    }
}
