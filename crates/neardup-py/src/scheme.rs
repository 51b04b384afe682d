//! Scheme lines.

use crate::errors::raised;
use neardup_core::keys::BlockCost;
use neardup_core::keys::promise::RecallPromise;
use neardup_core::scheme::{self, Argument, table};
use neardup_engine::Counts;
use neardup_text::{CommentStyle, Fold};
use pyo3::prelude::*;

type EntryTuple = (String, String, String, String, String);

/// Parses a scheme line, and fills in every choice.
pub fn parse(py: Python<'_>, line: &str) -> PyResult<scheme::Scheme> {
    resolved(line, "0.99").map_err(|error| raised(py, &error.into()))
}

/// Parses a scheme line, and chooses everything that is `auto` to keep `recall`.
pub fn resolved(line: &str, recall: &str) -> neardup_core::Result<scheme::Scheme> {
    line.parse::<scheme::Scheme>()?.resolve(&recall.parse()?)
}

#[pyclass(module = "neardup._core", frozen, name = "Scheme")]
pub struct Scheme(pub scheme::Scheme);

#[pymethods]
impl Scheme {
    #[new]
    fn new(py: Python<'_>, line: &str) -> PyResult<Self> {
        parse(py, line).map(Scheme)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    #[pyo3(signature = (capped, *, documents, without_features, short, signs_only, of_records))]
    fn notes_of_run(
        &self,
        capped: Vec<usize>,
        documents: u64,
        without_features: u64,
        short: u64,
        signs_only: Option<u64>,
        of_records: Vec<String>,
    ) -> Vec<String> {
        let counts = Counts { documents, without_features, short, signs_only, ..Counts::default() };
        let of_scheme = self.0.notes_of_run(|pass| capped.contains(&(pass + 1)));
        counts.notes(&self.0).into_iter().chain(of_records).chain(of_scheme).collect()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }

    #[getter]
    fn subjects(&self) -> Vec<Option<String>> {
        self.0.passes().iter().map(scheme::Pass::subject).collect()
    }

    #[getter]
    fn keeping_signs(&self) -> Vec<Option<String>> {
        self.0.passes().iter().map(scheme::Pass::keeping_signs).collect()
    }

    #[getter]
    fn files(&self) -> Vec<String> {
        self.0.files().map(|path| path.display().to_string()).collect()
    }

    #[getter]
    fn verified(&self) -> bool {
        self.0.is_verified()
    }

    #[getter]
    fn bands(&self) -> Option<(u64, u64)> {
        let grid = |keys: &scheme::Stage| if let &[Argument::Grid(grid)] = keys.args() { Some(grid) } else { None };
        self.0.passes()[0].keys().iter().find_map(grid).map(|grid| (grid.bands, grid.rows))
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

/// Returns the default scheme for a threshold and a recall.
pub fn planned(threshold: &str, recall: &str) -> neardup_core::Result<scheme::Scheme> {
    scheme::Scheme::plan(&threshold.parse()?, &recall.parse::<RecallPromise>()?)
}

#[pyfunction]
pub fn curve(py: Python<'_>, scheme: &str, points: usize) -> PyResult<Vec<(f64, f64)>> {
    let scheme = parse(py, scheme)?;
    Ok(scheme.passes()[0].chance().map(|keys| keys.curve(points)).unwrap_or_default())
}

#[pyfunction]
pub fn schemes() -> Vec<EntryTuple> {
    let owned = |text: &str| text.to_owned();
    table().map(|(kind, entry)| (owned(kind.name()), entry.form(), entry.arguments(), owned(entry.meaning), owned(entry.paper))).collect()
}

#[pyfunction]
pub fn folds() -> Vec<(&'static str, &'static str)> {
    Fold::ALL.iter().map(|fold| (fold.name, fold.meaning)).collect()
}

#[pyfunction]
pub fn comment_styles() -> Vec<(&'static str, &'static str)> {
    CommentStyle::ALL.iter().map(|style| (style.name, style.meaning)).collect()
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
    let row = |cost: BlockCost| (cost.plan.name(), cost.tables, cost.prefix, cost.candidates, cost.compares);
    Ok(BlockCost::all(documents, bits as usize, distance as usize).map(row).into())
}
