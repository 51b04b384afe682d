//! The tables of a run: decisions, clusters and pairs.

pub(crate) mod clusters;
pub(crate) mod decisions;
pub(crate) mod pairs;

use crate::findings::passages;
use crate::results::sketches;
use crate::tables::page_columns::DATE;
use crate::tables::schema::{Column, ColumnDescription, RunKinds, describe};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt32Array};
use arrow_schema::{Field, Schema, SchemaRef};
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use std::sync::Arc;

/// Describes the columns of these tables, of passages of pairs and of sketches.
pub fn described() -> Vec<ColumnDescription> {
    let columns = [
        describe("decisions", &decisions::columns()),
        describe("clusters", &clusters::columns()),
        describe("pairs", &pairs::columns()),
        describe("passages of pairs", &passages::columns()),
        describe("sketches", &sketches::columns()),
    ];
    columns.concat()
}

/// The tables of a run that an index has, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexTable {
    /// One row per document, with its verdict.
    Decisions,
    /// One row per document, with its cluster.
    Clusters,
}

impl IndexTable {
    /// Returns the columns that an index can fill: those of all runs, and URL, host and date of the document.
    pub fn schema(self) -> SchemaRef {
        match self {
            IndexTable::Decisions => of_index(&decisions::columns()),
            IndexTable::Clusters => of_index(&clusters::columns()),
        }
    }
}

fn of_index<S>(columns: &[Column<S>]) -> SchemaRef {
    let filled = columns.iter().filter(|column| matches!(column.runs, RunKinds::All | RunKinds::OfUrls) || column.name == DATE);
    Arc::new(Schema::new(filled.map(|column| Field::new(column.name, column.kind.clone(), column.nullable)).collect::<Vec<_>>()))
}

fn texts<'a>(values: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

fn counts(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    Arc::new(values.collect::<UInt32Array>())
}

fn flags(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    Arc::new(values.collect::<BooleanArray>())
}

fn numbers(values: impl Iterator<Item = PairValue>) -> ArrayRef {
    Arc::new(values.map(PairValue::get).collect::<Float64Array>())
}

fn parts(overlaps: &[Option<Overlap>], part: fn(Overlap) -> u32) -> ArrayRef {
    counts(overlaps.iter().map(|overlap| overlap.map(part)))
}

fn shares(overlaps: &[Option<Overlap>], share: fn(Overlap) -> f64) -> ArrayRef {
    Arc::new(overlaps.iter().map(|overlap| overlap.map(share)).collect::<Float64Array>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_pairs_are_in_their_tables() {
        let described = described();
        for (table, pair) in [("decisions", decisions::PAIR), ("clusters", clusters::PAIR), ("pairs", pairs::PAIR)] {
            let names: Vec<&str> = described.iter().filter(|column| column.table == table).map(|column| column.name).collect();
            let wanted = [pair.left, pair.right].into_iter().chain(pair.cluster).chain(pair.counts);
            assert_eq!(wanted.filter(|name| !names.contains(name)).collect::<Vec<_>>(), Vec::<&str>::new(), "{table}");
        }
    }
}
