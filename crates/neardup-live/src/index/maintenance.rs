//! Maintenance: writers keep the documents in memory and the segments few.

use super::{Index, Tail};
use crate::Result;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::folder::sweep_leftovers;
use crate::snapshot::manifest::Manifest;
use crate::snapshot::segment_writer;
use std::path::Path;

impl Index {
    /// Writes a segment if memory contains enough for one, and merges segments if there are enough of them.
    pub(super) fn tidy(&self, tail: &mut Tail) -> Result<()> {
        if segment_writer::is_due(&self.contents(), self.flush_at) {
            self.become_next(tail, segment_writer::flush)?;
            while let Some(segments) = { segment_writer::alike(&self.contents()) } {
                self.become_next(tail, |contents, dir| segment_writer::merge(contents, dir, segments, false))?;
            }
        }
        Ok(())
    }

    /// Merges everything into one segment, and erases what was removed.
    pub(super) fn tidy_all(&self, tail: &mut Tail) -> Result<()> {
        if !{ self.contents().index_state.document_table.fresh().is_empty() } {
            self.become_next(tail, segment_writer::flush)?;
        }
        if !{ segment_writer::is_compact(&self.contents()) } {
            self.become_next(tail, |contents, dir| {
                segment_writer::merge(contents, dir, 0..contents.index_state.document_table.segments().len(), true)
            })?;
        }
        Ok(())
    }

    /// Writes the files of the next manifest, while readers use the present ones, and then switches to them.
    fn become_next(&self, tail: &mut Tail, make: impl FnOnce(&Snapshot, &Path) -> Result<Manifest>) -> Result<()> {
        let manifest = make(&*self.readable()?, &self.dir)?;
        manifest.write(&self.dir)?;
        tail.log = None;
        self.catch_up(tail)?;
        sweep_leftovers(&self.dir, &manifest).map(drop)
    }
}
