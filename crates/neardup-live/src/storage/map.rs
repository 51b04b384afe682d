//! A file as memory: the one place of this crate that the compiler cannot check.

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file that does not change any more.
///
/// Only files of sections are mapped. Such a file gets its name when it is whole; from then on it is only ever removed, and
/// a removed file stays as it is for processes that have it open. Changing a file of the index by other means while it is in use
/// breaks this promise, as with every program that maps files. Bytes that were cut off cannot be read: the system ends the
/// process. So [`Sections::refuse_cut`](crate::storage::sections::Sections::refuse_cut) is asked before they are.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes never change while they are mapped, for the reason above.
    unsafe { Mmap::map(file) }
}
