use std::borrow::Cow;

use neardup_text::Text;

use crate::error::Error;
use crate::readers::options::{Extracted, MemoryLimits, OversizedPart};
use crate::readers::worker_pool::{ChunkFailure, ChunkOutcome, WorkerPool};
use crate::records::record::{Chunk, Record, reuse};
use crate::reject::{RecordError, excerpt, too_long};

/// Records of one chunk, before their texts have places.
pub(crate) struct ChunkDraft<'c> {
    pub number: usize,
    /// Number of lines or rows in the chunk.
    pub rows: u64,
    pub records: Vec<Record<'c>>,
    pub flaws: Vec<RecordError>,
}

impl<T: Send, E: From<Error> + Send> WorkerPool<'_, T, E> {
    /// Extracts the text of HTML, spools the texts that cannot be fetched from their source, and does the work on the chunk.
    ///
    /// Returns the outcome, and the emptied list of records for reuse.
    pub fn finish(&self, draft: ChunkDraft<'_>, scratch: &mut Vec<u8>) -> Result<(ChunkOutcome<T>, Vec<Record<'static>>), ChunkFailure<E>> {
        let ChunkDraft { number, rows, mut flaws, records } = draft;
        if let Some(outcome) = self.recall(number) {
            return Ok((outcome, reuse(records)));
        }
        let extracted;
        let mut records = records;
        if self.html && !records.is_empty() {
            extracted = self.extract(&records)?;
            records = replace(records, &extracted, self.options.max_record(), &mut flaws);
        }
        if let Some(given) = self.given {
            records.retain(|record| {
                let refused = given.refuse(&record.text.decode());
                flaws.extend(refused.iter().map(|reason| flaw(record, reason.clone())));
                refused.is_none()
            });
        }
        flaws.sort_by_key(|flaw| (flaw.file, flaw.row));
        if let Some(fits) = self.options.fits_less() {
            self.check(fits, &records, &mut flaws).map_err(ChunkFailure::TooLarge)?;
        }
        if self.stops() && !flaws.is_empty() {
            return Err(ChunkFailure::RecordError(flaws.swap_remove(0)));
        }
        if let Some(spool) = self.spool {
            spool.take(&mut records, scratch)?;
            self.trim(scratch);
        }
        let count = records.len() as u64;
        let is_large = self.is_large(records.iter().map(|record| record.text.bytes().len()).sum());
        let chunk = Chunk { number, rows, records, is_large };
        let value = self.work.work(&chunk).map_err(ChunkFailure::Other)?;
        self.options.control.add_records(count);
        let outcome = ChunkOutcome { number, rows, records: count, flaws, value };
        self.work.save(&outcome).map_err(ChunkFailure::Other)?;
        Ok((outcome, reuse(chunk.records)))
    }

    /// Returns the outcome of a chunk that an earlier run finished.
    pub fn recall(&self, number: usize) -> Option<ChunkOutcome<T>> {
        let outcome = self.work.done(number)?;
        self.options.control.add_records(outcome.records);
        Some(outcome)
    }

    /// Fails for the first record that exceeds the memory limits. A record that also exceeds the allowed length stays a flaw.
    fn check(&self, fits: MemoryLimits<'_>, records: &[Record<'_>], flaws: &mut [RecordError]) -> Result<(), RecordError> {
        let (longest, allowed) = (self.options.max_record(), self.options.allowed());
        let reason = if longest < allowed && !flaws.is_empty() { too_long(longest) } else { String::new() };
        let never = flaws.iter_mut().filter(|flaw| flaw.len > allowed as u64 && flaw.reason == reason);
        never.for_each(|flaw| flaw.reason = too_long(allowed));
        let record = flaws.iter().find(|flaw| flaw.reason == reason);
        let record = record.map(|flaw| RecordError { reason: (fits.describe)(flaw.len, OversizedPart::Record), ..flaw.clone() });
        let text = records.iter().find(|record| record.text.bytes().len() > fits.text);
        let text = text.map(|record| flaw(record, (fits.describe)(record.text.bytes().len() as u64, OversizedPart::Text)));
        record.into_iter().chain(text).min_by_key(|flaw| (flaw.file, flaw.row)).map_or(Ok(()), Err)
    }

    fn extract(&self, records: &[Record<'_>]) -> Result<Vec<Extracted>, Error> {
        let Some(extract) = self.options.extract else {
            return Err(Error::Unsupported { name: self.name().to_owned(), reason: "HTML needs an extractor of its text" });
        };
        let pages: Vec<Cow<'_, str>> = records.iter().map(|record| record.text.decode()).collect();
        let failed = |source| Error::Extract { name: self.name().to_owned(), source };
        let texts = extract(&pages).map_err(failed)?;
        if texts.len() != pages.len() {
            return Err(failed(format!("the extractor returned {} texts for {} documents", texts.len(), pages.len()).into()));
        }
        for flaw in texts.iter().filter_map(|text| text.flaw.as_ref()) {
            self.flaws.add(flaw, 1);
        }
        Ok(texts)
    }
}

/// Replaces the texts of the records by the extracted texts. Records without an extracted text become flaws.
fn replace<'c>(records: Vec<Record<'c>>, extracted: &'c [Extracted], longest: usize, flaws: &mut Vec<RecordError>) -> Vec<Record<'c>> {
    let mut kept = Vec::with_capacity(records.len());
    for (record, Extracted { text, .. }) in records.into_iter().zip(extracted) {
        let reason = match text {
            Ok(text) if text.len() <= longest => {
                kept.push(Record { text: Text::Plain(text.as_bytes()), ..record });
                continue;
            }
            Ok(_) => too_long(longest),
            Err(reason) => format!("no text could be extracted: {reason}"),
        };
        flaws.push(flaw(&record, reason));
    }
    kept
}

/// Returns the flaw of a record that cannot be used.
fn flaw(record: &Record<'_>, reason: String) -> RecordError {
    RecordError {
        row: record.row,
        offset: record.span.offset,
        len: record.span.len,
        reason,
        excerpt: excerpt(record.text.decode().as_bytes()),
        file: record.file,
    }
}
