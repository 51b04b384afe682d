//! Finding the manifest of a folder, when one of its two files is wrong.

use super::damage::Damage;
use crate::snapshot::manifest::{COPY, MANIFEST, Manifest};
use crate::storage::mended::mended;
use crate::{Error, Result};
use neardup_disk::regular;
use std::path::Path;

/// The manifest of the folder, and what is wrong with its files.
///
/// # Errors
/// [`Error::Damaged`] when nothing tells what the index is.
pub fn manifest(dir: &Path, damages: &mut Vec<Damage>) -> Result<Manifest> {
    let path = dir.join(MANIFEST);
    let copy = Manifest::read_copy(dir).unwrap_or_else(|error| {
        damages.push(Damage::told(&dir.join(COPY), error));
        None
    });
    let error = match Manifest::read(dir) {
        // Somebody put an older one back: the copy is written after the manifest, and never before.
        Ok(manifest) if copy.as_ref().is_some_and(|copy| copy.next_number > manifest.next_number) => {
            Error::damaged(&path, "it is older than its copy")
        }
        Ok(manifest) => {
            let is_odd = match &copy {
                None => manifest.format > 1,
                Some(copy) => *copy != manifest,
            };
            // A copy that cannot be read is told of already.
            if is_odd && damages.is_empty() {
                let what = if copy.is_none() { "it is missing" } else { "it is older than the manifest" };
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
    // The copy of a writer that was stopped is older than the manifest itself.
    let newest = [copy, mend()].into_iter().flatten().max_by_key(|manifest| manifest.next_number);
    let Some(manifest) = newest else { return Err(error) };
    damages.push(Damage::told(&path, error));
    Ok(manifest)
}
