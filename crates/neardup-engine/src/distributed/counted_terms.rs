//! Counting the documents that contain a term, in a corpus or per host. The counts of all tasks are added up elsewhere.

use crate::distributed::rows;
use crate::job::Job;
use crate::job::lexicons::{self, LexiconTask, to_count};
use crate::progress::Watch;
use crate::tables::table;
use crate::{Error, Result};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::DataType;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme;
use neardup_core::signing::counting::Counter;
use neardup_core::terms::lexicon::Lexicon;
use neardup_corpus::Chunk;
use neardup_corpus::host_name;
use neardup_text::Text;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Counts the documents of each group that contain each term. `groups` has the group of every row. Returns the columns group,
/// term and documents. A term is a 64-bit hash, stored as a signed number; a row without a term has the number of documents of
/// its group.
pub fn count_rows(job: &mut Job<'_>, pass: &CompiledPass, groups: &[i64], watch: &Watch) -> Result<RecordBatch> {
    let counts = to_count(&job.scheme.passes()[0])?.ok_or_else(|| Error::Usage("scheme: it counts nothing".to_owned()))?;
    let read = |chunk: &Chunk<'_>| {
        let mut counter = Counter::new(counts.counting());
        let terms = |record: &neardup_corpus::Record<'_>| (record.row, counter.read(record.text).to_vec());
        chunk.records.iter().map(terms).collect::<Vec<_>>()
    };
    let (chunks, _) = rows::each(job, pass, watch, read)?;
    let mut counts: BTreeMap<(i64, Option<u64>), i64> = BTreeMap::new();
    for (documents, before) in chunks {
        for (row, terms) in documents {
            let group = groups[(before + row - 1) as usize];
            let named = std::iter::once(None).chain(terms.into_iter().map(Some));
            named.for_each(|term| *counts.entry((group, term)).or_insert(0) += 1);
        }
    }
    let columns: [ArrayRef; 3] = [
        Arc::new(counts.keys().map(|key| key.0).collect::<Int64Array>()),
        Arc::new(counts.keys().map(|key| key.1.map(|term| term as i64)).collect::<Int64Array>()),
        Arc::new(counts.values().copied().collect::<Int64Array>()),
    ];
    let names = [("group", false), ("term", true), ("documents", false)].map(|(name, nullable)| (name, DataType::Int64, nullable));
    table::batch(table::schema(&names, &[]), columns.into())
}

/// Returns the columns row, host and text of every document with a host. Host and text are hashes, stored as signed numbers in
/// the order of their unsigned values.
pub fn host_rows(job: &mut Job<'_>, pass: &CompiledPass, watch: &Watch) -> Result<RecordBatch> {
    let read = |chunk: &Chunk<'_>| {
        let host = |record: &neardup_corpus::Record<'_>| {
            let name = host_name(record.url.as_deref().unwrap_or_default())?;
            let digests = [Text::Plain(name.as_bytes()).digest(), record.text.decoded_digest()];
            let [host, text] = digests.map(|digest| (digest as u64 ^ 1 << 63) as i64);
            Some([record.row as i64 - 1, host, text])
        };
        chunk.records.iter().filter_map(host).collect::<Vec<_>>()
    };
    let (chunks, _) = rows::each(job, pass, watch, read)?;
    let all: Vec<[i64; 3]> = chunks
        .into_iter()
        .flat_map(|(rows, before)| rows.into_iter().map(move |[row, host, text]| [row + before as i64, host, text]))
        .collect();
    let columns = [0, 1, 2].map(|column| Arc::new(all.iter().map(|row| row[column]).collect::<Int64Array>()) as ArrayRef);
    let names = ["row", "host", "text"].map(|name| (name, DataType::Int64, false));
    table::batch(table::schema(&names, &[]), columns.into())
}

/// The counts that a pass needs.
pub enum CountedTerms {
    /// Nothing.
    Nothing,
    /// Number of documents that contain each term.
    Terms,
    /// Features that more than this share (numerator, denominator) of the documents of a host contain.
    Frame([u64; 2]),
}

impl CountedTerms {
    /// Returns the counts that `pass` needs.
    pub fn of(pass: &scheme::Pass) -> Result<Self> {
        Ok(match to_count(pass)? {
            None => CountedTerms::Nothing,
            Some(LexiconTask::Terms(_)) => CountedTerms::Terms,
            Some(LexiconTask::Frame(_, share)) => CountedTerms::Frame([share.numerator, share.denominator]),
        })
    }
}

/// Writes the lexicon of a pass over `documents` documents to `path`. `terms` are numbers as [`count_rows`] returns them, with
/// the `counts` of their documents.
pub fn write_lexicon(pass: &scheme::Pass, documents: u64, terms: &[i64], counts: &[i64], path: &Path) -> Result<()> {
    let counted = to_count(pass)?.ok_or_else(|| Error::Usage("scheme: it counts nothing".to_owned()))?;
    let mut rows: Vec<(u64, u32)> = terms.iter().zip(counts).map(|(&term, &count)| (term as u64, count as u32)).collect();
    rows.sort_unstable();
    let (terms, counts) = rows.into_iter().unzip();
    let lexicon = Lexicon::new(documents, counted.counting().counted().to_owned(), terms, counts).map_err(Error::Usage)?;
    lexicons::write(path, &lexicon)
}
