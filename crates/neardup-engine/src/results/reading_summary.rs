//! Readings: how the documents of a run were read, so that they can be read again and recognised as the same.

use crate::documents::signed::SignedCorpus;
use crate::job::{Input, Job};
use crate::{Error, Result};
use neardup_corpus::{Preference, TimeUnit};
use serde::{Deserialize, Serialize};
use std::path::absolute;

/// The part of `run.json` that describes the reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingSummary {
    /// Paths of the input; `None` if it cannot be read twice.
    pub inputs: Option<Vec<String>>,
    /// Paths of the reference; `None` if there is none, or if it cannot be read twice.
    pub against: Option<Vec<String>>,
    /// Field with the text.
    pub text_field: String,
    /// Field with HTML.
    pub html_field: Option<String>,
    /// Field with the id.
    pub id_field: Option<String>,
    /// Fields of the reference, where they have names of their own.
    #[serde(default)]
    pub against_text_field: Option<String>,
    /// The same for HTML.
    #[serde(default)]
    pub against_html_field: Option<String>,
    /// The same for the id.
    #[serde(default)]
    pub against_id_field: Option<String>,
    /// The same for the time.
    #[serde(default)]
    pub against_time_field: Option<String>,
    /// Field with the URL.
    pub url_field: Option<String>,
    /// Field with the time.
    pub time_field: Option<String>,
    /// Unit of times that are numbers.
    #[serde(default = "seconds")]
    pub time_unit: String,
    /// Fields by which documents are preferred, with the preferred values.
    pub prefer: Option<WrittenPreferences>,
    /// Whether fields of TSV were read as possibly in double quotes. Before there was a choice, all were.
    #[serde(default = "yes")]
    pub quoted_tsv: bool,
    /// How CSV and TSV were said to be written.
    #[serde(default)]
    pub csv: Option<String>,
    /// Encoding of text files without a byte order mark.
    #[serde(default)]
    pub encoding: Option<String>,
    /// Patterns of the files that were read.
    #[serde(default)]
    pub include: Vec<String>,
    /// Patterns of the files that were not read.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Whether source files of folders were read.
    #[serde(default)]
    pub source_code: bool,
    /// Whether only the main content of HTML was taken.
    pub main_content: bool,
    /// Name and version of its extractor; none in runs of before, which used resiliparse.
    #[serde(default)]
    pub extractor: Option<String>,
    /// Whether the files of the input were written again. If so, records with any damaged part could not be used.
    #[serde(default)]
    pub are_kept: bool,
    /// What happened to records that could not be used: skip or stop.
    pub on_error: String,
    /// Names of the sources, as shown, in order; those of the reference are last.
    pub sources: Vec<String>,
    /// BLAKE3 over the digests of all texts, in order; equal if the same texts were read.
    pub texts: String,
}

impl ReadingSummary {
    /// Describes how the documents of a job were read.
    pub fn of(job: &Job<'_>, signed: &SignedCorpus) -> Result<ReadingSummary> {
        let fields = &job.fields;
        Ok(ReadingSummary {
            inputs: paths(&job.input),
            against: job.against.as_ref().and_then(paths),
            text_field: fields.text.clone(),
            html_field: fields.html.clone(),
            id_field: fields.id.clone(),
            against_text_field: job.options.against_text_field.clone(),
            against_html_field: job.options.against_html_field.clone(),
            against_id_field: job.options.against_id_field.clone(),
            against_time_field: job.options.against_time_field.clone(),
            url_field: fields.url.clone(),
            time_field: fields.time.clone(),
            time_unit: fields.time_unit.to_string(),
            prefer: WrittenPreferences::of(&fields.prefer),
            quoted_tsv: fields.quoted_tsv,
            csv: job.options.csv.clone(),
            encoding: job.options.encoding.clone(),
            include: job.options.include.clone(),
            exclude: job.options.exclude.clone(),
            source_code: job.options.source_code,
            main_content: job.options.main_content,
            extractor: job.options.extractor.clone().filter(|_| job.options.main_content),
            are_kept: job.writes_records(),
            on_error: if job.skips() { "skip" } else { "stop" }.to_owned(),
            sources: signed.catalogue.sources.clone(),
            texts: texts(signed)?,
        })
    }

    /// Fails if the texts that were `read` now are not those that the run read.
    pub fn check(&self, read: &ReadingSummary) -> Result<()> {
        let [then, now] = [self, read].map(|reading| reading.sources.len());
        if then != now {
            return Err(Error::Usage(format!("the run read {then} files or tables, these are {now}: give the inputs of the run")));
        }
        if self.texts != read.texts {
            return Err(Error::Data(
                "the texts are not those that the run read: its evidence can be shown on the same documents in the same order, \
                 and no others"
                    .to_owned(),
            ));
        }
        Ok(())
    }
}

/// Preferences as `run.json` stores them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WrittenPreferences {
    /// One field with whole values: the only form of older runs.
    One((String, Vec<String>)),
    /// Fields, values, and whether these are beginnings.
    Several(Vec<(String, Vec<String>, bool)>),
}

impl WrittenPreferences {
    fn of(preferences: &[Preference]) -> Option<Self> {
        match preferences {
            [] => None,
            [one] if !one.by_beginning => Some(WrittenPreferences::One((one.field.clone(), one.values.clone()))),
            several => {
                let written = |one: &Preference| (one.field.clone(), one.values.clone(), one.by_beginning);
                Some(WrittenPreferences::Several(several.iter().map(written).collect()))
            }
        }
    }
}

fn yes() -> bool {
    true
}

/// Before there was a choice, times were seconds.
fn seconds() -> String {
    TimeUnit::S.to_string()
}

pub(crate) fn paths(input: &Input) -> Option<Vec<String>> {
    let Input::Files(paths) = input else { return None };
    let whole = |path: &String| if path == "-" { None } else { absolute(path).ok()?.into_os_string().into_string().ok() };
    paths.iter().map(whole).collect()
}

fn texts(signed: &SignedCorpus) -> Result<String> {
    let (segments, mut hash) = (&signed.segments[0], blake3::Hasher::new());
    for (_, segment) in segments.iter() {
        let digests = segments.store().all(segment.raw).map_err(neardup_core::Error::from)?;
        // All digests are hashed at once. Sixteen bytes at a time would take five times as long.
        hash.update(&digests.into_iter().flat_map(u128::to_le_bytes).collect::<Vec<u8>>());
    }
    Ok(hash.finalize().to_hex().to_string())
}
