//! The options of a job; `make docs` writes them from the table in python/neardup/options.

use crate::documents::order::Keep;
use crate::job::passage_cuts::PassageUnit;
use neardup_corpus::{OnError, TimeUnit};
use std::fmt::Debug;
use std::path::PathBuf;

/// The options of a job.
#[derive(Clone, Debug)]
pub struct JobOptions {
    /// Folder for the results; it appears when all of them are complete. For dedup also -, which writes the kept records, and nothing else, to the standard output. By default results stay in memory.
    pub output: Option<PathBuf>,
    /// Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a named scheme. At 1, signs are compared too, if no scheme is named. By default 0.8.
    pub threshold: Option<String>,
    /// Probability of finding a pair exactly at the threshold, or 'exact' to find every pair. By default 0.99.
    pub recall: Option<String>,
    /// A whole scheme line, which states its own threshold, or the name of a profile or a classic.
    pub scheme: Option<String>,
    /// Which document of a group is the original: earliest, first, latest, longest, shortest, or the one with the greatest or least number in a field, highest:FIELD or lowest:FIELD. By default earliest with `time_field`, else first.
    pub keep: Option<Keep>,
    /// Values of a field, best first; a better value decides before `keep`. FIELD^=VALUE is a value by its beginning; of several fields the first decides first.
    pub prefer: Vec<(String, Vec<String>, bool)>,
    /// Field with the text of a reference. By default that of the input, `text_field`.
    pub against_text_field: Option<String>,
    /// Field with the HTML of a reference. By default that of the input, `html_field`.
    pub against_html_field: Option<String>,
    /// Field with the id of a reference. By default that of the input, `id_field`.
    pub against_id_field: Option<String>,
    /// Field with the time of a reference. By default that of the input, `time_field`.
    pub against_time_field: Option<String>,
    /// Only what meets the reference counts: repeats inside the input are left alone.
    pub only_against: bool,
    /// Field with the group of a document, as its user or its site; the summary counts every group.
    pub group_field: Option<String>,
    /// Which pairs count by `group_field`: within one group, or across groups. By default all pairs.
    pub groups: Option<String>,
    /// Documents of fewer tokens are kept, compared with nothing, and counted. By default none.
    pub min_tokens: Option<usize>,
    /// What one document is kept of: a leader and the documents that meet it, or a component, in which documents are connected by chains of pairs.
    pub one_per: Option<String>,
    /// Field with the text. By default text.
    pub text_field: Option<String>,
    /// Field with HTML, from which the text is taken instead.
    pub html_field: Option<String>,
    /// Take the main content of HTML only, without navigation and the like.
    pub main_content: bool,
    /// What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By default auto; in an index or a store the one that it was made with.
    pub extractor: Option<String>,
    /// Fields of TSV may be in double quotes, as those of CSV.
    pub quoted_tsv: bool,
    /// How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By default found out: , ; tab or |.
    pub csv: Option<String>,
    /// Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses it. By default utf-8.
    pub encoding: Option<String>,
    /// Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
    pub include: Vec<String>,
    /// Do not read files that match a pattern, by name or by path below the folder.
    pub exclude: Vec<String>,
    /// Source files of folders are read, too.
    pub source_code: bool,
    /// Field with the id. By default none; an id is source and row.
    pub id_field: Option<String>,
    /// Field with the URL.
    pub url_field: Option<String>,
    /// Field with the time: a date-time, a date or a number of Unix seconds.
    pub time_field: Option<String>,
    /// Unit of times that are numbers, counted from 1970.
    pub time_unit: TimeUnit,
    /// At a record that cannot be used: stop, or skip it and list it in rejects.jsonl.
    pub on_error: OnError,
    /// Largest group of equal documents, or of one key, whose pairs are all listed or compared.
    pub max_family: usize,
    /// Write what `recluster` needs for every higher threshold, too: forest.parquet, and thresholds to choose in report.html.
    pub forest: bool,
    /// List every pair, too: pairs.parquet.
    pub pairs: bool,
    /// Find the passages that the two documents of every pair share: passages.parquet.
    pub passages: bool,
    /// What is cut: the sentences or lines that lie inside a passage, or all its tokens.
    pub cut: PassageUnit,
    /// A document that was cut and has fewer tokens left is dropped.
    pub least: usize,
    /// With the engine Spark or Ray: a folder with what earlier runs kept. Documents are decided as if those came before, and added.
    pub past: Option<PathBuf>,
    /// Do not write the kept documents.
    pub no_kept: bool,
    /// Write the dropped documents, too: files in the folder dropped of the output, as those in kept.
    pub write_dropped: bool,
    /// Columns of the decisions that are written into the kept records as fields: duplicate_id, group_size, id, source, row; COLUMN=NAME gives the field another name.
    pub add_fields: Option<String>,
    /// Documents of each group of duplicates that stay, the first in policy order; 0 drops every document that has a duplicate.
    pub keep_per_duplicate: usize,
    /// Write an index of all documents, too, in the folder index of the output.
    pub index: bool,
    /// Worker threads; results do not depend on them. By default the cores there are.
    pub threads: Option<usize>,
    /// Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there is.
    pub memory: Option<usize>,
    /// Replace a result that is already in the output folder.
    pub overwrite: bool,
    /// How the run was started, as run.json and the report show it.
    pub command: Option<String>,
    /// Bytes read at once, at least 4,096; results do not depend on them.
    pub chunk: usize,
}

impl Default for JobOptions {
    fn default() -> Self {
        JobOptions {
            output: None,
            threshold: None,
            recall: None,
            scheme: None,
            keep: None,
            prefer: Vec::new(),
            against_text_field: None,
            against_html_field: None,
            against_id_field: None,
            against_time_field: None,
            only_against: false,
            group_field: None,
            groups: None,
            min_tokens: None,
            one_per: None,
            text_field: None,
            html_field: None,
            main_content: false,
            extractor: None,
            quoted_tsv: false,
            csv: None,
            encoding: None,
            include: Vec::new(),
            exclude: Vec::new(),
            source_code: false,
            id_field: None,
            url_field: None,
            time_field: None,
            time_unit: TimeUnit::S,
            on_error: OnError::Stop,
            max_family: 10_000,
            forest: false,
            pairs: false,
            passages: false,
            cut: PassageUnit::Sentences,
            least: 1,
            past: None,
            no_kept: false,
            write_dropped: false,
            add_fields: None,
            keep_per_duplicate: 1,
            index: false,
            threads: None,
            memory: None,
            overwrite: false,
            command: None,
            chunk: 2_097_152,
        }
    }
}

impl JobOptions {
    /// The options that results depend on, as text: part of the identity of a run.
    pub(crate) fn identity(&self) -> String {
        let JobOptions {
            output: _,
            threshold: _,
            recall: _,
            scheme: _,
            keep,
            prefer,
            against_text_field,
            against_html_field,
            against_id_field,
            against_time_field,
            only_against,
            group_field,
            groups,
            min_tokens,
            one_per,
            text_field,
            html_field,
            main_content,
            extractor,
            quoted_tsv,
            csv,
            encoding,
            include,
            exclude,
            source_code,
            id_field,
            url_field,
            time_field,
            time_unit,
            on_error,
            max_family,
            forest,
            pairs,
            passages,
            cut,
            least,
            past,
            no_kept,
            write_dropped,
            add_fields,
            keep_per_duplicate,
            index,
            threads: _,
            memory: _,
            overwrite: _,
            command: _,
            chunk: _,
        } = self;
        let deciding: [&dyn Debug; 38] = [
            keep,
            prefer,
            against_text_field,
            against_html_field,
            against_id_field,
            against_time_field,
            only_against,
            group_field,
            groups,
            min_tokens,
            one_per,
            text_field,
            html_field,
            main_content,
            extractor,
            quoted_tsv,
            csv,
            encoding,
            include,
            exclude,
            source_code,
            id_field,
            url_field,
            time_field,
            time_unit,
            on_error,
            max_family,
            forest,
            pairs,
            passages,
            cut,
            least,
            past,
            no_kept,
            write_dropped,
            add_fields,
            keep_per_duplicate,
            index,
        ];
        format!("{deciding:?}")
    }
}
