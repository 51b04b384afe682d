//! The head of a file: its magic, its format, and a header by the module that writes the file.
//!
//! | bytes | |
//! |---|---|
//! | 8 | magic |
//! | 4 | format, u32 |
//! | 4 | length of the JSON, u32 |
//! | 32 | BLAKE3 of format, length and JSON |
//! | ... | JSON: kind and name of the file, and the header |

use crate::format::{FORMAT, FORMATS};
use crate::storage::mended::mended;
use crate::{Error, Result};
use blake3::Hasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{self, Read};
use std::path::Path;

const MAGIC: [u8; 8] = *b"neardup\0";
/// Number of bytes at the start of a file that are searched for a wrong byte.
const MENDED: usize = 1 << 16;
/// Number of bytes before the JSON.
const FIXED: u64 = 8 + 4 + 4 + 32;

/// A head that was read and verified.
#[derive(Debug)]
pub struct FileHead {
    /// Length of the head in bytes, from the start of the file.
    pub length: u64,
    /// Checksum of the head. It is unique within an index, because file names differ.
    pub check: [u8; 32],
    header: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
struct Json<H> {
    kind: String,
    name: String,
    header: H,
}

impl FileHead {
    /// Returns the bytes of the head of a file at `path`.
    pub fn bytes(path: &Path, kind: &str, header: &impl Serialize) -> Result<Vec<u8>> {
        FileHead::bytes_of(FORMAT, path, kind, header)
    }

    /// Returns the bytes of the head of a file at `path`, in the given format.
    pub fn bytes_of(format: u32, path: &Path, kind: &str, header: &impl Serialize) -> Result<Vec<u8>> {
        let json = Json { kind: kind.to_owned(), name: name(path), header };
        let json = serde_json::to_vec(&json).map_err(Error::file(path, "write its header"))?;
        let length = u32::try_from(json.len()).map_err(Error::file(path, "write its header"))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(format.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(check(format, length, &json));
        bytes.extend(json);
        Ok(bytes)
    }

    /// Reads the head of the file at `path` from its start, and checks that the file has this kind and name.
    pub fn read(path: &Path, kind: &str, source: &mut impl Read) -> Result<FileHead> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::damaged(path, "it ends within its head"),
            _ => Error::file(path, "read")(error),
        };
        let magic: [u8; 8] = take(source).map_err(failed)?;
        if magic != MAGIC {
            return Err(Error::damaged(path, "it does not begin as a file of an index does"));
        }
        let format = u32::from_le_bytes(take(source).map_err(failed)?);
        if !FORMATS.contains(&format) {
            return Err(Error::Format { path: path.to_path_buf(), found: format });
        }
        let length = u32::from_le_bytes(take(source).map_err(failed)?);
        let written: [u8; 32] = take(source).map_err(failed)?;
        let mut json = Vec::new();
        if source.take(length.into()).read_to_end(&mut json).map_err(failed)? < length as usize {
            return Err(failed(io::ErrorKind::UnexpectedEof.into()));
        }
        if written != check(format, length, &json) {
            return Err(Error::damaged(path, "the checksum of its head is wrong"));
        }
        let json: Json<Box<RawValue>> = serde_json::from_slice(&json).map_err(|error| Error::damaged(path, error.to_string()))?;
        if (json.kind.as_str(), &json.name) != (kind, &name(path)) {
            let Json { kind: found, name, .. } = json;
            return Err(Error::damaged(path, format!("it was written as {name}, a {found}, and is used as a {kind}")));
        }
        Ok(FileHead { length: FIXED + u64::from(length), check: written, header: json.header })
    }

    /// Reads the head at the start of `file` as [`FileHead::read`] does, even if one byte of it is wrong.
    pub fn mend(path: &Path, kind: &str, file: &[u8]) -> Option<FileHead> {
        let head = |file: &[u8]| FileHead::read(path, kind, &mut &file[..]).ok();
        let start = &file[..file.len().min(MENDED)];
        let length = start.get(12..16).map(bytemuck::pod_read_unaligned::<u32>).unwrap_or_default();
        let fixed = start.len().min(FIXED as usize);
        let json = start.len().min(fixed.saturating_add(length as usize));
        head(start).or_else(|| mended(start, 0..fixed, head)).or_else(|| mended(start, fixed..json, head))
    }

    /// Returns the header that the writer of the file at `path` stored.
    pub fn header<H: DeserializeOwned>(&self, path: &Path) -> Result<H> {
        serde_json::from_str(self.header.get()).map_err(|error| Error::damaged(path, format!("its header cannot be read: {error}")))
    }
}

fn check(format: u32, length: u32, json: &[u8]) -> [u8; 32] {
    *Hasher::new().update(&format.to_le_bytes()).update(&length.to_le_bytes()).update(json).finalize().as_bytes()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn take<const N: usize>(source: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}
