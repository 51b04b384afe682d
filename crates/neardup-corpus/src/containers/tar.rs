use std::io;
use std::path::Path;

use neardup_disk::regular;

use crate::compression::Compression;
use crate::containers::member::TakeMember;
use crate::control::JobControl;

/// Passes the files of a tar to `take`, in order. Links, folders and other entries are skipped.
pub(super) fn each(path: &Path, compression: Compression, control: &JobControl, take: &mut TakeMember<'_>) -> io::Result<()> {
    let file = regular::open(path)?;
    let mut archive = ::tar::Archive::new(compression.decoder(file, control.window(), None)?);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.header().entry_type().is_file() {
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let size = entry.size();
            take(&name, size, &mut entry)?;
        }
    }
    // What follows the end of the archive is padding, and the end of the compressed stream, which may be cut off.
    io::copy(&mut archive.into_inner(), &mut io::sink())?;
    Ok(())
}
