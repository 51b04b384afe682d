use std::io::{self, Read};

use crate::error::Error;

/// Content of a member of an archive.
pub(crate) enum MemberContent<'m> {
    /// A file of so many bytes.
    File(u64, &'m mut dyn Read),
    /// The file is another one of the archive, whose path this is.
    HardLink(&'m str),
    /// A file that cannot be read, with the reason as the end of a sentence.
    Unreadable(String),
    /// No file, or one that is not read, with the reason.
    PassedOver(&'static str),
}

/// Takes the path of a member and its content, which need not be read. Returns false for a content that could not be read to its end.
pub(crate) type TakeMember<'t> = dyn FnMut(&str, MemberContent<'_>) -> Result<bool, Error> + 't;

/// Why the members of an archive are not passed on.
pub(crate) enum ArchiveError {
    /// The archive itself cannot be read.
    Archive(io::Error),
    /// The taker failed.
    Taker(Error),
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        ArchiveError::Archive(error)
    }
}

impl From<Error> for ArchiveError {
    fn from(error: Error) -> Self {
        ArchiveError::Taker(error)
    }
}
