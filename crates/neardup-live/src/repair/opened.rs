//! Opening a file of sections that may contain wrong bytes.

use super::damage::Damage;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::sections::Sections;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Opens a file of an index, and records its damage. `of` returns the identity of the index from the header. Head and table of the
/// opened file are right, because one wrong byte in them is corrected; its sections may be wrong. `None` if nothing in the file can
/// be used.
pub fn open<H: DeserializeOwned>(
    path: &Path,
    kind: FileKind,
    of: impl Fn(&H) -> &Identity,
    index: &Identity,
    damages: &mut Vec<Damage>,
) -> Option<(Sections, H)> {
    let opened = Sections::mend(path, kind.word()).and_then(|(sections, wrong)| {
        let header: H = sections.header()?;
        index.check(of(&header), path)?;
        Ok((sections, header, wrong))
    });
    match opened {
        Ok((sections, header, wrong)) => {
            let wrong = wrong.map(|what| Damage::of(path, what));
            damages.extend(wrong.or_else(|| sections.verify().err().map(|error| Damage::of_error(path, error))));
            Some((sections, header))
        }
        Err(error) => {
            damages.push(Damage::of_error(path, error));
            None
        }
    }
}
