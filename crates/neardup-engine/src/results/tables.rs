//! The tables of a run: decisions, clusters and pairs.

use crate::Result;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::{Dropped, Verdicts};
use crate::findings::pairs::Pairs;
use crate::tables::names::Names;
use crate::tables::table::{ROW, Table, batch, schema};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, SchemaRef};
use neardup_core::decide::value::Value;
use neardup_core::measures::Overlap;
use std::ops::Range;
use std::sync::Arc;

fn counts(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    Arc::new(values.collect::<UInt32Array>())
}

fn values(values: impl Iterator<Item = Value>) -> ArrayRef {
    Arc::new(values.map(Value::get).collect::<Float64Array>())
}

fn shares<'a>(overlaps: &'a [Option<Overlap>], share: impl Fn(Overlap) -> f64 + 'a) -> ArrayRef {
    Arc::new(overlaps.iter().map(|overlap| overlap.map(&share)).collect::<Float64Array>())
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
