//! Options of a job, read from a dictionary; `make docs` writes this file.

use crate::jobs::dictionary::Dictionary;
use neardup_engine::JobOptions;
use pyo3::PyResult;

/// Reads the options of a job; those that are missing or None have their defaults.
pub fn read_options(given: &Dictionary<'_>) -> PyResult<JobOptions> {
    let default = JobOptions::default();
    Ok(JobOptions {
        output: given.get("output")?,
        threshold: given.get("threshold")?,
        recall: given.get("recall")?,
        scheme: given.get("scheme")?,
        keep: given.parse("keep")?,
        prefer: given.get("prefer")?.unwrap_or(default.prefer),
        against_text_field: given.get("against_text_field")?,
        against_html_field: given.get("against_html_field")?,
        against_id_field: given.get("against_id_field")?,
        against_time_field: given.get("against_time_field")?,
        only_against: given.get("only_against")?.unwrap_or(default.only_against),
        group_field: given.get("group_field")?,
        groups: given.get("groups")?,
        min_tokens: given.get("min_tokens")?,
        one_per: given.get("one_per")?,
        text_field: given.get("text_field")?,
        html_field: given.get("html_field")?,
        main_content: given.get("main_content")?.unwrap_or(default.main_content),
        extractor: given.get("extractor")?,
        quoted_tsv: given.get("quoted_tsv")?.unwrap_or(default.quoted_tsv),
        csv: given.get("csv")?,
        encoding: given.get("encoding")?,
        include: given.get("include")?.unwrap_or(default.include),
        exclude: given.get("exclude")?.unwrap_or(default.exclude),
        source_code: given.get("source_code")?.unwrap_or(default.source_code),
        id_field: given.get("id_field")?,
        url_field: given.get("url_field")?,
        time_field: given.get("time_field")?,
        time_unit: given.parse("time_unit")?.unwrap_or(default.time_unit),
        on_error: given.parse("on_error")?.unwrap_or(default.on_error),
        max_family: given.get("max_family")?.unwrap_or(default.max_family),
        forest: given.get("forest")?.unwrap_or(default.forest),
        pairs: given.get("pairs")?.unwrap_or(default.pairs),
        passages: given.get("passages")?.unwrap_or(default.passages),
        cut: given.parse("cut")?.unwrap_or(default.cut),
        least: given.get("least")?.unwrap_or(default.least),
        past: given.get("past")?,
        no_kept: given.get("no_kept")?.unwrap_or(default.no_kept),
        write_dropped: given.get("write_dropped")?.unwrap_or(default.write_dropped),
        add_fields: given.get("add_fields")?,
        keep_per_duplicate: given.get("keep_per_duplicate")?.unwrap_or(default.keep_per_duplicate),
        index: given.get("index")?.unwrap_or(default.index),
        threads: given.get("threads")?,
        memory: given.get("memory")?,
        overwrite: given.get("overwrite")?.unwrap_or(default.overwrite),
        command: given.get("command")?,
        chunk: given.get("chunk")?.unwrap_or(default.chunk),
    })
}
