//! Archives of files, which are read as folders: one file for each kind.

pub(crate) mod found_container;
pub(crate) mod member;
mod tar;
mod zip;

use std::path::Path;

use crate::compression::Compression;
use crate::control::JobControl;
use member::{ArchiveError, TakeMember};

/// An archive that is read as a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// tar, with the compression of the whole.
    Tar(Compression),
    /// zip.
    Zip,
    /// WACZ: a zip with web archives and what belongs to them. Only the web archives are read.
    Wacz,
}

/// Suffixes for a compressed tar, with that of its compression.
const SHORT: [(&str, &str); 5] = [("tgz", "gz"), ("tzst", "zst"), ("tbz2", "bz2"), ("tbz", "bz2"), ("txz", "xz")];

/// The suffixes of containers, for messages.
pub(crate) const SUFFIXES: &str = ".tar (also compressed) .zip .wacz";

impl Container {
    /// Returns the kind of a file by its name, or `None` if it is no container.
    pub(crate) fn of(path: &Path) -> Option<Container> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let (stem, compression) = Compression::of(&name);
        let suffix = |name: &str| name.rsplit_once('.').map(|(_, suffix)| suffix.to_owned());
        match suffix(stem)?.as_str() {
            "tar" => Some(Container::Tar(compression)),
            _ if compression.is_some() => None,
            "zip" => Some(Container::Zip),
            "wacz" => Some(Container::Wacz),
            other => {
                SHORT.iter().find(|(short, _)| *short == other).map(|(_, packed)| Container::Tar(Compression::of(&format!("a.{packed}")).1))
            }
        }
    }

    /// Passes the members to `take`, in the order of the archive. Returns what of the file is no part of the archive, if anything is.
    ///
    /// # Errors
    /// The archive is damaged or cut off outside its members; an error of `take`.
    pub(crate) fn each(self, path: &Path, control: &JobControl, take: &mut TakeMember<'_>) -> Result<Option<&'static str>, ArchiveError> {
        match self {
            Container::Tar(compression) => tar::each(path, compression, control, take),
            Container::Zip | Container::Wacz => zip::each(path, take),
        }
    }

    /// Whether a member belongs to what is read of this kind of archive.
    pub(crate) fn reads(self, below: &str) -> bool {
        self != Container::Wacz || below.starts_with("archive/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_kind() {
        let of = |name: &str| Container::of(Path::new(name));
        assert_eq!(of("a.tar"), Some(Container::Tar(Compression::NONE)));
        for (name, compression) in [("A.TAR.GZ", "gzip"), ("a.tgz", "gzip"), ("a.tar.zst", "zstd"), ("a.txz", "xz"), ("a.tar.lz4", "lz4")] {
            assert!(matches!(of(name), Some(Container::Tar(found)) if found.name() == compression), "{name}");
        }
        assert_eq!((of("a.zip"), of("a.wacz")), (Some(Container::Zip), Some(Container::Wacz)));
        for name in ["tar", "a.zip.gz", "a.jsonl", "a.gz", "zip", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
