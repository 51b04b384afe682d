//! What records lack: the fields of the address, the time and the preference, the line end, and the zone of a time.

use crate::documents::chunk::LackCounts;
use crate::documents::order::Keep;
use crate::documents::signed::SignedCorpus;
use crate::job::Job;
use crate::{Error, Result};
use neardup_corpus::{Fields, Format, MissingFields, Preference, Source, field_names, unused_values};
use std::collections::BTreeSet;

/// Number of files that a note names; of more files it names the first.
const NAMED: usize = 5;

/// Returns the names of the fields of a source; none if the source is damaged, which is reported when it is read.
fn names_in(source: &Source, fields: &Fields) -> Result<Vec<String>> {
    match field_names(source, fields) {
        Err(neardup_corpus::Error::Damaged { .. }) => Ok(Vec::new()),
        names => Ok(names?),
    }
}

/// Refuses the fields of a job that none of its inputs can have. `sources` are those of the input and of the reference.
pub fn refuse_fields<'s>(job: &Job<'_>, sources: impl Iterator<Item = &'s Source> + Clone) -> Result<()> {
    // The fields of tables in memory are those of the caller.
    if job.batch_streams().next().is_none() {
        refuse_texts_of_archives(&job.fields, sources.clone())?;
    }
    refuse_unknown(&job.fields, job.names_reference_fields(), job.stream_fields(), sources)
}

/// Refuses a field that none of the inputs has, if all of them are tables: then the records need not be read to know. `in_streams` are
/// the names of the fields of tables in memory. `has_other_texts` says that the texts of a reference are in fields of their own.
pub fn refuse_unknown<'s>(
    fields: &Fields,
    has_other_texts: bool,
    in_streams: Vec<String>,
    sources: impl Iterator<Item = &'s Source> + Clone,
) -> Result<()> {
    let named = fields.named();
    let is_table = |source: &Source| (source.format.is_table() || source.format.is_archive()) && !source.is_stdin();
    if named.iter().all(Option::is_none) || !sources.clone().all(is_table) {
        return Ok(());
    }
    let mut there = in_streams;
    for source in sources {
        there.extend(names_in(source, fields)?);
    }
    // A column may have the name of several texts.
    let has_other_texts = has_other_texts || there.iter().any(|one| one == fields.compared());
    let is_text = |flag: usize| flag >= MissingFields::TEXT;
    let unknown = named
        .into_iter()
        .enumerate()
        .find_map(|(flag, field)| field.filter(|(_, name)| !(is_text(flag) && has_other_texts || there.iter().any(|one| one == name))));
    match unknown {
        Some(field) if !there.is_empty() => Err(refuse(field, there)),
        _ => Ok(()),
    }
}

/// Refuses a field of texts if all sources are web archives, whose texts are in no field. A job that needs no texts names the field of
/// the URL in their place, which web archives have under any name.
pub fn refuse_texts_of_archives<'s>(fields: &Fields, mut sources: impl Iterator<Item = &'s Source>) -> Result<()> {
    let is_named = |text: &&str| *text != Fields::default().text && fields.url.as_deref() != Some(*text);
    let named = fields.html.as_deref().or_else(|| Some(&*fields.text).filter(is_named));
    match (named, sources.next()) {
        (Some(field), Some(first)) if first.format.is_archive() && sources.all(|source| source.format.is_archive()) => {
            Err(Error::Usage(format!("web archives have no field \"{field}\" with a text: leave text_field and html_field out")))
        }
        _ => Ok(()),
    }
}

/// Counts of what the records of a run have and lack.
pub struct Lacking {
    /// Names of the sources, as they are shown.
    pub sources: Vec<String>,
    /// Per source, the number of records that lack each of [`MissingFields::flags`].
    pub counts: Vec<LackCounts<u64>>,
    /// Number of all records.
    pub records: u64,
    /// Whether any record has a time, if documents are kept by their times.
    pub has_times: bool,
    /// Whether any record has a number by which it can be kept.
    pub has_numbers: bool,
    /// Joint ranks of the records in the preferences.
    pub ranks: BTreeSet<u32>,
}

impl Lacking {
    /// Counts the records of signed documents. Times and ranks are read only for a run that uses them.
    pub fn of(signed: &SignedCorpus, fields: &Fields, keep: Option<&Keep>) -> Result<Self> {
        Ok(Lacking {
            sources: signed.catalogue.sources.clone(),
            counts: signed.catalogue.lacking()?,
            records: signed.len() as u64,
            has_times: keep.is_some_and(Keep::is_by_time) && signed.catalogue.has_times()?,
            has_numbers: signed.catalogue.has_numbers(),
            ranks: if fields.prefer.is_empty() { BTreeSet::new() } else { signed.catalogue.ranks()?.into_iter().collect() },
        })
    }
}

/// Returns one sentence each about fields that some records lack, preferred values that no record has, missing zones and line ends, and
/// options that had nothing to apply to.
///
/// # Errors
/// [`Error::Data`] for a field that no record has; the message names the fields that exist.
pub fn notes<'s>(
    fields: &Fields,
    keep: Option<&Keep>,
    main_content: bool,
    lacking: &Lacking,
    sources: impl Iterator<Item = &'s Source> + Clone,
) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for (at, field) in fields.named().into_iter().enumerate() {
        let (option, name) = match field {
            Some(field) if lacking.counts.iter().any(|source| source[at] > 0) => field,
            _ => continue,
        };
        let count: u64 = lacking.counts.iter().map(|source| source[at]).sum();
        if count == lacking.records {
            return Err(no_record_has((option, name), fields, sources));
        }
        let files = lacking.counts.iter().zip(&lacking.sources).filter(|(source, _)| source[at] > 0);
        let files_named = listed(files.map(|(source, file)| format!("{file} {}", source[at])));
        notes.push(format!(
            "{count} {} no field \"{name}\" ({option}): {files_named}",
            if count == 1 { "record has" } else { "records have" }
        ));
    }
    if let Some(field) = keep.and_then(Keep::number_field).filter(|_| lacking.records > 0 && !lacking.has_numbers) {
        notes.push(format!("no document has a number in the field \"{field}\" (keep), so the one with the least id is kept of each group"));
    }
    if keep.is_some_and(Keep::is_by_time) && lacking.records > 0 && !lacking.has_times {
        notes.push("no document has a time (time_field), so the one with the least id is kept of each group".to_owned());
    }
    let local: u64 = lacking.counts.iter().map(|source| source[MissingFields::ZONE]).sum();
    if local > 0 {
        notes.push(format!(
            "{local} {} read as UTC (time_field)",
            if local == 1 { "time has no zone and was" } else { "times have no zone and were" }
        ));
    }
    let open = lacking.counts.iter().zip(&lacking.sources).filter(|(source, _)| source[MissingFields::LINE_END] > 0);
    let open = listed(open.map(|(_, file)| file.clone()));
    if !open.is_empty() {
        notes.push(format!("the last line has no line end, so that more may have been cut off: {open}"));
    }
    notes.extend(unused_values(&fields.prefer, lacking.ranks.iter().copied()).into_iter().filter_map(note_of_values));
    notes.extend(needless(main_content, fields, sources));
    Ok(notes)
}

/// Returns a sentence about the preferred values that no record has.
fn note_of_values((preference, missing): (&Preference, Vec<&str>)) -> Option<String> {
    let missing: Vec<String> = missing.iter().map(|value| format!("`{value}`")).collect();
    let with = if preference.by_beginning { "a value that begins with " } else { "" };
    (!missing.is_empty()).then(|| format!("no record has {with}{} in the field \"{}\" (prefer)", missing.join(", "), preference.field))
}

/// Returns sentences about options that had nothing to apply to.
fn needless<'s>(main_content: bool, fields: &Fields, sources: impl Iterator<Item = &'s Source> + Clone) -> Vec<String> {
    let mut notes = Vec::new();
    let has = |is: fn(Format) -> bool| sources.clone().any(|source| is(source.format));
    if main_content && fields.html.is_none() && !has(|format| format.is_html() || format.is_archive()) {
        notes.push("no input is HTML, so there was no main content to take (main_content)".to_owned());
    }
    if fields.quoted_tsv && !has(Format::is_unquoted) {
        notes.push("no input is TSV, so there were no quotes to read (quoted_tsv)".to_owned());
    }
    notes
}

/// Refuses a field that none of `records` records has. `lacking` counts the records that lack each of
/// [`MissingFields::flags`].
pub fn refuse_missing<'s>(
    fields: &Fields,
    lacking: LackCounts<u64>,
    records: u64,
    sources: impl Iterator<Item = &'s Source>,
) -> Result<()> {
    let missing = fields.named().into_iter().zip(lacking).find_map(|(field, count)| field.filter(|_| count > 0 && count == records));
    missing.map_or(Ok(()), |field| Err(no_record_has(field, fields, sources)))
}

/// Returns the error for a field that no record has. It names the fields of the first source that has any.
fn no_record_has<'s>(field: (&str, &str), fields: &Fields, mut sources: impl Iterator<Item = &'s Source>) -> Error {
    let there = sources.try_fold(Vec::new(), |there, source| if there.is_empty() { names_in(source, fields) } else { Ok(there) });
    there.map_or_else(|error| error, |there| refuse(field, there))
}

/// Lists the files that a note names, and the number of further files.
fn listed(files: impl Iterator<Item = String>) -> String {
    let mut files_named: Vec<String> = files.collect();
    if files_named.len() > NAMED {
        let more = format!("{} more files", files_named.len() - NAMED);
        files_named.truncate(NAMED);
        files_named.push(more);
    }
    files_named.join(", ")
}

fn refuse((option, name): (&str, &str), mut there: Vec<String>) -> Error {
    there.sort_unstable();
    there.dedup();
    let there: Vec<String> = there.iter().map(|name| format!("\"{name}\"")).collect();
    let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    Error::Data(format!("no record has the field \"{name}\" ({option}); the fields are {there}"))
}
