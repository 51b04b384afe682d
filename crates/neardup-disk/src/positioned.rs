//! Reads and writes at an offset of a file, independent of other readers and writers.

use std::fs::File;
use std::io;

/// Reads at `offset` until `buffer` is full or the file ends; returns the number of bytes read.
pub fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<usize> {
    let wanted = buffer.len();
    while !buffer.is_empty() {
        match read_once(file, buffer, offset) {
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

/// Fills `buffer` from `offset` on; fails with `UnexpectedEof` if the file ends before.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    if read_at(file, buffer, offset)? == buffer.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Writes all of `bytes` at `offset`.
pub fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    write_all(bytes, offset, |bytes, offset| write_once(file, bytes, offset))
}

/// Calls `once` until all of `bytes` is written. `once` returns the number of bytes that it wrote.
pub(crate) fn write_all(mut bytes: &[u8], mut offset: u64, once: impl Fn(&[u8], u64) -> io::Result<usize>) -> io::Result<()> {
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

#[cfg(unix)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(unix)]
pub(crate) fn write_once(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(windows)]
pub(crate) fn write_once(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stand_where_they_were_written() {
        let file = tempfile::tempfile().unwrap();
        write_at(&file, b"quay", 3).unwrap();
        write_at(&file, b"the", 0).unwrap();
        let mut back = [0; 9];
        assert_eq!(read_at(&file, &mut back, 1).unwrap(), 6);
        assert_eq!(&back[..6], b"hequay");
        read_exact_at(&file, &mut back[..7], 0).unwrap();
        assert_eq!(&back[..7], b"thequay");
        let error = read_exact_at(&file, &mut back, 0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
