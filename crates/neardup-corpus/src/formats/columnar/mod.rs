//! Columnar tables: the parts that their formats share.

mod added_columns;
pub(crate) mod batches;
pub(crate) mod columns;
pub(crate) mod file;
pub(crate) mod guarded;
mod keep;
mod nested;
mod numbers;
mod read;
mod times;
mod values;

use std::marker::PhantomData;
use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::{FileContent, FormatFacts, Packing};
use crate::formats::fields;
use crate::formats::layout::{Layout, Reader};
use crate::keep::{Added, AddedEdit, KeptFile, RecordEdit, copied, nothing};
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::ChunkWork;
use crate::records::field_name::is_plain;
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::unit::PlaceUnit;
use columns::field_paths;
use file::ColumnFile;

/// A format whose files are `F`.
pub(crate) struct Columnar<F>(&'static FormatFacts, PhantomData<fn() -> F>);

impl<F> Columnar<F> {
    pub(crate) const fn new(facts: &'static FormatFacts) -> Self {
        Columnar(facts, PhantomData)
    }
}

/// Returns the facts of a columnar format with these suffixes.
pub(crate) const fn facts(suffixes: &'static [&'static str]) -> FormatFacts {
    // Such a format compresses its columns itself, and is read at random positions.
    FormatFacts { suffixes, unit: PlaceUnit::Row, content: FileContent::Table(None), packing: Packing::Never, has_texts_in_place: false }
}

/// Span of a file of which nothing can be read.
const UNREADABLE: SourceSpan = SourceSpan { offset: 0, len: 1 };

impl<F: ColumnFile> Layout for Columnar<F> {
    fn facts(&self) -> &'static FormatFacts {
        self.0
    }

    fn field_names(&self, source: &Source, _: &Fields) -> Result<Vec<String>> {
        Ok(field_paths(F::open(&source.path, &source.name)?.schema()))
    }

    fn keep(&self, source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
        match dropped {
            [] => copied(source, &[], target, threads, control),
            [UNREADABLE] if keep::is_unreadable::<F>(source) => Ok(nothing(source, control)),
            _ => {
                let mut edits = dropped.iter().map(|&span| Ok((span, None)));
                keep::rewrite::<F>(source, None, &mut edits, dropped.last().copied(), target, control)
            }
        }
    }

    fn is_rewritten(&self) -> bool {
        true
    }

    fn replaces_text(&self, source: &Source, fields: &Fields) -> Result<bool> {
        Ok(is_plain(&fields.text) || F::open(&source.path, &source.name)?.schema().index_of(&fields.text).is_ok())
    }

    fn rewrite(
        &self,
        source: &Source,
        fields: &Fields,
        edits: &mut dyn Iterator<Item = Result<RecordEdit>>,
        last: Option<SourceSpan>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        keep::rewrite::<F>(source, Some(&fields.text), edits, last, target, control)
    }

    fn is_extended(&self) -> bool {
        true
    }

    fn extend(
        &self,
        source: &Source,
        _: &Fields,
        added: Added<'_>,
        edits: &mut dyn Iterator<Item = Result<AddedEdit>>,
        target: &Path,
        control: &JobControl,
    ) -> Result<KeptFile> {
        let first = edits.next().transpose()?;
        if first == Some((UNREADABLE, None)) && keep::is_unreadable::<F>(source) {
            return Ok(nothing(source, control));
        }
        keep::extend::<F>(source, added, &mut first.map(Ok).into_iter().chain(edits), target, control)
    }
}

impl<F: ColumnFile, T: Send, E: From<Error> + Send> Reader<T, E> for Columnar<F> {
    fn read(&self, sources: &[Source], fields: &Fields, options: &ReadOptions<'_>, work: &dyn ChunkWork<T, E>) -> Result<Read<T>, E> {
        fields::read(sources, fields, options, work, read::read::<F, T, E>)
    }
}
