//! The budget: how much memory a run may take, and what of it is spoken for.

use crate::{Error, Result};

/// What the program takes before its first document, with the interpreter it usually runs in.
const PROGRAM: usize = 32 << 20;
/// What reading and signing take for every thread, beside a text larger than a chunk.
const PER_THREAD: usize = 8 << 20;
/// What stays in memory for every document, beside its id: places, ranks, components, verdicts.
const PER_DOCUMENT: usize = 96;

/// The memory that is left for what can be done in parts.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    memory: usize,
    room: usize,
}

impl Budget {
    /// The budget of a run of `threads` before it has read anything; an error when `memory` is too little.
    pub fn new(memory: usize, threads: usize) -> Result<Self> {
        let least = PROGRAM + threads * PER_THREAD;
        match memory.checked_sub(least) {
            Some(room) => Ok(Budget { memory, room }),
            None => Err(Error::Usage(format!(
                "memory is {}; with {threads} threads a run needs {} and more",
                megabytes(memory),
                megabytes(least)
            ))),
        }
    }

    /// What is left beside the numbers and ids of `documents`.
    pub fn beside(self, documents: usize, id_bytes: usize) -> Result<Self> {
        let spoken_for = documents * PER_DOCUMENT + id_bytes;
        // Half as much again is room to work in.
        let fits = self.room >= spoken_for + spoken_for / 2;
        if fits { Ok(Budget { room: self.room - spoken_for, ..self }) } else { Err(self.short(spoken_for + spoken_for / 2, || {
            format!("{documents} documents, of which the numbers and ids stay in memory")
        })) }
    }

    /// The bytes that are left.
    pub fn room(self) -> usize {
        self.room
    }

    /// What is left beside `bytes` for `what`, which cannot be done in parts.
    pub fn without(self, bytes: usize, what: impl FnOnce() -> String) -> Result<usize> {
        self.room.checked_sub(bytes).ok_or_else(|| self.short(bytes, what))
    }

    fn short(self, wanted: usize, what: impl FnOnce() -> String) -> Error {
        let needed = self.memory - self.room + wanted;
        Error::Usage(format!(
            "memory is {}, too little for {}; give --memory {} or more, and the run goes on",
            megabytes(self.memory),
            what(),
            megabytes(needed)
        ))
    }
}

/// As `--memory` is written, rounded up.
fn megabytes(bytes: usize) -> String {
    format!("{}M", bytes.div_ceil(1 << 20))
}
