//! Tidying: whoever wrote sees to it that memory, and the number of segments, stay small.

use super::{Index, Tail};
use crate::Result;
use crate::contents::Contents;
use crate::folder::sweep_leftovers;
use crate::manifest::Manifest;
use crate::shelving;
use std::path::Path;

impl Index {
    /// Writes a segment when memory holds enough for one, and merges segments when there are enough of them.
    pub(super) fn tidy(&self, tail: &mut Tail) -> Result<()> {
        if shelving::is_due(&self.contents(), self.shelf) {
            self.become_next(tail, shelving::shelve)?;
            while let Some(segments) = { shelving::alike(&self.contents()) } {
                self.become_next(tail, |contents, dir| shelving::merge(contents, dir, segments, false))?;
            }
        }
        Ok(())
    }

    /// Writes one segment of all, and erases what was removed.
    pub(super) fn tidy_all(&self, tail: &mut Tail) -> Result<()> {
        if !{ self.contents().holdings.stock.fresh().is_empty() } {
            self.become_next(tail, shelving::shelve)?;
        }
        if !{ shelving::is_compact(&self.contents()) } {
            self.become_next(tail, |contents, dir| shelving::merge(contents, dir, 0..contents.holdings.stock.segments().len(), true))?;
        }
        Ok(())
    }

    /// Writes the files of a next manifest beside those that are read meanwhile, and goes over to them.
    fn become_next(&self, tail: &mut Tail, make: impl FnOnce(&Contents, &Path) -> Result<Manifest>) -> Result<()> {
        let manifest = make(&*self.readable()?, &self.dir)?;
        manifest.write(&self.dir)?;
        tail.log = None;
        self.catch_up(tail)?;
        sweep_leftovers(&self.dir, &manifest).map(drop)
    }
}
