//! Flush and merge: documents in memory become a segment, and several segments become one.

use crate::decide::comparer::TextComparer;
use crate::documents::living_documents::LivingDocuments;
use crate::documents::segment::{FOLLOWS, KeyState, Segment, SegmentDraft, SegmentHeader};
use crate::documents::state_file::StoredState;
use crate::documents::table_key::table_and_key;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::failure::FlushFailure;
use crate::snapshot::manifest::{Manifest, Settings};
use crate::snapshot::text_layout::TextLayout;
use crate::storage::file_kind::FileKind;
use crate::storage::log::Log;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Number of bytes of texts in memory from which they are written as a segment. It is larger for a large index.
const FRESH_BYTES: usize = 64 << 20;
/// Number of documents in memory from which they are written as a segment. It is larger for a large index, because the whole state
/// is written too.
pub const FRESH_DOCUMENTS: u32 = 1 << 17;
/// Number of consecutive segments of similar size from which they are merged.
const ALIKE: usize = 4;

impl Snapshot {
    /// Describes a failure to write a segment of the documents in memory.
    pub fn failed(&self, error: Error) -> FlushFailure {
        FlushFailure { error, documents: self.index_state.document_table.fresh().len() as u32, bytes: self.fresh_bytes() }
    }
}

/// Whether memory contains enough for a segment: `flush_at` documents, or many bytes. After a failure, the next attempt waits until
/// there is half as much again, because every attempt writes all of it.
pub fn is_due(contents: &Snapshot, flush_at: u32) -> bool {
    let document_table = &contents.index_state.document_table;
    let (documents, bytes) = (document_table.fresh().len() as u32, contents.fresh_bytes());
    let (failed_documents, failed_bytes) = contents.failure.as_ref().map_or((0, 0), |failure| (failure.documents, failure.bytes));
    documents >= flush_at.max(document_table.fresh_start().0 / 16).max(failed_documents + failed_documents.div_ceil(2))
        || bytes >= FRESH_BYTES.max(document_table.count() as usize * 4).max(failed_bytes + failed_bytes / 2)
}

/// Writes the documents in memory as a segment, if there are any, and begins a new log. The returned manifest is not on the disk
/// yet.
pub fn flush(contents: &Snapshot, dir: &Path) -> Result<Manifest> {
    let (document_table, start) = (&contents.index_state.document_table, contents.index_state.document_table.fresh_start());
    let mut manifest = contents.manifest.next();
    if document_table.end() > start {
        let kept: Vec<DocId> = start.until(document_table.end()).collect();
        let layout = TextLayout::anew(contents, &kept, dir, &mut manifest)?;
        manifest.texts.extend_from_slice(&layout.files);
        let name = write(contents, &kept, layout, dir, &mut manifest)?;
        manifest.segments.push(name);
    }
    write_rest(contents, dir, &mut manifest, |_| true)?;
    Ok(manifest)
}

/// Merges `segments` into one, without dead documents. The texts stay in their files, unless less than half of the bytes belong to
/// living documents, or `erases` is true and the files contain any text or record of a dead document. No documents may be in
/// memory. The returned manifest is not on the disk yet.
pub fn merge(contents: &Snapshot, dir: &Path, segments: Range<usize>, erases: bool) -> Result<Manifest> {
    let (document_table, state) = (&contents.index_state.document_table, &contents.index_state.state);
    let mut manifest = contents.manifest.next();
    let end = document_table.starts().get(segments.end).copied().unwrap_or(document_table.end());
    let range = document_table.starts()[segments.start]..end;
    let kept: Vec<DocId> = range.start.until(range.end).filter(|&number| state.is_alive(number)).collect();
    let layout = TextLayout::again(contents, &kept, segments.clone());
    let is_worn = match erases {
        true => {
            layout.living() < layout.bytes || document_table.segments()[segments.clone()].iter().map(recorded).sum::<usize>() > kept.len()
        }
        false => layout.living() < layout.bytes / 2,
    };
    let layout = if is_worn { TextLayout::anew(contents, &kept, dir, &mut manifest)? } else { layout };
    let files = |segments: &[Arc<Segment>]| -> usize { segments.iter().map(|segment| segment.places().files().len()).sum() };
    let (before, among) = (files(&document_table.segments()[..segments.start]), files(&document_table.segments()[segments.clone()]));
    manifest.texts.splice(before..before + among, layout.files.iter().cloned());
    let name = write(contents, &kept, layout, dir, &mut manifest)?;
    manifest.segments.splice(segments, [name]);
    write_rest(contents, dir, &mut manifest, |number| !range.contains(&number) || state.is_alive(number))?;
    Ok(manifest)
}

/// Returns the segments to be merged after one was added: the last ones, if enough of them are similar in size.
pub fn alike(contents: &Snapshot) -> Option<Range<usize>> {
    let sizes: Vec<u64> = contents.index_state.document_table.segments().iter().map(|segment| u64::from(segment.count())).collect();
    let most = ALIKE as u64 * sizes.last()?;
    let start = sizes.iter().rposition(|&size| size > most).map_or(0, |last| last + 1);
    // Also merges segments before these that are no larger than the result.
    (sizes.len() - start >= ALIKE).then(|| {
        let mut start = start;
        let mut sum: u64 = sizes[start..].iter().sum();
        while start > 0 && sizes[start - 1] <= sum {
            start -= 1;
            sum += sizes[start];
        }
        start..sizes.len()
    })
}

/// Whether a compaction would change nothing.
pub fn is_compact(contents: &Snapshot) -> bool {
    let (document_table, state) = (&contents.index_state.document_table, &contents.index_state.state);
    let is_worn = |segment: &Arc<Segment>| {
        segment.places().counted_bytes(|_| true) < segment.places().bytes() || recorded(segment) > segment.count() as usize
    };
    document_table.segments().len() <= 1 && state.living() == state.count() && !document_table.segments().iter().any(is_worn)
}

/// Number of documents that have records beside the texts of a segment.
fn recorded(segment: &Arc<Segment>) -> usize {
    segment.places().files().iter().map(|texts| texts.recorded()).sum()
}

/// Writes a new log, a new roll and the state of the documents that `keeps` accepts.
fn write_rest(contents: &Snapshot, dir: &Path, manifest: &mut Manifest, keeps: impl Fn(DocId) -> bool) -> Result<()> {
    let (state, roll, log) = (manifest.new_file(FileKind::State), manifest.new_file(FileKind::Roll), manifest.new_file(FileKind::Log));
    let columns = contents.index_state.state.columns(keeps);
    let Snapshot { arrived, steps, .. } = *contents;
    StoredState { columns, arrived, steps }.write(&dir.join(&state), &manifest.identity)?;
    let serials = contents.living_from(0).map(|number| contents.index_state.document_table.row(number).serial).collect();
    LivingDocuments { serials, arrived, steps }.write(&dir.join(&roll), &manifest.identity)?;
    Log::create(&dir.join(&log), &manifest.identity)?;
    (manifest.state, manifest.roll, manifest.log) = (Some(state), Some(roll), log);
    Ok(())
}

/// Writes the documents `kept` as a segment, and returns its name. Their texts are written already.
fn write(contents: &Snapshot, kept: &[DocId], layout: TextLayout, dir: &Path, manifest: &mut Manifest) -> Result<String> {
    let state = &contents.index_state.state;
    let keyed = |document: u32| {
        let number = kept[document as usize];
        match () {
            () if !state.is_representative(number) => KeyState::No,
            () if state.leads(number) => KeyState::Leader,
            () => KeyState::Follower,
        }
    };
    let tables = contents.index_state.passes.tables();
    let entries = entries(contents, kept, tables, &keyed);
    let Settings { scheme, parts_scheme, tokens_version, unicode, .. } = contents.settings().clone();
    let (index, documents, TextLayout { files, places, .. }) = (manifest.identity.clone(), kept.len() as u32, layout);
    let header = SegmentHeader { index, scheme, parts: parts_scheme, tokens_version, unicode, documents, tables, texts: files };
    let row = |document: u32| contents.index_state.remains(kept[document as usize]);
    let name = manifest.new_file(FileKind::Segment);
    SegmentDraft { path: &dir.join(&name), header, row: &row, places: &places, keyed: &keyed, entries: &entries }.write()?;
    Ok(name)
}

/// Returns the entries of all key tables.
fn entries(contents: &Snapshot, kept: &[DocId], tables: usize, keyed: &dyn Fn(u32) -> KeyState) -> Vec<Vec<(u32, u32)>> {
    let document_table = &contents.index_state.document_table;
    let mut entries = vec![Vec::new(); tables];
    let mut signed_anew = Vec::new();
    let mut documents = vec![u32::MAX; document_table.count() as usize];
    (0..).zip(kept).for_each(|(document, &number)| documents[number.index()] = document);
    let value = |document: u32| match keyed(document) {
        KeyState::No => None,
        KeyState::Follower => Some(document | FOLLOWS),
        KeyState::Leader => Some(document),
    };
    for (segment, &start) in document_table.segments().iter().zip(document_table.starts()) {
        let new = |old: u32| Some(documents[start.plus(old).index()]).filter(|&document| document != u32::MAX);
        if (0..segment.count()).all(|old| new(old).is_none()) {
            continue;
        }
        for (table, entries) in entries.iter_mut().enumerate() {
            let old = segment.keys[table].entries().map(|(key, value)| (key, value & !FOLLOWS));
            entries.extend(old.filter_map(|(key, old)| Some((key, value(new(old)?)?))));
        }
        signed_anew.extend((0..segment.count()).filter(|&old| segment.keyed(old) == KeyState::No).filter_map(new));
    }
    let mut comparer = TextComparer::new(&contents.index_state.passes);
    for document in (0..kept.len() as u32).filter(|&document| kept[document as usize] >= document_table.fresh_start()).chain(signed_anew) {
        let Some(value) = value(document) else { continue };
        for &key in &*contents.index_state.keys_of(kept[document as usize], &mut comparer) {
            let (table, key) = table_and_key(key);
            entries[table].push((key, value));
        }
    }
    entries
}
