use std::fs::File;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::control::Control;
use crate::error::{Error, Result};
use crate::place::Span;
use crate::positioned::{read_at, write_at};
use crate::source::Source;

/// How much of the source is looked at once. Kept records of a block are brought together, so that one write takes
/// them all: measured, this is two to four times as fast as letting the system copy every run of kept records.
const BLOCK: u64 = 256 << 10;
/// The least gap between kept records that is not read: a smaller one costs less than reading twice.
const GAP: u64 = 4 << 10;

/// A block of the source: where it is, which dropped span is the first that reaches into it, where its rest goes.
struct Block {
    start: u64,
    end: u64,
    first: usize,
    target: u64,
}

/// Copies the file without the dropped spans, with a few threads that write at known places.
pub(super) fn keep(source: &Source, dropped: &[Span], output: &File, target: &Path, threads: usize, control: &Control) -> Result<()> {
    let input = File::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    let len = input.metadata().map_err(Error::io(&source.path, "read"))?.len();
    if dropped.last().is_some_and(|span| span.end() > len) {
        return Err(Error::Changed { path: source.path.clone() });
    }
    let blocks = plan(dropped, len);
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let toil = || {
        let mut room = vec![0; BLOCK as usize];
        while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let copied = if control.is_cancelled() {
                Err(Error::Cancelled)
            } else {
                copy(block, dropped, &input, source, output, target, &mut room)
            };
            control.add_bytes(block.end - block.start);
            if let Err(error) = copied {
                next.store(blocks.len(), Ordering::Relaxed);
                failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(blocks.len()) {
            scope.spawn(toil);
        }
        toil();
    });
    failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map_or(Ok(()), Err)
}

fn plan(dropped: &[Span], len: u64) -> Vec<Block> {
    let mut blocks = Vec::with_capacity(usize::try_from(len / BLOCK).unwrap_or(0) + 1);
    let (mut first, mut target, mut start) = (0, 0, 0);
    while start < len {
        let end = (start + BLOCK).min(len);
        while dropped.get(first).is_some_and(|span| span.end() <= start) {
            first += 1;
        }
        let block = Block { start, end, first, target };
        target += kept(&block, dropped).map(|(from, to)| to - from).sum::<u64>();
        blocks.push(block);
        start = end;
    }
    blocks
}

/// The runs of a block that stay.
fn kept<'b>(block: &'b Block, dropped: &'b [Span]) -> impl Iterator<Item = (u64, u64)> + 'b {
    let inside = dropped[block.first..].iter().take_while(|span| span.offset < block.end);
    let mut from = block.start;
    inside
        .map(|span| (span.offset, span.end()))
        .chain([(block.end, block.end)])
        .map(move |(begin, end)| {
            let run = (from, begin.max(from));
            from = end.max(from);
            run
        })
        .filter(|(from, to)| from < to)
}

fn copy(block: &Block, dropped: &[Span], input: &File, source: &Source, output: &File, target: &Path, room: &mut [u8]) -> Result<()> {
    let runs: Vec<(u64, u64)> = kept(block, dropped).collect();
    let mut len = 0;
    for near in runs.chunk_by(|left, right| right.0 - left.1 < GAP) {
        let (first, last) = (near[0].0, near[near.len() - 1].1);
        let read = &mut room[len..len + (last - first) as usize];
        if read_at(input, read, first).map_err(Error::io(&source.path, "read"))? < read.len() {
            return Err(Error::Changed { path: source.path.clone() });
        }
        let start = len;
        for &(from, to) in near {
            room.copy_within(start + (from - first) as usize..start + (to - first) as usize, len);
            len += (to - from) as usize;
        }
    }
    if len == 0 {
        return Ok(());
    }
    write_at(output, &room[..len], block.target).map_err(Error::io(target, "write"))
}
