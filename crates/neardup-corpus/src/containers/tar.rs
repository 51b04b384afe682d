use std::io::{self, Read};
use std::path::Path;

use neardup_disk::regular;
use tar::{Entry, EntryType, Header};

use crate::compression::Compression;
use crate::containers::member::{ArchiveError, MemberContent, TakeMember};
use crate::control::JobControl;
use crate::flaws::Flaws;

/// Number of bytes of a header.
const BLOCK: usize = 512;
/// Keys of the headers of a sparse file in the format of POSIX.
const SPARSE: &str = "GNU.sparse.";

/// Passes the members of a tar to `take`, in order, and those of archives that were joined to it. Returns what of the file is no part
/// of an archive.
pub(super) fn each(
    path: &Path,
    compression: Compression,
    control: &JobControl,
    take: &mut TakeMember<'_>,
) -> Result<Option<&'static str>, ArchiveError> {
    let flaws = Flaws::default();
    let file = regular::open(path)?;
    let mut rest = TarBlocks { input: compression.decoder(file, control.window(), Some(&flaws))?, begun: Vec::new(), at_end: false };
    let (mut is_tar, mut has_members, mut has_end) = (false, false, false);
    while rest.find_header()? {
        is_tar = true;
        let mut archive = ::tar::Archive::new(rest);
        for entry in archive.entries()? {
            has_members = true;
            if !pass(&mut entry?, take)? {
                // Nothing after the member can be found.
                return Ok(None);
            }
        }
        rest = archive.into_inner();
        has_end = !rest.at_end;
    }
    // The end of the compressed stream may be cut off.
    let ignored = !rest.begun.is_empty();
    if ignored && !is_tar {
        let kind = if rest.begun.len() < BLOCK { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
        let inside = Compression::begun_by(&rest.begun);
        let advice = if inside.is_some() && !compression.is_some() {
            format!("; these are bytes of {}: name the file .tar{}", inside.name(), inside.suffix())
        } else {
            String::new()
        };
        return Err(io::Error::new(kind, format!("it does not begin as a tar does{advice}")).into());
    }
    io::copy(&mut rest, &mut io::sink())?;
    Ok(if ignored || !flaws.counts().is_empty() {
        Some("bytes after the end of an archive")
    } else {
        (has_members && !has_end).then_some("end of an archive, which is missing: more may have been cut off")
    })
}

/// Passes one member. Returns false if its content could not be read to its end.
fn pass<R: Read>(entry: &mut Entry<'_, R>, take: &mut TakeMember<'_>) -> Result<bool, ArchiveError> {
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let kind = entry.header().entry_type();
    let content = match kind {
        // Old archives mark a folder by its name alone.
        EntryType::Directory | EntryType::XGlobalHeader => return Ok(true),
        _ if name.ends_with('/') => return Ok(true),
        EntryType::Link => {
            let target = entry.link_name_bytes().map(|target| String::from_utf8_lossy(&target).into_owned()).unwrap_or_default();
            take(&name, MemberContent::HardLink(&target))?;
            return Ok(true);
        }
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse if is_sparse(entry)? => MemberContent::Unreadable(
            "is a sparse file in the format of POSIX, which is not read; write the tar with --format=gnu".to_owned(),
        ),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => MemberContent::File(entry.size(), entry),
        EntryType::Symlink => MemberContent::PassedOver("symbolic link in an archive"),
        _ => MemberContent::PassedOver("no regular file"),
    };
    let is_file = matches!(content, MemberContent::File(..));
    // Other members follow one of another kind.
    Ok(take(&name, content)? || !is_file)
}

/// Whether the bytes of a member are those of a sparse file in the format of POSIX, which begin with a list of its parts.
fn is_sparse<R: Read>(entry: &mut Entry<'_, R>) -> io::Result<bool> {
    let Some(extensions) = entry.pax_extensions()? else { return Ok(false) };
    Ok(extensions.flatten().any(|extension| extension.key().is_ok_and(|key| key.starts_with(SPARSE))))
}

/// The bytes of a file of archives that follow each other.
struct TarBlocks<'c> {
    input: Box<dyn Read + 'c>,
    /// Bytes that were read to see what they are.
    begun: Vec<u8>,
    /// Whether the end of the file was met.
    at_end: bool,
}

impl TarBlocks<'_> {
    /// Skips zeros, and returns whether a header follows. Otherwise the file ends, or what follows is no archive and has begun.
    fn find_header(&mut self) -> io::Result<bool> {
        loop {
            let mut block = Vec::with_capacity(BLOCK);
            (&mut *self).take(BLOCK as u64).read_to_end(&mut block)?;
            if block.iter().any(|byte| *byte != 0) {
                let is_header = is_header(&block);
                self.begun = block;
                return Ok(is_header);
            }
            if block.len() < BLOCK {
                return Ok(false);
            }
        }
    }
}

impl Read for TarBlocks<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if !self.begun.is_empty() {
            let count = room.len().min(self.begun.len());
            room[..count].copy_from_slice(&self.begun[..count]);
            self.begun.drain(..count);
            return Ok(count);
        }
        let count = self.input.read(room)?;
        self.at_end = count == 0 && !room.is_empty();
        Ok(count)
    }
}

/// Whether a block is a header, by its checksum.
fn is_header(block: &[u8]) -> bool {
    let Ok(bytes) = <&[u8; BLOCK]>::try_from(block) else { return false };
    let Ok(stated) = Header::from_byte_slice(bytes).cksum() else { return false };
    let sum = |part: &[u8]| part.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    // The field of the sum itself counts as blanks.
    sum(&bytes[..148]) + 8 * u32::from(b' ') + sum(&bytes[156..]) == stated
}
