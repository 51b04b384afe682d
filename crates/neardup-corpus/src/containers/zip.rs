use std::io::{self, BufReader};
use std::path::Path;

use neardup_disk::regular;

use crate::containers::member::TakeMember;

/// Passes the files of a zip to `take`, in the order of its directory.
pub(super) fn each(path: &Path, take: &mut TakeMember<'_>) -> io::Result<()> {
    let mut archive = ::zip::ZipArchive::new(BufReader::new(regular::open(path)?)).map_err(io::Error::from)?;
    for number in 0..archive.len() {
        let mut member = archive.by_index(number).map_err(io::Error::from)?;
        if member.is_file() {
            let (name, size) = (member.name().map_err(io::Error::from)?.into_owned(), member.size());
            take(&name, size, &mut member)?;
        }
    }
    Ok(())
}
