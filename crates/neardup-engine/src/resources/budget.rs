//! The budget: how much memory a run may take, and how much of it is reserved.

use crate::error::megabytes;
use crate::{Error, Result};
use neardup_core::terms::lexicon::Lexicon;

/// Bytes that the program takes before its first document, with the interpreter that it usually runs in.
const PROGRAM: usize = 42 << 20;
/// Bytes that reading and signing take for every thread, in addition to a text larger than a chunk.
const PER_THREAD: usize = 8 << 20;
/// Bytes that stay in memory for every document, in addition to its id: places, ranks, components, verdicts.
const PER_DOCUMENT: usize = 80;
/// Least number of bytes to work in, in addition to all that.
const LEAST_ROOM: usize = 4 << 20;

/// The memory that is left for work that can be done in parts.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    memory: usize,
    room: usize,
    /// Number of threads that work, and the number that would work with more memory.
    threads: usize,
    most: usize,
}

/// Returns the number of threads for which `memory` is enough if half of it is left for documents.
pub fn threads(memory: usize) -> usize {
    ((memory / 2).saturating_sub(PROGRAM) / PER_THREAD).max(1)
}

impl Budget {
    /// Creates the budget of a run of `threads` threads that has read nothing yet; with more memory, `most` threads would work.
    /// Fails if `memory` is too little.
    pub fn new(memory: usize, threads: usize, most: usize) -> Result<Self> {
        let least = PROGRAM + threads * PER_THREAD;
        match memory.checked_sub(least) {
            Some(room) => Ok(Budget { memory, room, threads, most: most.max(threads) }),
            None => Err(Error::Usage(format!(
                "memory is {}; a run with --threads {threads} needs {} and more",
                megabytes(memory as u64),
                megabytes(least as u64)
            ))),
        }
    }

    /// Returns the budget that is left after a lexicon of `terms` terms.
    pub fn beside_terms(self, terms: usize) -> Result<Self> {
        let room = self.without(terms * Lexicon::BYTES, || format!("the {terms} terms of the lexicon, which stay in memory"))?;
        Ok(Budget { room, ..self })
    }

    /// Returns the bytes that the numbers and ids of `documents` documents take.
    pub fn needed(self, documents: usize, id_bytes: usize) -> usize {
        documents * PER_DOCUMENT + id_bytes
    }

    /// Returns the same, plus the bytes to work in: the least there must be, or `want` bytes for a step that cannot be done in
    /// less.
    pub fn needed_with(self, documents: usize, id_bytes: usize, want: usize) -> usize {
        self.needed(documents, id_bytes) + want.max(LEAST_ROOM)
    }

    /// Returns the budget that is left after the numbers and ids of `documents` documents.
    pub fn beside(self, documents: usize, id_bytes: usize) -> Result<Self> {
        let what = || format!("the numbers and ids of {documents} documents, which stay in memory");
        let room = self.without(self.needed_with(documents, id_bytes, 0), what)? + LEAST_ROOM;
        Ok(Budget { room, ..self })
    }

    /// Returns the number of bytes that are left.
    pub fn room(self) -> usize {
        self.room
    }

    /// Returns the number of threads that work if there is enough memory.
    pub fn most_threads(self) -> usize {
        self.most
    }

    /// Returns the bytes that are left after `bytes` bytes for `what`, which cannot be done in parts.
    pub fn without(self, bytes: usize, what: impl FnOnce() -> String) -> Result<usize> {
        self.room.checked_sub(bytes).ok_or_else(|| self.short(bytes, what))
    }

    /// Returns a message if there is no room for a text that takes `text` bytes; it names the memory that would suffice.
    pub fn shortage(self, text: usize) -> Option<String> {
        let [memory, needed] = [self.memory, self.enough(text + LEAST_ROOM)].map(|bytes| megabytes(bytes as u64));
        (text > self.room_for_text()).then(|| format!("memory is {memory}; give {needed} or more"))
    }

    /// Returns the largest number of bytes that one text may take. The memory of one thread is enough for most texts.
    pub fn room_for_text(self) -> usize {
        self.room.saturating_sub(LEAST_ROOM).max(PER_THREAD)
    }

    /// Returns the budget that is left if texts that take `text` bytes each are processed at once, and by how many of `threads`
    /// threads.
    pub fn beside_text(self, text: usize, threads: usize) -> (Self, usize) {
        if text <= PER_THREAD {
            return (self, threads);
        }
        let threads = (self.room / 2 / text).clamp(1, threads);
        (Budget { room: self.room.saturating_sub(threads * text).max(LEAST_ROOM), ..self }, threads)
    }

    /// Returns the error that the memory is too little for `what`, which needs `wanted` bytes of the room. It names the memory
    /// that would suffice.
    pub fn short(self, wanted: usize, what: impl FnOnce() -> String) -> Error {
        let (memory, needed) = [self.memory, self.enough(wanted)].map(|bytes| megabytes(bytes as u64)).into();
        Error::Usage(format!("memory is {memory}, too little for {}; give {needed} or more", what()))
    }

    /// Returns the least memory that leaves `wanted` bytes of room. More memory brings more threads, which take some of it.
    fn enough(self, wanted: usize) -> usize {
        let beside = self.memory - self.room - self.threads * PER_THREAD + wanted;
        let mut at_work = self.threads;
        loop {
            let needed = (beside + at_work * PER_THREAD).next_multiple_of(1 << 20);
            // This includes the next thread, which starts before there is room for it.
            match threads(needed + PER_THREAD).min(self.most) {
                more if more > at_work => at_work = more,
                _ => return needed,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_would_do_with_the_threads_that_it_brings() {
        for (memory, most) in [(60 << 20, 4), (60 << 20, 64), (100 << 20, 64), (60 << 20, 1)] {
            let budget = |memory| Budget::new(memory, threads(memory).min(most), most).unwrap();
            for documents in (1_000_000..1_200_000).step_by(10_007) {
                let refused = budget(memory).beside(documents, 0).unwrap_err().to_string();
                let advised = refused.split("; give ").nth(1).and_then(|advised| advised.split('M').next()).unwrap();
                let enough: usize = advised.parse().unwrap();
                assert!((enough..enough + 100).all(|enough| budget(enough << 20).beside(documents, 0).is_ok()), "{refused}");
            }
        }
    }
}
