use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use neardup_disk::regular;
use zip::{CompressionMethod, SUPPORTED_COMPRESSION_METHODS, ZipArchive};

use crate::containers::member::{ArchiveError, MemberContent, TakeMember};

/// With what an entry of the directory begins, the bytes of its fixed part, and where the lengths of its name, of its extra fields and
/// of its comment are.
const ENTRY: (&[u8; 4], usize, [usize; 3]) = (b"PK\x01\x02", 46, [28, 30, 32]);
/// With what a member begins.
const MEMBER: &[u8] = b"PK\x03\x04";
/// Names of compressions that are not read, where the library has other ones.
const METHODS: [(CompressionMethod, &str); 4] = [
    (CompressionMethod::LZMA, "LZMA"),
    (CompressionMethod::PPMD, "PPMd"),
    (CompressionMethod::JPEG, "JPEG"),
    (CompressionMethod::WAVPACK, "WavPack"),
];

/// Passes the members of a zip to `take`, in the order of its directory. Each is read independently of the others. Returns what of
/// the file is no part of the archive.
pub(super) fn each(path: &Path, take: &mut TakeMember<'_>) -> Result<Option<&'static str>, ArchiveError> {
    let mut archive = ZipArchive::new(BufReader::new(regular::open(path)?)).map_err(io::Error::from)?;
    for name in replaced(path, &archive)? {
        take(&name, MemberContent::PassedOver("replaced by a later file of the archive"))?;
    }
    for number in 0..archive.len() {
        let entry = archive.by_index_data(number).map_err(io::Error::from)?;
        if entry.is_dir() {
            continue;
        }
        let name = entry.name().map_or_else(|_| String::from_utf8_lossy(entry.name_raw()).into_owned(), |name| name.into_owned());
        if entry.is_symlink() {
            take(&name, MemberContent::PassedOver("symbolic link in an archive"))?;
        } else if entry.encrypted() {
            take(&name, MemberContent::Unreadable("is encrypted, and neardup takes no password; extract the archive first".to_owned()))?;
        } else if !SUPPORTED_COMPRESSION_METHODS.contains(&entry.compression()) {
            take(&name, MemberContent::Unreadable(refuse(entry.compression())))?;
        } else {
            match archive.by_index(number) {
                Ok(mut member) => take(&name, MemberContent::File(member.size(), &mut member))?,
                Err(error) => take(&name, MemberContent::Unreadable(format!("is damaged: {error}")))?,
            };
        }
    }
    Ok(has_archive_before(path, archive.offset())?.then_some("archive before another one in a file"))
}

/// Returns the reason for which a member in a compression cannot be read.
fn refuse(method: CompressionMethod) -> String {
    let name = METHODS.iter().find(|(other, _)| *other == method).map_or_else(|| method.to_string(), |(_, name)| (*name).to_owned());
    format!("is compressed by {name}, which is not read; pack it again by Deflate, bzip2, xz or Zstandard, or extract the archive first")
}

/// Returns the names of the members that are replaced, because a later one has the same name. The library keeps only the last.
fn replaced<R: Read + Seek>(path: &Path, archive: &ZipArchive<R>) -> io::Result<Vec<String>> {
    let mut replaced = Vec::new();
    if !archive.has_duplicate_names() {
        return Ok(replaced);
    }
    let (magic, fixed, lengths) = ENTRY;
    let mut directory = at(path, archive.central_directory_start())?;
    let mut seen = HashSet::new();
    let mut head = vec![0; fixed];
    while directory.read_exact(&mut head).is_ok() && head.starts_with(magic) {
        let [name, extra, comment] = lengths.map(|at| usize::from(u16::from_le_bytes([head[at], head[at + 1]])));
        let mut rest = vec![0; name + extra + comment];
        directory.read_exact(&mut rest)?;
        rest.truncate(name);
        // A folder is no file, as the library tells them apart.
        let is_folder = matches!(rest.last(), Some(b'/' | b'\\'));
        if !is_folder && !seen.insert(rest.clone()) {
            replaced.push(String::from_utf8_lossy(&rest).into_owned());
        }
    }
    Ok(replaced)
}

/// Whether an archive begins before the one that ends a file.
fn has_archive_before(path: &Path, offset: u64) -> io::Result<bool> {
    let mut begin = Vec::new();
    at(path, 0)?.take(offset.min(MEMBER.len() as u64)).read_to_end(&mut begin)?;
    Ok(begin == MEMBER)
}

fn at(path: &Path, offset: u64) -> io::Result<BufReader<File>> {
    let mut file = regular::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(BufReader::new(file))
}
