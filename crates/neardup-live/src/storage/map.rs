//! A file mapped into memory. This is the only unsafe code of this crate.

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file that does not change any more.
///
/// Only files of sections are mapped. Such a file gets its name when it is complete. After that it is only ever removed, and a
/// removed file stays unchanged for processes that have it open. Changing a file of the index by other means while it is in use
/// breaks this promise, as in every program that maps files. The system ends a process that reads bytes that were cut off. So call
/// [`Sections::refuse_cut`](crate::storage::sections::Sections::refuse_cut) before reading.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes never change while they are mapped, for the reason above.
    unsafe { Mmap::map(file) }
}
