//! Pages of files in memory: advice to the system about pages that are not needed soon. A system that takes no advice keeps them.

use std::fs::File;
use std::io;

/// Writes all of `bytes` at `offset`, and frees their pages as soon as the data is on the disk. So large data that is not read soon
/// evicts nothing from memory, and takes no additional memory.
#[cfg(target_os = "linux")]
pub fn write_past(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    use crate::positioned::{write_all, write_once};
    use rustix::io::{Errno, ReadWriteFlags, pwritev2};
    /// RWF_DONTCACHE, since Linux 6.14.
    const LET_GO: ReadWriteFlags = ReadWriteFlags::from_bits_retain(0x80);
    write_all(bytes, offset, |bytes, offset| match pwritev2(file, &[io::IoSlice::new(bytes)], offset, LET_GO) {
        Err(Errno::OPNOTSUPP | Errno::INVAL | Errno::NOSYS) => write_once(file, bytes, offset),
        written => Ok(written?),
    })
}

/// Writes all of `bytes` at `offset`.
#[cfg(not(target_os = "linux"))]
pub fn write_past(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    crate::positioned::write_at(file, bytes, offset)
}

/// Frees the pages of `bytes` bytes from `offset` on, which will hardly be read again. This is only advice to the system.
#[cfg(target_os = "linux")]
pub fn forget(file: &File, offset: u64, bytes: u64) {
    use rustix::fs::{Advice, fadvise};
    if let Some(bytes) = std::num::NonZeroU64::new(bytes) {
        let _ = fadvise(file, offset, Some(bytes), Advice::DontNeed);
    }
}

/// Does nothing: this system takes no such advice.
#[cfg(not(target_os = "linux"))]
pub fn forget(_: &File, _: u64, _: u64) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positioned::read_at;
    use std::path::Path;

    #[test]
    fn what_is_written_past_the_memory_is_there() {
        let bytes: Vec<u8> = (0..100_000u32).map(|number| (number % 251) as u8).collect();
        // The second folder is in memory, where this kind of write is not supported.
        for folder in [std::env::temp_dir().as_path(), Path::new("/dev/shm")].into_iter().filter(|folder| folder.is_dir()) {
            let file = tempfile::tempfile_in(folder).unwrap();
            for (start, end) in [(0, 70_000), (70_000, 70_001), (70_001, 100_000)] {
                write_past(&file, &bytes[start..end], start as u64).unwrap();
            }
            forget(&file, 0, 70_000);
            let mut back = vec![0; bytes.len() + 1];
            assert_eq!(read_at(&file, &mut back, 0).unwrap(), bytes.len());
            assert_eq!(back[..bytes.len()], bytes);
        }
    }
}
