//! Lexicons as files, and schemes that name them.

use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use neardup_core::compile::{LEXICON, compile_pass, compile_with};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme::{self, CORPUS, Frame, Scheme};
use neardup_core::signing::counting::Counting;
use neardup_core::terms::lexicon::Lexicon;
use neardup_core::util::ratio::Ratio;
use neardup_corpus::guarded;
use neardup_disk::regular;
use neardup_text::{TOKENS_VERSION, TokensVersion, UNICODE_VERSION};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The version of the file format.
const VERSION: &str = "1";
/// The key of the version of the tokens.
const TOKENS: &str = "tokens_version";
/// Number of rows that are written at once.
const SLICE: usize = 1 << 16;

const TERM: &str = "feature";
const COUNT: &str = "documents";

/// Compiles the only pass of `scheme`, with the lexicon of the file that it names.
///
/// # Errors
/// As [`compile_with`], and for a scheme that must count its own documents, because there are none here.
pub fn compiled(scheme: &Scheme) -> Result<CompiledPass> {
    Ok(compile_with(scheme, &open)?)
}

/// Compiles a pass. If it must count its own documents, `corpus` is their lexicon; until that is known, the lexicon is empty.
///
/// # Errors
/// As [`compile_pass`].
pub fn compiled_for(pass: &scheme::Pass, corpus: Option<&Arc<Lexicon>>) -> Result<CompiledPass> {
    let counts = to_count(pass)?;
    let compiled = compile_pass(pass, &|path| match (corpus, &counts) {
        (Some(lexicon), Some(_)) if path.as_os_str() == CORPUS => Ok(Arc::clone(lexicon)),
        (None, Some(counts)) if path.as_os_str() == CORPUS => made(path, 0, counts.counting().counted().to_owned(), Vec::new(), Vec::new()),
        _ => open(path),
    });
    Ok(compiled?)
}

/// The counts that a pass needs of the documents it sees.
pub enum LexiconTask {
    /// Number of documents that contain each term.
    Terms(Counting),
    /// Shingles that more than this share of the documents of one host contain.
    Frame(Counting, Ratio),
}

/// Returns the counts that a pass needs, if any.
pub fn to_count(pass: &scheme::Pass) -> Result<Option<LexiconTask>> {
    let options = pass.features().options();
    Ok(match options.frame() {
        Some(&Frame::Share(share)) => Some(LexiconTask::Frame(Counting::of_frame(pass)?, share)),
        _ if options.weight().is_counted() => Some(LexiconTask::Terms(Counting::of(pass)?)),
        _ => None,
    })
}

impl LexiconTask {
    /// Returns the features that are counted.
    pub fn counting(&self) -> &Counting {
        match self {
            LexiconTask::Terms(counting) | LexiconTask::Frame(counting, _) => counting,
        }
    }

    /// Returns the lexicon that was counted for `pass`.
    pub fn counted<'p>(&self, pass: &'p CompiledPass) -> Option<&'p Arc<Lexicon>> {
        match self {
            LexiconTask::Terms(_) => pass.weigher.lexicon(),
            LexiconTask::Frame(..) => pass.features.frame(),
        }
    }

    /// Returns the name of the file in which a run saves the lexicon of the pass with this number.
    pub fn file(&self, number: usize) -> String {
        let name = match self {
            LexiconTask::Terms(_) => "lexicon",
            LexiconTask::Frame(..) => "frame",
        };
        if number == 0 { format!("{name}.parquet") } else { format!("{name}-{}.parquet", number + 1) }
    }
}

/// Reads the lexicon of a file.
pub fn open(path: &Path) -> neardup_core::Result<Arc<Lexicon>> {
    if path.as_os_str() == CORPUS {
        let reason = "it is counted by a run, which writes it as lexicon.parquet or frame.parquet: name that file, or ./corpus for a file of this name";
        return Err(refuse(path, reason.to_owned()));
    }
    read(path).map(Arc::new).map_err(|reason| refuse(path, reason))
}

/// Whether a file is a lexicon, of any version.
pub fn is_lexicon(path: &Path) -> bool {
    let builder = regular::open(path).ok().and_then(|file| guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).ok());
    let pairs = builder.and_then(|builder| builder.metadata().file_metadata().key_value_metadata().cloned()).unwrap_or_default();
    ["version", "unicode", "counted", "digest"].iter().all(|key| pairs.iter().any(|pair| pair.key == *key))
}

fn made(path: &Path, documents: u64, counted: String, terms: Vec<u64>, counts: Vec<u32>) -> neardup_core::Result<Arc<Lexicon>> {
    Lexicon::new(documents, counted, terms, counts).map(Arc::new).map_err(|reason| refuse(path, reason))
}

fn refuse(path: &Path, reason: String) -> neardup_core::Error {
    neardup_core::Error::File { what: LEXICON, path: path.to_owned(), reason }
}

fn read(path: &Path) -> Result<Lexicon, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let file = regular::open(path).map_err(|error| text(&error))?;
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|error| text(&error))?;
    let pairs = builder.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let value = |key: &str| {
        let pair = pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone());
        pair.ok_or_else(|| format!("it is no lexicon of neardup: its metadata has no `{key}`"))
    };
    // A lexicon of version 1 of the tokens does not name it.
    let rules = value(TOKENS).unwrap_or_else(|_| TokensVersion::first().to_string());
    for (key, theirs, ours) in [
        ("version", value("version")?, VERSION.to_owned()),
        ("tokens version", rules, TOKENS_VERSION.to_string()),
        ("unicode", value("unicode")?, UNICODE_VERSION.to_owned()),
    ] {
        if theirs != ours {
            return Err(format!(
                "it was counted with {key} {theirs}, and this neardup counts with {ours}: count it again (neardup lexicon)"
            ));
        }
    }
    for (name, kind) in [(TERM, DataType::UInt64), (COUNT, DataType::UInt32)] {
        if builder.schema().field_with_name(name).ok().map(Field::data_type) != Some(&kind) {
            return Err(format!("it is no lexicon of neardup: it has no column `{name}` of type {kind}"));
        }
    }
    let documents = value("documents")?;
    let documents = documents.parse().map_err(|_| format!("its number of documents is `{documents}`, which is no number"))?;
    let (mut terms, mut counts) = (Vec::new(), Vec::new());
    let mut reader = guarded(|| builder.build()).map_err(|error| text(&error))?;
    while let Some(batch) = guarded(|| reader.next().transpose()).map_err(|error| text(&error))? {
        if batch[TERM].null_count() + batch[COUNT].null_count() > 0 {
            return Err("a feature or a count is missing".to_owned());
        }
        terms.extend_from_slice(batch[TERM].as_primitive::<UInt64Type>().values());
        counts.extend_from_slice(batch[COUNT].as_primitive::<UInt32Type>().values());
    }
    let lexicon = Lexicon::new(documents, value("counted")?, terms, counts)?;
    match value("digest")? {
        digest if digest == lexicon.digest() => Ok(lexicon),
        digest => Err(format!("it says that its digest is {digest}, and it is {}: it was changed", lexicon.digest())),
    }
}

/// Writes a lexicon as a Parquet file.
pub fn write(path: &Path, lexicon: &Lexicon) -> Result<()> {
    fn fail<E: ToString>(path: &Path) -> impl FnOnce(E) -> Error {
        Error::file(path, "write")
    }
    let pair = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let pairs = vec![
        pair("version", VERSION),
        pair(TOKENS, &TOKENS_VERSION.to_string()),
        pair("unicode", UNICODE_VERSION),
        pair("documents", &lexicon.documents().to_string()),
        pair("counted", lexicon.counted()),
        pair("digest", lexicon.digest()),
    ];
    let schema = Schema::new(vec![Field::new(TERM, DataType::UInt64, false), Field::new(COUNT, DataType::UInt32, false)]);
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(pairs))
        // Terms are ascending and distinct.
        .set_column_dictionary_enabled(TERM.into(), false)
        .set_column_encoding(TERM.into(), Encoding::DELTA_BINARY_PACKED)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(fail(path))?))
        .build();
    let (file, schema) = (File::create(path).map_err(fail(path))?, Arc::new(schema));
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties)).map_err(fail(path))?;
    let slice = |range: Range<usize>| -> Vec<ArrayRef> {
        let terms = UInt64Array::from(lexicon.terms()[range.clone()].to_vec());
        vec![Arc::new(terms), Arc::new(UInt32Array::from(lexicon.counts()[range].to_vec()))]
    };
    for start in (0..lexicon.terms().len()).step_by(SLICE) {
        let columns = slice(start..(start + SLICE).min(lexicon.terms().len()));
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(fail(path))?;
        writer.write(&batch).map_err(fail(path))?;
    }
    writer.close().map_err(fail(path))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTED: &str = "words | shingles:1 seed=0";

    fn lexicon(count: u32) -> Lexicon {
        let spread = |term: u32| u64::from(term) * 0x1234_5678_9ABC;
        Lexicon::new(100_000, COUNTED.to_owned(), (1..=count).map(spread).collect(), (1..=count).collect()).unwrap()
    }

    #[test]
    fn files_come_back() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0, 1, 99, 70_000] {
            let path = folder.path().join(count.to_string());
            write(&path, &lexicon(count)).unwrap();
            assert_eq!(read(&path).unwrap(), lexicon(count));
        }
    }

    #[test]
    fn what_is_no_lexicon_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.parquet");
        let refused = || {
            let line = format!("words | terms weight=idf:{} | digest | each | equal", path.display());
            compiled(&line.parse().unwrap()).unwrap_err().to_string()
        };
        let has = |parts: &[&str]| {
            let error = refused();
            assert!(error.starts_with(&format!("lexicon {}: ", path.display())), "{error}");
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        };
        has(&["No such file"]);
        std::fs::write(&path, "not a table").unwrap();
        has(&["Parquet"]);
        // Another unit.
        write(&path, &Lexicon::new(3, "eojeol | shingles:1 seed=0".to_owned(), vec![1], vec![2]).unwrap()).unwrap();
        has(&["counted from `eojeol | shingles:1 seed=0`", "looks up `words | shingles:1 seed=0`"]);
        // A digest that is not its own.
        write(&path, &lexicon(3)).unwrap();
        assert!(compiled(&format!("words | terms weight=idf:{} | digest | each | equal", path.display()).parse().unwrap()).is_ok());
        let mut bytes = std::fs::read(&path).unwrap();
        let digest = lexicon(3).digest().as_bytes().to_vec();
        let mut found = 0;
        for at in 0..bytes.len() - digest.len() {
            if bytes[at..].starts_with(&digest) {
                bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
                found += 1;
            }
        }
        assert!(found > 0);
        std::fs::write(&path, bytes).unwrap();
        has(&["its digest is", lexicon(3).digest(), "it was changed"]);
        // A table of other columns.
        let batch = RecordBatch::try_from_iter([("id", Arc::new(UInt32Array::from(vec![1])) as ArrayRef)]).unwrap();
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        has(&["no lexicon of neardup", "`version`"]);
    }

    #[test]
    fn the_corpus_has_a_lexicon_only_in_a_run() {
        let scheme: Scheme = "words | terms:0.1,0.9 weight=idf:corpus | digest | each | equal".parse().unwrap();
        let error = compiled(&scheme).unwrap_err().to_string();
        assert!(error.contains("lexicon corpus: it is counted by a run"), "{error}");
        assert!(compiled_for(&scheme.passes()[0], None).is_ok());
        assert_eq!(to_count(&scheme.passes()[0]).unwrap().unwrap().counting().counted(), COUNTED);
        let scheme: Scheme = "words | terms | digest | each | equal".parse().unwrap();
        assert!(to_count(&scheme.passes()[0]).unwrap().is_none());
    }
}
