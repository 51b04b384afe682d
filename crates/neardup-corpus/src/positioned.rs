use std::fs::File;
use std::io;

/// Reads at `offset` until `buffer` is full or the file ends; gives the number of bytes read.
pub(crate) fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<usize> {
    let wanted = buffer.len();
    while !buffer.is_empty() {
        match once(file, buffer, offset) {
            Ok(0) => break,
            Ok(count) => {
                buffer = &mut buffer[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(wanted - buffer.len())
}

#[cfg(unix)]
fn once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Writes all of `bytes` at `offset`.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Writes all of `bytes` at `offset`.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    write_all(bytes, offset, |bytes, offset| std::os::windows::fs::FileExt::seek_write(file, bytes, offset))
}

/// Writes all of `bytes` at `offset`, and lets go of their pages as soon as the disk has them: what is much, and read by
/// nobody soon, pushes nothing out of memory, and takes no fresh memory either. Where a system or a file system cannot, pages stay.
#[cfg(target_os = "linux")]
pub(crate) fn write_past(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    use rustix::io::{Errno, ReadWriteFlags, pwritev2};
    /// RWF_DONTCACHE, since Linux 6.14.
    const LET_GO: ReadWriteFlags = ReadWriteFlags::from_bits_retain(0x80);
    write_all(bytes, offset, |bytes, offset| match pwritev2(file, &[io::IoSlice::new(bytes)], offset, LET_GO) {
        Err(Errno::OPNOTSUPP | Errno::INVAL | Errno::NOSYS) => std::os::unix::fs::FileExt::write_at(file, bytes, offset),
        written => Ok(written?),
    })
}

/// Writes all of `bytes` at `offset`.
#[cfg(not(target_os = "linux"))]
pub(crate) fn write_past(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    write_at(file, bytes, offset)
}

/// Writes `once` after another, each of which says how many bytes it wrote, until all are written.
#[cfg(any(target_os = "linux", windows))]
fn write_all(mut bytes: &[u8], mut offset: u64, once: impl Fn(&[u8], u64) -> io::Result<usize>) -> io::Result<()> {
    while !bytes.is_empty() {
        match once(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = &bytes[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_is_written_past_the_memory_is_there() {
        let bytes: Vec<u8> = (0..100_000u32).map(|number| (number % 251) as u8).collect();
        // The second one is in memory itself, which cannot be written past.
        for folder in [std::env::temp_dir().as_path(), Path::new("/dev/shm")].into_iter().filter(|folder| folder.is_dir()) {
            let file = tempfile::tempfile_in(folder).unwrap();
            for (start, end) in [(0, 70_000), (70_000, 70_001), (70_001, 100_000)] {
                write_past(&file, &bytes[start..end], start as u64).unwrap();
            }
            let mut back = vec![0; bytes.len() + 1];
            assert_eq!(read_at(&file, &mut back, 0).unwrap(), bytes.len());
            assert_eq!(back[..bytes.len()], bytes);
        }
    }
}
