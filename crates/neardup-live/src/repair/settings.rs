//! Finding the manifest of a folder if it or its copy is damaged, or both are.

use super::damage::Damage;
use crate::snapshot::folder;
use crate::snapshot::manifest::{COPY, MANIFEST, Manifest, Settings};
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::log::LogReader;
use crate::storage::mended::mended;
use crate::storage::sections::Sections;
use crate::{Error, Result};
use neardup_disk::regular;
use serde::Deserialize;
use std::path::Path;

/// Returns the manifest of the folder, and records the damage of its two files. If both are lost, returns a manifest with the
/// settings `known` and no files; the caller must find the files.
///
/// # Errors
/// [`Error::Damaged`] if the settings of the index are unknown.
pub fn manifest(dir: &Path, known: Option<&Settings>, damages: &mut Vec<Damage>) -> Result<Manifest> {
    let path = dir.join(MANIFEST);
    let copy = Manifest::read_copy(dir).unwrap_or_else(|error| {
        damages.push(Damage::of_error(&dir.join(COPY), error));
        None
    });
    let error = match Manifest::read(dir) {
        // The copy is always written after the manifest. So an older manifest was put back.
        Ok(manifest) if copy.as_ref().is_some_and(|copy| copy.next_number > manifest.next_number) => {
            Error::damaged(&path, "it is older than its copy")
        }
        Ok(manifest) => {
            // A copy that cannot be read was reported already.
            if let (true, Some(what)) = (damages.is_empty(), manifest.odd_copy(copy.as_ref())) {
                damages.push(Damage::of(&dir.join(COPY), what));
            }
            return Ok(manifest);
        }
        Err(error @ (Error::Format { .. } | Error::Usage(_))) => return Err(error),
        Err(error) => error,
    };
    let mend = || {
        let bytes = regular::read(&path).ok()?;
        mended(&bytes, 0..bytes.len(), |bytes| Manifest::parse(&path, bytes).ok())
    };
    // If a writer was stopped, the copy is older than the manifest.
    let newest = [copy, mend()].into_iter().flatten().max_by_key(|manifest| manifest.next_number);
    if let Some(manifest) = newest {
        damages.push(Damage::of_error(&path, error));
        return Ok(manifest);
    }
    let Some(identity) = identity(dir)? else { return Err(error) };
    let Some(known) = known else {
        return Err(Error::damaged(
            &path,
            "it and its copy do not say how the index was made: give its scheme (--scheme), and it is made anew from its other files",
        ));
    };
    damages.push(Damage::of(&path, "it and its copy do not say how the index was made"));
    Ok(Manifest::new(identity, known.clone()))
}

/// Returns the identity of the index in a folder, from its first readable file.
pub fn identity(dir: &Path) -> Result<Option<Identity>> {
    #[derive(Deserialize)]
    struct Header {
        index: Identity,
    }
    let of_file = |name: String| {
        let (path, kind) = (dir.join(&name), FileKind::ALL.into_iter().find(|kind| kind.number_of(&name).is_some())?);
        match kind {
            FileKind::Log => LogReader::open(&path).ok()?.header().ok(),
            _ => Sections::open(&path, kind.word()).ok()?.header::<Header>().ok().map(|header| header.index),
        }
    };
    Ok(folder::files(dir)?.into_iter().find_map(of_file))
}
