//! Facts about an index.

use crate::Result;
use crate::index::Index;
use crate::snapshot::manifest::Settings;
use serde::Serialize;

/// The contents of an index and the space that they take.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The settings of the index.
    #[serde(flatten)]
    pub settings: Settings,
    /// Number of living documents.
    pub documents: u32,
    /// Number of living documents that are kept.
    pub kept: u32,
    /// Number of removed documents that take space until segments are merged.
    pub removed: u32,
    /// Number of steps in the life of the index: additions and removals.
    pub steps: u64,
    /// Number of folders of the index.
    pub folders: usize,
    /// Number of segments.
    pub segments: usize,
    /// Number of documents that are in no segment yet, but in memory and in the log.
    pub in_memory: usize,
    /// The error of this process's last attempt to write a segment, if none was written since.
    pub segment_error: Option<String>,
    /// Number of bytes of the log that are in use.
    pub log_bytes: u64,
    /// Number of bytes of the segments.
    pub segment_bytes: usize,
    /// Number of bytes of the texts, which are in files beside the segments.
    pub text_bytes: usize,
    /// Number of bytes of texts of removed documents that are not erased yet.
    pub removed_text_bytes: usize,
    /// Number of bytes of the key tables that find near-duplicates.
    pub key_bytes: usize,
    /// Number of bytes of the key tables that find parts.
    pub part_key_bytes: usize,
}

impl Info {
    /// Combines the facts about two shards, or sets of shards, of one index.
    pub fn and(self, other: Info) -> Info {
        Info {
            segments: self.segments + other.segments,
            in_memory: self.in_memory.max(other.in_memory),
            segment_error: self.segment_error.or(other.segment_error),
            log_bytes: self.log_bytes + other.log_bytes,
            segment_bytes: self.segment_bytes + other.segment_bytes,
            text_bytes: self.text_bytes + other.text_bytes,
            removed_text_bytes: self.removed_text_bytes + other.removed_text_bytes,
            key_bytes: self.key_bytes + other.key_bytes,
            part_key_bytes: self.part_key_bytes + other.part_key_bytes,
            folders: self.folders + other.folders,
            ..self
        }
    }

    /// Returns the facts about an index in one folder.
    pub fn of(index: &Index) -> Result<Info> {
        let contents = index.readable()?;
        let (document_table, state) = (&contents.index_state.document_table, &contents.index_state.state);
        let (main, all) = (contents.index_state.passes.main_tables(), contents.index_state.passes.tables());
        let sum = |bytes: &dyn Fn(&crate::documents::segment::Segment) -> usize| {
            document_table.segments().iter().map(|segment| bytes(segment)).sum()
        };
        let removed_text_bytes = document_table.segments().iter().zip(document_table.starts()).map(|(segment, start)| {
            let places = segment.places();
            (places.bytes() - places.counted_bytes(|document| state.is_alive(start.plus(document)))) as usize
        });
        Ok(Info {
            settings: contents.settings().clone(),
            documents: state.living(),
            kept: state.kept(),
            removed: state.count() - state.living(),
            steps: contents.steps,
            folders: 1,
            segments: document_table.segments().len(),
            in_memory: document_table.fresh().len(),
            segment_error: contents.failure.as_ref().map(|failure| failure.error.to_string()),
            log_bytes: contents.position,
            segment_bytes: sum(&|segment| segment.bytes()),
            text_bytes: sum(&|segment| segment.places().bytes() as usize),
            removed_text_bytes: removed_text_bytes.sum(),
            key_bytes: sum(&|segment| segment.key_bytes(0..main)),
            part_key_bytes: sum(&|segment| segment.key_bytes(main..all)),
        })
    }
}
