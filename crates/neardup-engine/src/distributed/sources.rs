//! The files for which a driver plans a job.

use crate::checkpoint::file_state::FileStates;
use crate::documents::files::Files;
use crate::documents::order::Keep;
use crate::job::{Input, Job};
use crate::progress::Watch;
use crate::results::missing_fields::{self, Lacking};
use crate::signing::inputs;
use crate::{Error, Result};
use neardup_corpus::{Discovered, Fields, Source};

/// The files or streams of a job, found once, and the fields that the job reads from their records.
pub struct Sources {
    input: Discovered,
    against: Discovered,
    /// The names of the streams of the input, and of the reference.
    streams: [Vec<String>; 2],
    files: Files,
    at_rest: FileStates,
    fields: Fields,
    keep: Option<Keep>,
    main_content: bool,
    /// Notes on patterns that matched no file.
    unused: Vec<String>,
}

impl Sources {
    /// Finds the files of a job.
    ///
    /// # Errors
    /// As a run, also for a field that no table has; [`Error::Usage`] for the standard input, which only one machine can read.
    pub fn find(job: &Job<'_>) -> Result<Self> {
        let inputs = [Some(&job.input), job.against.as_ref()];
        let is_stdin = |input: &Input| matches!(input, Input::Files(paths) if paths.iter().any(|path| path == "-"));
        if inputs.into_iter().flatten().any(is_stdin) {
            return Err(Error::Usage("-: the standard input is read by one machine; give files that all machines see".to_owned()));
        }
        // Nothing is copied, since tasks run elsewhere.
        let (input, against) = inputs::all_sources(job, None, &Watch::default())?;
        let files = || input.sources.iter().chain(&against.sources);
        missing_fields::refuse_fields(job, files())?;
        let at_rest = FileStates::of(files())?;
        let names = |input: Option<&Input>| match input {
            Some(Input::Streams(streams)) => streams.iter().map(|stream| stream.name.clone()).collect(),
            _ => Vec::new(),
        };
        let streams = [names(Some(&job.input)), names(job.against.as_ref())];
        let unused = inputs::unused_patterns(job, &input, &against);
        let files = Files::of(&input, &against);
        let (keep, main_content) = (job.options.keep.clone(), job.options.main_content);
        Ok(Sources { input, against, streams, files, at_rest, fields: job.fields.clone(), keep, main_content, unused })
    }

    /// Returns the sources of the input.
    pub fn input(&self) -> &[Source] {
        &self.input.sources
    }

    /// Returns the sources of the reference.
    pub fn against(&self) -> &[Source] {
        &self.against.sources
    }

    /// Returns the counts of the files.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the counts of the files as JSON, as in `run.json`.
    pub fn account(&self) -> String {
        // It contains only strings and numbers, so serialisation cannot fail.
        serde_json::to_string(&self.files).unwrap_or_default()
    }

    /// Returns the sizes and times of the files as text.
    pub fn stamps(&self) -> String {
        self.at_rest.stamps()
    }

    /// See [`FileStates::check`].
    ///
    /// # Errors
    /// [`neardup_corpus::Error::Changed`] for the first file that was written since it was found.
    pub fn check(&self) -> Result<()> {
        self.at_rest.check()
    }

    /// Returns the names of all sources as shown, those of the input first.
    pub fn names(&self) -> Vec<String> {
        let [input, against] = &self.streams;
        let of = |sources: &[Source]| sources.iter().map(|source| source.name.clone()).collect();
        [of(self.input()), input.clone(), of(self.against()), against.clone()].concat()
    }

    /// Returns the number of sources of the input.
    pub fn inputs(&self) -> usize {
        self.input().len() + self.streams[0].len()
    }

    /// See [`missing_fields::notes`]; with notes on patterns that matched no file.
    ///
    /// # Errors
    /// [`Error::Data`] for a field that no record has.
    pub fn notes(&self, lacking: &Lacking) -> Result<Vec<String>> {
        let notes = missing_fields::notes(&self.fields, self.keep.as_ref(), self.main_content, lacking, self.all())?;
        Ok([notes, self.unused.clone()].concat())
    }

    /// Returns the files of both sides, those of the input first.
    pub fn all(&self) -> impl Iterator<Item = &Source> + Clone {
        self.input().iter().chain(self.against())
    }
}
