//! The Python module: thin wrappers of the engine. The docstrings are in `_core.pyi`.

mod documents;
mod errors;
mod jobs;
mod live;
mod reports;
mod scheme;
mod system;

#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::documents::charset::decode_page;
    #[pymodule_export]
    use super::documents::collect::collect;
    #[pymodule_export]
    use super::documents::columns::collect_columns;
    #[pymodule_export]
    use super::documents::decoded::decode_text;
    #[pymodule_export]
    use super::documents::formats::formats;
    #[pymodule_export]
    use super::documents::labels::{pack, read_table, unpack};
    #[pymodule_export]
    use super::documents::places::place_of;
    #[pymodule_export]
    use super::documents::table::ArrowTable;
    #[pymodule_export]
    use super::documents::time::{of_micros, parse_time, to_micros, write_time};
    #[pymodule_export]
    use super::jobs::columns::result_tables;
    #[pymodule_export]
    use super::jobs::evidence::{evidence, reading};
    #[pymodule_export]
    use super::jobs::explain::{count, explain, measure, tokens};
    #[pymodule_export]
    use super::jobs::keep_rows::keep_rows;
    #[pymodule_export]
    use super::jobs::lexicon::build_lexicon;
    #[pymodule_export]
    use super::jobs::overlaps::overlaps;
    #[pymodule_export]
    use super::jobs::read::{DocumentReader, read};
    #[pymodule_export]
    use super::jobs::recluster::{at_thresholds, recluster};
    #[pymodule_export]
    use super::jobs::run::{JobResult, run};
    #[pymodule_export]
    use super::jobs::sources::{Sources, chosen_scheme};
    #[pymodule_export]
    use super::jobs::spread::{RunDriver, needed_columns, pack_rows, run_stage};
    #[pymodule_export]
    use super::live::index::Index;
    #[pymodule_export]
    use super::live::repair::Repair;
    #[pymodule_export]
    use super::live::search::{query_terms, search_terms};
    #[pymodule_export]
    use super::reports::pages::{changes_page, evaluation_page, page_style, sweeps_page, sweeps_plots};
    #[pymodule_export]
    use super::reports::texts::{compare_texts, difference, title};
    #[pymodule_export]
    use super::scheme::{Scheme, block_plans, comment_styles, curve, folds, plan, schemes};
    #[pymodule_export]
    use super::system::outputs::{OutputFolder, kind_of_folder, refuse_inputs, remove_folder, take_folder, write_output};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::system::huge_pages::settle();
        module.add("driver_stage", neardup_engine::distributed::StageName::Driver as i8)?;
        module.add("home_stage", neardup_engine::distributed::StageName::Home as i8)?;
        module.add("rows_step", neardup_engine::distributed::ROWS)?;
        module.add("table_stage", neardup_engine::distributed::StageName::Table as i8)?;
        module.add("machine_memory", neardup_engine::memory())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("tokens_version", neardup_text::TOKENS_VERSION)?;
        module.add("unicode_version", neardup_text::UNICODE_VERSION)?;
        module.add("digest_version", neardup_engine::DIGEST_VERSION)
    }
}
