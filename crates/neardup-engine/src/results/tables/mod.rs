//! The tables of a run: decisions, clusters and pairs.

pub(crate) mod clusters;
pub(crate) mod decisions;
pub(crate) mod pairs;

use crate::results::schema::{ColumnDescription, describe};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt32Array};
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use std::sync::Arc;

/// Describes the columns of all these tables.
pub fn described() -> Vec<ColumnDescription> {
    [describe("decisions", &decisions::columns()), describe("clusters", &clusters::columns()), describe("pairs", &pairs::columns())]
        .concat()
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
