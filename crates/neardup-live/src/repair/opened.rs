//! Opening a file of sections of which a byte may be wrong.

use super::damage::Damage;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::sections::Sections;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Opens a file of an index, whose header says `of` which, and notes what is wrong with it. Its head and its table are right then,
/// since one wrong byte there is mended; its sections may be wrong. None for a file that nothing can be made of.
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
            damages.extend(wrong.or_else(|| sections.verify().err().map(|error| Damage::told(path, error))));
            Some((sections, header))
        }
        Err(error) => {
            damages.push(Damage::told(path, error));
            None
        }
    }
}
