//! Schemas: the columns of the tables of a run, each stated once.
//!
//! A column states its name, its type, the runs that have it, its meaning, and how its values are made. The Parquet files and
//! docs/reference/outputs.md follow from these lists. So do the digests, which hash the columns that are marked for them.

use crate::Result;
use crate::tables::names::TableNames;
use crate::tables::table::batch;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::Arc;

/// The runs whose tables have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKinds {
    /// All runs.
    All,
    /// Runs of a scheme in which another number than the share of features decides.
    OfEstimates,
    /// Runs with a reference.
    Against,
    /// Runs with several passes.
    OfPasses,
    /// Sketches whose values have levels.
    OfLevels,
    /// Runs of web archives, or with a field of URLs.
    OfUrls,
    /// Runs of web archives.
    OfArchives,
}

impl RunKinds {
    fn include(self, names: &TableNames<'_>) -> bool {
        match self {
            RunKinds::All => true,
            RunKinds::OfEstimates => names.decides,
            RunKinds::Against => names.against,
            RunKinds::OfPasses => names.passes > 1,
            RunKinds::OfLevels => names.has_levels,
            RunKinds::OfUrls => names.has_urls,
            RunKinds::OfArchives => names.has_archives,
        }
    }
}

/// A column of a table whose rows are made from an `S`.
pub struct Column<S: ?Sized> {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: DataType,
    /// Whether a value may be missing.
    pub nullable: bool,
    /// The runs that have it.
    pub runs: RunKinds,
    /// Whether the digest of the table includes it.
    pub digested: bool,
    /// Its meaning, for the reference.
    pub meaning: &'static str,
    /// Returns its values in some rows.
    pub values: fn(&S) -> ArrayRef,
}

impl<S: ?Sized> Column<S> {
    /// Creates a column that all runs have, that has no missing values, and that the digest includes.
    pub fn new(name: &'static str, kind: DataType, meaning: &'static str, values: fn(&S) -> ArrayRef) -> Self {
        Column { name, kind, nullable: false, runs: RunKinds::All, digested: true, meaning, values }
    }

    /// Allows missing values in the column.
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Marks the column as derived from others, so the digest does not include it.
    pub fn derived(mut self) -> Self {
        self.digested = false;
        self
    }

    /// Restricts the column to some runs.
    pub fn of(mut self, runs: RunKinds) -> Self {
        self.runs = runs;
        self
    }
}

/// Names of the columns that say which two documents a row is about.
pub struct PairColumns {
    /// Id of the left document.
    pub left: &'static str,
    /// Id of the right document.
    pub right: &'static str,
    /// Id of the group or cluster, if the table has one.
    pub cluster: Option<&'static str>,
    /// Number of features that both share, of the left document, and of the right one.
    pub counts: [&'static str; 3],
}

/// Returns the schema of a table in a run.
pub fn schema<S: ?Sized>(columns: &[Column<S>], names: &TableNames<'_>) -> SchemaRef {
    let present = columns.iter().filter(|column| column.runs.include(names));
    Arc::new(Schema::new(present.map(|column| Field::new(column.name, column.kind.clone(), column.nullable)).collect::<Vec<_>>()))
}

/// Returns some rows of a table in a run.
pub fn record_batch<S: ?Sized>(columns: &[Column<S>], names: &TableNames<'_>, slice: &S) -> Result<RecordBatch> {
    let present = columns.iter().filter(|column| column.runs.include(names));
    batch(schema(columns, names), present.map(|column| (column.values)(slice)).collect())
}

/// Description of a column, for the reference and for the oracle of digests.
#[derive(Clone, Debug)]
pub struct ColumnDescription {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub name: &'static str,
    /// Its type, as the reference writes it.
    pub kind: &'static str,
    /// Whether the digest of the table includes it.
    pub digested: bool,
    /// Its meaning.
    pub meaning: &'static str,
}

/// Describes the columns of a table.
pub fn describe<S: ?Sized>(table: &'static str, columns: &[Column<S>]) -> Vec<ColumnDescription> {
    let kind = |kind: &DataType| match kind {
        DataType::Utf8 => "string",
        DataType::UInt64 => "uint64",
        DataType::UInt32 => "uint32",
        DataType::Float64 => "double",
        DataType::List(_) => "list of uint64",
        _ => "bool",
    };
    let described = columns.iter().map(|column| ColumnDescription {
        table,
        name: column.name,
        kind: kind(&column.kind),
        digested: column.digested,
        meaning: column.meaning,
    });
    described.collect()
}
