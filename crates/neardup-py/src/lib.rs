//! The Python module: thin doors on the engine. The docstrings stand in `_core.pyi`.

mod archive;
mod collect;
mod errors;
mod evaluation;
mod evidence;
mod explain;
mod extract;
mod following;
mod held;
mod index;
mod index_rows;
mod large;
mod lexicon;
mod options;
mod outputs;
mod overlaps;
mod pages;
mod read;
mod recluster;
mod repair;
mod run;
mod scheme;
mod search;
mod splits;
mod spread;
mod table;
mod texts;
mod time;
mod waiting;

#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::collect::collect;
    #[pymodule_export]
    use super::evaluation::{read_table, unpack};
    #[pymodule_export]
    use super::evidence::{evidence, reading};
    #[pymodule_export]
    use super::explain::{count, explain, locate, measure};
    #[pymodule_export]
    use super::index::Index;
    #[pymodule_export]
    use super::lexicon::build_lexicon;
    #[pymodule_export]
    use super::outputs::{OutputFolder, kind_of_folder, refuse_inputs, remove_folder, take_folder, write_output};
    #[pymodule_export]
    use super::overlaps::overlaps;
    #[pymodule_export]
    use super::pages::{evaluation_page, page_style, sweeps_page, sweeps_plots};
    #[pymodule_export]
    use super::read::{Reader, read};
    #[pymodule_export]
    use super::recluster::{at_thresholds, recluster};
    #[pymodule_export]
    use super::repair::Repair;
    #[pymodule_export]
    use super::run::{Result, run};
    #[pymodule_export]
    use super::scheme::{Scheme, block_plans, curve, plan, schemes};
    #[pymodule_export]
    use super::search::{query_terms, search_terms};
    #[pymodule_export]
    use super::splits::{SplitReader, keep_source, sources, tell_reject};
    #[pymodule_export]
    use super::spread::{Digest, Meeting, Tasks, chosen_scheme, digest_rows, families, what_counts, write_lexicon};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::texts::compare_texts;
    #[pymodule_export]
    use super::time::{of_micros, parse_time, to_micros};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::large::settle();
        module.add("frame_least", neardup_core::hosts::LEAST)?;
        module.add("frame_most", neardup_core::hosts::MOST)?;
        module.add("machine_memory", neardup_engine::memory())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("unicode_version", neardup_text::UNICODE_VERSION)
    }
}
