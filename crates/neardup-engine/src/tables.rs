//! Result tables: columns for people and programs, made in slices so that no table need fit in memory.

use crate::ids::Ids;
use crate::pairs::Pairs;
use crate::signed::Signed;
use crate::verdicts::{Dropped, Verdicts};
use crate::{Error, Result, clusters::Clusters};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use neardup_core::deciding::Value;
use neardup_core::measures::Overlap;
use std::ops::Range;
use std::sync::Arc;

/// Rows in a slice of a table whose rows are all about as long.
const SLICE: usize = 1 << 13;

/// The column of rows: most follow each other, which is all that need be written of them.
pub const ROW: &str = "row";

/// The column of the number that decided, where that is not what features share.
pub const VALUE: &str = "value";
/// Columns of ids: nearly every value is another, so a dictionary of them costs time and room.
pub const IDS: [&str; 7] = ["id", "original", "duplicate_id", "cluster", "leader", "left", "right"];

/// The column of what a sketch holds, of which nearly every value is another, too.
pub const SKETCH: &str = "values";

/// A table that is made a slice at a time.
pub trait Table: Sync {
    /// The columns.
    fn schema(&self) -> SchemaRef;
    /// How many rows.
    fn rows(&self) -> usize;
    /// All rows in pieces, one after another, of which each fits in memory.
    fn slices(&self) -> Vec<Range<usize>> {
        (0..self.rows()).step_by(SLICE).map(|start| start..(start + SLICE).min(self.rows())).collect()
    }
    /// How many of these pieces fit in memory together, with any number of threads: files are the same for all.
    fn at_once(&self) -> usize {
        8
    }
    /// Some of the rows.
    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch>;
}

/// All slices of a table.
pub fn gather(table: &dyn Table) -> Result<Vec<RecordBatch>> {
    table.slices().into_iter().map(|rows| table.slice(rows)).collect()
}

/// What stands beside every table: the names and places of the documents.
pub struct Names<'a> {
    /// The corpus.
    pub signed: &'a Signed,
    /// What documents are called.
    pub ids: &'a Ids,
    /// The source of every document.
    pub source_of: &'a [u32],
    /// The row of every document in its source.
    pub rows: &'a [u64],
    /// The documents that results list: those of the input, without the ones set aside.
    pub documents: Vec<u32>,
    /// Whether there is a reference; it adds a column.
    pub against: bool,
    /// Whether another number than what features share decides in some pass; it adds a column.
    pub decides: bool,
    /// How many passes there are; several add a column.
    pub passes: usize,
}

impl Names<'_> {
    /// The ids of some documents, as a column.
    pub fn id(&self, documents: impl Iterator<Item = u32>) -> ArrayRef {
        let mut bytes = Vec::new();
        let lengths: Vec<usize> = documents
            .map(|document| {
                let start = bytes.len();
                self.ids.append(document, &mut bytes);
                bytes.len() - start
            })
            .collect();
        Arc::new(StringArray::new(OffsetBuffer::from_lengths(lengths), bytes.into(), None))
    }

    /// The source of a document, as shown.
    pub fn source(&self, document: u32) -> &str {
        &self.signed.catalogue.sources[self.source_of[document as usize] as usize]
    }

    /// The same of a table with the evidence of each decision.
    fn extra_of_evidence(&self, of_documents: bool) -> Vec<(&'static str, DataType, bool)> {
        let value = self.decides.then_some((VALUE, DataType::Float64, true));
        value.into_iter().chain(self.extra(of_documents)).collect()
    }

    /// The columns that only some runs have, of a table of documents or of pairs.
    fn extra(&self, of_documents: bool) -> Vec<(&'static str, DataType, bool)> {
        let original_in = (of_documents && self.against).then_some(("original_in", DataType::Utf8, false));
        let pass = (self.passes > 1).then_some(("pass", DataType::UInt32, of_documents));
        original_in.into_iter().chain(pass).collect()
    }

    fn origin(&self, document: u32) -> &'static str {
        if self.signed.is_reference(document) { "reference" } else { "input" }
    }
}

/// A schema of columns, each with its name, type and whether it may be null.
pub fn schema(columns: &[(&str, DataType, bool)], extra: &[(&str, DataType, bool)]) -> SchemaRef {
    let field = |(name, kind, nullable): &(&str, DataType, bool)| Field::new(*name, kind.clone(), *nullable);
    Arc::new(Schema::new(columns.iter().chain(extra).map(field).collect::<Vec<_>>()))
}

fn counts(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    Arc::new(values.collect::<UInt32Array>())
}

fn values(values: impl Iterator<Item = Value>) -> ArrayRef {
    Arc::new(values.map(Value::get).collect::<Float64Array>())
}

fn shares<'a>(overlaps: &'a [Option<Overlap>], share: impl Fn(Overlap) -> f64 + 'a) -> ArrayRef {
    Arc::new(overlaps.iter().map(|overlap| overlap.map(&share)).collect::<Float64Array>())
}

/// Columns as rows.
pub fn batch(schema: SchemaRef, columns: Vec<ArrayRef>) -> Result<RecordBatch> {
    RecordBatch::try_new(schema, columns).map_err(|error| Error::Data(error.to_string()))
}

/// decisions: one row a document of the input, in input order.
pub struct Decisions<'a> {
    /// Names and places.
    pub names: &'a Names<'a>,
    /// Who goes, and why.
    pub verdicts: &'a Verdicts,
    /// Whether each pass checks every pair on its features.
    pub verified: &'a [bool],
}

impl Table for Decisions<'_> {
    fn schema(&self) -> SchemaRef {
        use DataType::{Boolean, Float64, UInt32, UInt64, Utf8};
        let columns = [
            ("id", Utf8, false),
            ("source", Utf8, false),
            (ROW, UInt64, false),
            ("verdict", Utf8, false),
            ("original", Utf8, false),
            ("rule", Utf8, true),
            ("shared", UInt32, true),
            ("id_size", UInt32, true),
            ("original_size", UInt32, true),
            ("resemblance", Float64, true),
            ("in_original", Float64, true),
            ("of_original", Float64, true),
            ("duplicate_id", Utf8, false),
            ("group_size", UInt32, false),
            ("verified", Boolean, true),
        ];
        schema(&columns, &self.names.extra_of_evidence(true))
    }

    fn rows(&self) -> usize {
        self.names.documents.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let names = self.names;
        let documents = &names.documents[rows];
        let dropped: Vec<_> = documents.iter().map(|&document| self.verdicts.get(document)).collect();
        let of = |pick: &dyn Fn(&Dropped) -> u32| -> Vec<u32> {
            documents.iter().zip(&dropped).map(|(&document, dropped)| dropped.map_or(document, pick)).collect()
        };
        let (originals, leaders) = (of(&|dropped| dropped.original), of(&|dropped| self.verdicts.leader_of(dropped)));
        let overlaps: Vec<Option<Overlap>> = dropped.iter().map(|dropped| dropped.map(|dropped| dropped.overlap)).collect();
        let original_ids = names.id(originals.iter().copied());
        let leader_ids = if leaders == originals { original_ids.clone() } else { names.id(leaders.iter().copied()) };
        let mut columns: Vec<ArrayRef> = vec![
            names.id(documents.iter().copied()),
            Arc::new(documents.iter().map(|&document| Some(names.source(document))).collect::<StringArray>()),
            Arc::new(documents.iter().map(|&document| Some(names.rows[document as usize])).collect::<UInt64Array>()),
            Arc::new(dropped.iter().map(|dropped| Some(if dropped.is_some() { "drop" } else { "keep" })).collect::<StringArray>()),
            original_ids.clone(),
            Arc::new(dropped.iter().map(|dropped| dropped.map(|dropped| dropped.rule.name())).collect::<StringArray>()),
            counts(overlaps.iter().map(|overlap| overlap.map(|overlap| overlap.shared))),
            counts(overlaps.iter().map(|overlap| overlap.map(|overlap| overlap.left))),
            counts(overlaps.iter().map(|overlap| overlap.map(|overlap| overlap.right))),
            shares(&overlaps, Overlap::resemblance),
            shares(&overlaps, Overlap::left_in_right),
            shares(&overlaps, Overlap::right_in_left),
            leader_ids,
            counts(leaders.iter().map(|&leader| Some(self.verdicts.group_size(leader)))),
            Arc::new(
                dropped
                    .iter()
                    .map(|dropped| dropped.map(|dropped| dropped.rule.is_certain() || self.verified[dropped.pass as usize]))
                    .collect::<BooleanArray>(),
            ),
        ];
        if names.decides {
            columns.push(values(dropped.iter().map(|dropped| dropped.map_or(Value::NONE, |dropped| dropped.value))));
        }
        if names.against {
            columns.push(Arc::new(originals.iter().map(|&original| Some(names.origin(original))).collect::<StringArray>()));
        }
        if names.passes > 1 {
            columns.push(counts(dropped.iter().map(|dropped| dropped.map(|dropped| dropped.pass + 1))));
        }
        batch(self.schema(), columns)
    }
}

/// clusters: one row a document of the input, in input order.
pub struct ClusterRows<'a> {
    /// Names and places.
    pub names: &'a Names<'a>,
    /// Leader groups.
    pub verdicts: &'a Verdicts,
    /// Components.
    pub clusters: &'a Clusters,
}

impl Table for ClusterRows<'_> {
    fn schema(&self) -> SchemaRef {
        use DataType::{UInt32, Utf8};
        let columns = [
            ("id", Utf8, false),
            ("cluster", Utf8, false),
            ("leader", Utf8, false),
            ("size", UInt32, false),
            ("shared", UInt32, true),
            ("id_size", UInt32, true),
            ("leader_size", UInt32, true),
        ];
        schema(&columns, &self.names.extra(true))
    }

    fn rows(&self) -> usize {
        self.names.documents.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let names = self.names;
        let documents = &names.documents[rows];
        let dropped: Vec<_> = documents.iter().map(|&document| self.verdicts.get(document)).collect();
        let leader = |(&document, dropped): (&u32, &Option<&Dropped>)| dropped.map_or(document, |dropped| self.verdicts.leader_of(dropped));
        let leaders: Vec<u32> = documents.iter().zip(&dropped).map(leader).collect();
        let overlaps: Vec<Option<Overlap>> = dropped.iter().map(|dropped| self.verdicts.met_leader((*dropped)?)).collect();
        let overlap = |pick: fn(Overlap) -> u32| counts(overlaps.iter().map(|overlap| overlap.map(pick)));
        let mut columns: Vec<ArrayRef> = vec![
            names.id(documents.iter().copied()),
            names.id(documents.iter().map(|&document| self.clusters.of(document))),
            names.id(leaders.iter().copied()),
            counts(documents.iter().map(|&document| Some(self.clusters.size(document)))),
            overlap(|overlap| overlap.shared),
            overlap(|overlap| overlap.left),
            overlap(|overlap| overlap.right),
        ];
        if names.against {
            columns.push(Arc::new(leaders.iter().map(|&leader| Some(names.origin(leader))).collect::<StringArray>()));
        }
        if names.passes > 1 {
            columns.push(counts(dropped.iter().map(|dropped| dropped.map(|dropped| dropped.pass + 1))));
        }
        batch(self.schema(), columns)
    }
}

/// pairs: one row a pair, in the order of the ids.
pub struct PairRows<'a> {
    /// Names and places.
    pub names: &'a Names<'a>,
    /// The pairs, ordered.
    pub pairs: Pairs<'a>,
    /// Whether each pass checks every pair on its features.
    pub verified: &'a [bool],
}

impl Table for PairRows<'_> {
    fn schema(&self) -> SchemaRef {
        use DataType::{Boolean, Float64, UInt32, Utf8};
        let columns = [
            ("left", Utf8, false),
            ("right", Utf8, false),
            ("rule", Utf8, false),
            ("shared", UInt32, false),
            ("left_size", UInt32, false),
            ("right_size", UInt32, false),
            ("resemblance", Float64, false),
            ("left_in_right", Float64, false),
            ("right_in_left", Float64, false),
            ("verified", Boolean, false),
        ];
        schema(&columns, &self.names.extra_of_evidence(false))
    }

    fn rows(&self) -> usize {
        self.pairs.len()
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let pairs = self.pairs.read(rows)?;
        let overlaps: Vec<Option<Overlap>> = pairs.iter().map(|pair| Some(pair.overlap)).collect();
        let mut columns: Vec<ArrayRef> = vec![
            self.names.id(pairs.iter().map(|pair| pair.left)),
            self.names.id(pairs.iter().map(|pair| pair.right)),
            Arc::new(pairs.iter().map(|pair| Some(pair.rule.name())).collect::<StringArray>()),
            counts(pairs.iter().map(|pair| Some(pair.overlap.shared))),
            counts(pairs.iter().map(|pair| Some(pair.overlap.left))),
            counts(pairs.iter().map(|pair| Some(pair.overlap.right))),
            shares(&overlaps, Overlap::resemblance),
            shares(&overlaps, Overlap::left_in_right),
            shares(&overlaps, Overlap::right_in_left),
            Arc::new(pairs.iter().map(|pair| Some(pair.rule.is_certain() || self.verified[pair.pass as usize])).collect::<BooleanArray>()),
        ];
        if self.names.decides {
            columns.push(values(pairs.iter().map(|pair| pair.value)));
        }
        if self.names.passes > 1 {
            columns.push(counts(pairs.iter().map(|pair| Some(pair.pass + 1))));
        }
        batch(self.schema(), columns)
    }
}
