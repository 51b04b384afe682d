//! What an index says of itself.

use crate::Result;
use crate::index::Index;
use crate::snapshot::manifest::Settings;
use serde::Serialize;

/// What there is, and what it takes.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// How it was set up.
    #[serde(flatten)]
    pub settings: Settings,
    /// Living documents.
    pub documents: u32,
    /// Those of them that are kept.
    pub kept: u32,
    /// Removed documents that still take room until segments are merged.
    pub removed: u32,
    /// Steps taken through the life of the index: additions and removals.
    pub steps: u64,
    /// The folders it is in.
    pub folders: usize,
    /// Segments.
    pub segments: usize,
    /// Documents that are in no segment yet, but in memory and in the log.
    pub in_memory: usize,
    /// Why the last segment could not be written, when this process tried to, and none was written since.
    pub segment_error: Option<String>,
    /// The bytes of the log that are in use.
    pub log_bytes: u64,
    /// The bytes of the segments.
    pub segment_bytes: usize,
    /// The bytes of the texts, which are beside them.
    pub text_bytes: usize,
    /// Those of them that no document has any more, until they are erased.
    pub removed_text_bytes: usize,
    /// The bytes of their tables of keys that find near-duplicates.
    pub key_bytes: usize,
    /// The bytes of their tables of keys that find parts.
    pub part_key_bytes: usize,
}

impl Info {
    /// What two shards say of themselves, as one.
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

    /// What an index says of itself.
    pub fn of(index: &Index) -> Result<Info> {
        let contents = index.readable()?;
        let (document_table, state) = (&contents.index_state.document_table, &contents.index_state.state);
        let (main, all) = (contents.index_state.passes.main_tables(), contents.index_state.passes.tables());
        let sum = |bytes: &dyn Fn(&crate::documents::segment::Segment) -> usize| {
            document_table.segments().iter().map(|segment| bytes(segment)).sum()
        };
        let removed_text_bytes = document_table.segments().iter().zip(document_table.starts()).map(|(segment, start)| {
            let places = segment.places();
            (places.bytes() - places.held(|document| state.is_alive(start + document))) as usize
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
