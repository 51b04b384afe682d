//! Scheme lines.

use crate::errors::raised;
use neardup_core::keys::Cost;
use neardup_core::promise::{Grid, Recall, probability_of};
use neardup_core::scheme::{self, Argument, table};
use pyo3::prelude::*;

type Entry = (String, String, String, String, String);

/// A scheme line with every choice filled in.
pub fn parse(py: Python<'_>, line: &str) -> PyResult<scheme::Scheme> {
    resolved(line, "0.99").map_err(|error| raised(py, &error.into()))
}

/// A scheme line with what is `auto` chosen to keep `recall`.
pub fn resolved(line: &str, recall: &str) -> neardup_core::Result<scheme::Scheme> {
    line.parse::<scheme::Scheme>()?.resolve(&recall.parse()?)
}

/// The bands of a scheme of one pass, each kind with how many must be shared, whether or not they promise anything.
fn grids(scheme: &scheme::Scheme) -> Vec<(u64, Grid)> {
    let grid = |keys: &scheme::Stage| match keys.args() {
        &[Argument::Grid(grid)] => Some((keys.options().matches(), grid)),
        _ => None,
    };
    match scheme.passes() {
        [pass] => pass.keys().iter().filter_map(grid).collect(),
        _ => Vec::new(),
    }
}

#[pyclass(module = "neardup._core", frozen, name = "Scheme")]
pub struct Scheme(scheme::Scheme);

#[pymethods]
impl Scheme {
    #[new]
    fn new(py: Python<'_>, line: &str) -> PyResult<Self> {
        parse(py, line).map(Scheme)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }

    #[getter]
    fn verified(&self) -> bool {
        self.0.is_verified()
    }

    #[getter]
    fn bands(&self) -> Option<(u64, u64)> {
        grids(&self.0).first().map(|(_, grid)| (grid.bands, grid.rows))
    }

    #[getter]
    fn threshold(&self) -> Option<String> {
        self.0.passes()[0].threshold().map(|threshold| threshold.to_string())
    }
}

#[pyfunction]
pub fn plan(py: Python<'_>, threshold: &str, recall: &str) -> PyResult<String> {
    planned(threshold, recall).map(|scheme| scheme.to_string()).map_err(|error| raised(py, &error.into()))
}

/// The default scheme for a threshold and a recall.
pub fn planned(threshold: &str, recall: &str) -> neardup_core::Result<scheme::Scheme> {
    scheme::Scheme::plan(&threshold.parse()?, &recall.parse::<Recall>()?)
}

#[pyfunction]
pub fn curve(py: Python<'_>, scheme: &str, points: usize) -> PyResult<Vec<(f64, f64)>> {
    let grids = grids(&parse(py, scheme)?);
    if grids.is_empty() {
        return Ok(Vec::new());
    }
    // Kinds of bands share slots, so their chances do not add up: the best one counts.
    let shared = |s: f64| grids.iter().map(|(least, grid)| probability_of(*least, grid.bands, grid.rows, s)).fold(0.0, f64::max);
    let last = points.saturating_sub(1).max(1) as f64;
    Ok((0..points).map(|point| point as f64 / last).map(|s| (s, shared(s))).collect())
}

#[pyfunction]
pub fn schemes() -> Vec<Entry> {
    let owned = |text: &str| text.to_owned();
    table().map(|(kind, entry)| (owned(kind.name()), entry.form(), entry.arguments(), owned(entry.meaning), owned(entry.paper))).collect()
}

/// A plan: its name, tables, bits of the shortest key, fingerprints that share it by chance, pairs that share any.
type BlockPlan = (&'static str, u64, u64, u128, u128);

#[pyfunction]
pub fn block_plans(py: Python<'_>, documents: u64, bits: u64, distance: u64) -> PyResult<Vec<BlockPlan>> {
    let number = |written: u64, allowed| raised(py, &neardup_core::Error::Number { written: written.to_string(), allowed }.into());
    if !(2..=1024).contains(&bits) {
        return Err(number(bits, "a number of bits: write one from 2 to 1024"));
    }
    if distance > 31 || distance + 2 > bits {
        return Err(number(distance, "a distance: write a whole number from 0 to 31, and 2 less than the bits or smaller"));
    }
    let row = |cost: Cost| (cost.plan.name(), cost.tables, cost.prefix, cost.candidates, cost.compares);
    Ok(Cost::all(documents, bits as usize, distance as usize).map(row).into())
}
