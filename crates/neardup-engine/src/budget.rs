//! The budget: how much memory a run may take, and what of it is spoken for.

use crate::error::megabytes;
use crate::{Error, Result};
use neardup_core::lexicon::Lexicon;

/// What the program takes before its first document, with the interpreter it usually runs in.
const PROGRAM: usize = 36 << 20;
/// What reading and signing take for every thread, beside a text larger than a chunk.
const PER_THREAD: usize = 8 << 20;
/// What stays in memory for every document, beside its id: places, ranks, components, verdicts.
const PER_DOCUMENT: usize = 80;
/// The least to work in, beside all that.
const LEAST_ROOM: usize = 4 << 20;

/// The memory that is left for what can be done in parts.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    memory: usize,
    room: usize,
}

/// How many threads `memory` is enough for, when half of it is to be left for documents.
pub fn threads(memory: usize) -> usize {
    ((memory / 2).saturating_sub(PROGRAM) / PER_THREAD).max(1)
}

impl Budget {
    /// The budget of a run of `threads` before it has read anything; an error when `memory` is too little.
    pub fn new(memory: usize, threads: usize) -> Result<Self> {
        let least = PROGRAM + threads * PER_THREAD;
        match memory.checked_sub(least) {
            Some(room) => Ok(Budget { memory, room }),
            None => Err(Error::Usage(format!(
                "memory is {}; a run with --threads {threads} needs {} and more",
                megabytes(memory as u64),
                megabytes(least as u64)
            ))),
        }
    }

    /// What is left beside a lexicon.
    pub fn beside_terms(self, terms: usize) -> Result<Self> {
        let room = self.without(terms * Lexicon::BYTES, || format!("the {terms} terms of the lexicon, which stay in memory"))?;
        Ok(Budget { room, ..self })
    }

    /// The bytes that the numbers and ids of `documents` take.
    pub fn needed(self, documents: usize, id_bytes: usize) -> usize {
        documents * PER_DOCUMENT + id_bytes
    }

    /// What is left beside the numbers and ids of `documents`.
    pub fn beside(self, documents: usize, id_bytes: usize) -> Result<Self> {
        let spoken_for = self.needed(documents, id_bytes);
        let what = || format!("the numbers and ids of {documents} documents, which stay in memory");
        let room = self.without(spoken_for + LEAST_ROOM, what)? + LEAST_ROOM;
        Ok(Budget { room, ..self })
    }

    /// The bytes that are left.
    pub fn room(self) -> usize {
        self.room
    }

    /// What is left beside `bytes` for `what`, which cannot be done in parts.
    pub fn without(self, bytes: usize, what: impl FnOnce() -> String) -> Result<usize> {
        self.room.checked_sub(bytes).ok_or_else(|| self.short(bytes, what))
    }

    /// What is told when there is no room for a text that takes so many bytes, with the figure that would do.
    pub fn shortage(self, text: usize) -> Option<String> {
        let needed = self.memory - self.room + text + LEAST_ROOM;
        let [memory, needed] = [self.memory, needed].map(|bytes| megabytes(bytes as u64));
        (text > self.room_for_text()).then(|| format!("memory is {memory}; give {needed} or more"))
    }

    /// The most bytes that one text may take.
    pub fn room_for_text(self) -> usize {
        self.room.saturating_sub(LEAST_ROOM)
    }

    /// With how many of `threads` texts that take so many bytes each are worked on at once, and what is left beside them.
    pub fn beside_text(self, text: usize, threads: usize) -> (Self, usize) {
        if text <= PER_THREAD / 2 {
            return (self, threads);
        }
        let threads = (self.room / 2 / text).clamp(1, threads);
        (Budget { room: self.room.saturating_sub(threads * text).max(LEAST_ROOM), ..self }, threads)
    }

    fn short(self, wanted: usize, what: impl FnOnce() -> String) -> Error {
        let needed = self.memory - self.room + wanted;
        Error::Usage(format!(
            "memory is {}, too little for {}; give {} or more",
            megabytes(self.memory as u64),
            what(),
            megabytes(needed as u64)
        ))
    }
}
