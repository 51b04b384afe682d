//! Reading JSON lines of uncompressed files.

use std::fs::File;

use bumpalo::Bump;

use crate::error::{Error, Result};
use crate::formats::json::cutter::{Cutter, LinePiece};
use crate::formats::json::lines::JsonLines;
use crate::readers::draft::ChunkDraft;
use crate::readers::worker_pool::{ChunkFailure, ChunkOutcome, ReadChunks, WorkerPool, WorkerState};
use crate::records::fields::FieldRoles;
use crate::records::record::reuse;
use crate::sources::source::Source;

/// Reads JSON lines of an uncompressed file. Each thread reads its own chunks from the file.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    pool: &WorkerPool<'_, T, E>,
    source: &Source,
    roles: &FieldRoles,
) -> Result<ReadChunks<T>, E> {
    let file = File::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    let len = file.metadata().map_err(Error::io(&source.path, "read"))?.len();
    let longest = pool.options.max_record();
    let lines = JsonLines { roles, longest, encoding: source.encoding };
    let cutter = Cutter { file: &file, len, chunk: pool.options.chunk_bytes() as u64, longest };
    let count = usize::try_from(len.div_ceil(cutter.chunk)).unwrap_or(usize::MAX);
    let only = pool.options.only;
    pool.share(only.map_or(count, <[usize]>::len), &|worker: &mut WorkerState<T, E>, place| {
        let number = only.map_or(place, |only| only[place]);
        let outcome = match pool.recall(number) {
            Some(outcome) => outcome,
            None => {
                let mut permit = None;
                let mut grow = |bytes: usize| {
                    if permit.is_none() {
                        permit = pool.permit(bytes);
                    }
                };
                let piece = cutter.cut(number as u64, &mut worker.buffer, &mut grow).map_err(Error::io(&source.path, "read"))?;
                let outcome = work_on(pool, &lines, number, piece, &worker.buffer, &mut worker.records, &mut worker.scratch);
                pool.trim(&mut worker.buffer);
                outcome?
            }
        };
        pool.options.control.add_bytes(cutter.share(number as u64));
        Ok(outcome)
    })
}

/// Reads the records of complete lines and finishes their chunk. `piece` is the range of these lines in `buffer`.
pub(crate) fn work_on<T: Send, E: From<Error> + Send>(
    pool: &WorkerPool<'_, T, E>,
    lines: &JsonLines<'_>,
    number: usize,
    piece: LinePiece,
    buffer: &[u8],
    spare: &mut Vec<crate::records::record::Record<'static>>,
    scratch: &mut Vec<u8>,
) -> Result<ChunkOutcome<T>, ChunkFailure<E>> {
    let room = Bump::new();
    let mut records = reuse(std::mem::take(spare));
    let mut flaws = Vec::new();
    let mut rows = lines.read(&buffer[piece.start..piece.end], piece.offset, &room, &mut records, &mut flaws);
    if let Some(mut flaw) = piece.tail {
        rows += 1;
        flaw.row = rows;
        flaws.push(flaw);
    }
    let (outcome, emptied) = pool.finish(ChunkDraft { number, rows, records, flaws }, scratch)?;
    *spare = emptied;
    Ok(outcome)
}
