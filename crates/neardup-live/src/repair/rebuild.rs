//! Rebuilding the contents of an index from documents. They are signed and decided again, by the same code as at first.

use super::saved_document::SavedDocument;
use crate::Result;
use crate::decide::comparer::TextComparer;
use crate::decide::passes::IndexPasses;
use crate::documents::document::Document;
use crate::documents::signed::SignedText;
use crate::shards::peers::Shards;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::folder;
use crate::snapshot::manifest::Manifest;
use crate::snapshot::segment_writer::{self, FRESH_DOCUMENTS};
use crate::storage::file_kind::FileKind;
use neardup_core::util::scratch_pool::ScratchPool;
use neardup_core::util::threads::on_all;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Number of documents that are signed at once.
const BATCH: usize = 1 << 12;

/// The data from which an index is rebuilt.
pub struct RebuildPlan<'a> {
    /// Its documents, by serial number.
    pub saved: &'a BTreeMap<u64, SavedDocument>,
    /// Number of steps in the life of the index.
    pub steps: u64,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// The passes by which its texts are signed.
    pub passes: &'a IndexPasses,
}

impl RebuildPlan<'_> {
    /// Builds the contents in memory.
    pub fn contents(&self, dir: &Path, manifest: Manifest, shards: &Arc<Shards>) -> Result<Snapshot> {
        self.build(dir, manifest, shards, Ok)
    }

    /// Writes the files of the contents to `dir`, beside the existing files, and returns the manifest that will name them.
    pub fn files(&self, dir: &Path, manifest: Manifest, shards: &Arc<Shards>) -> Result<Manifest> {
        let go_over = |manifest: Manifest, contents: &Snapshot| {
            Snapshot::load(dir, manifest, self.passes.clone(), shards, contents.index_state.document_table.segments())
        };
        let mut contents = self.build(dir, manifest, shards, |contents| {
            if !segment_writer::is_due(&contents, FRESH_DOCUMENTS) {
                return Ok(contents);
            }
            let mut contents = go_over(segment_writer::flush(&contents, dir)?, &contents)?;
            while let Some(segments) = segment_writer::alike(&contents) {
                contents = go_over(segment_writer::merge(&contents, dir, segments, false)?, &contents)?;
            }
            Ok(contents)
        })?;
        (contents.steps, contents.arrived) = (self.steps, self.arrived);
        segment_writer::flush(&contents, dir)
    }

    /// Adds all documents to empty contents. Calls `flush` after each batch, which may free memory.
    fn build(
        &self,
        dir: &Path,
        manifest: Manifest,
        shards: &Arc<Shards>,
        mut flush: impl FnMut(Snapshot) -> Result<Snapshot>,
    ) -> Result<Snapshot> {
        let comparers: ScratchPool<TextComparer> = ScratchPool::default();
        let with_comparer =
            |document: &Document| comparers.with(|| TextComparer::new(self.passes), |comparer| comparer.sign(document.text.as_bytes()));
        let mut contents = Snapshot::load(dir, empty(dir, manifest)?, self.passes.clone(), shards, &[])?;
        let mut comparer = TextComparer::new(self.passes);
        let all: Vec<(&u64, &SavedDocument)> = self.saved.iter().collect();
        for batch in all.chunks(BATCH) {
            let documents: Vec<Document> = batch.iter().map(|(_, saved)| saved.document()).collect();
            let signed: Vec<SignedText> = on_all(|| documents.par_iter().map(with_comparer).collect());
            for ((&(&serial, saved), document), signed) in batch.iter().zip(&documents).zip(signed) {
                contents.steps = serial - 1;
                shards.begin();
                contents.add(document, saved.arrived, signed, &mut comparer);
                shards.finish();
            }
            shards.fault()?;
            contents = flush(contents)?;
        }
        (contents.steps, contents.arrived) = (self.steps, self.arrived);
        Ok(contents)
    }
}

/// Returns a manifest of the same index without documents, which gives new files unused names.
fn empty(dir: &Path, manifest: Manifest) -> Result<Manifest> {
    let numbers = |name: &String| FileKind::ALL.into_iter().find_map(|kind| kind.number_of(name));
    let highest = folder::files(dir)?.iter().filter_map(numbers).max();
    let next_number = manifest.next_number.max(highest.map_or(0, |highest| highest + 1));
    Ok(Manifest { segments: Vec::new(), texts: Vec::new(), state: None, roll: None, next_number, ..manifest })
}
