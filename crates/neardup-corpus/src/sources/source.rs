use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::compression::Compression;
use crate::containers::found_container::FoundContainer;
use crate::dialect::CsvOptions;
use crate::encoding::TextEncoding;
use crate::format::Format;
use crate::sources::misnamed::OtherKind;

/// One input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path by which it is opened. It is `-` for the standard input before [`crate::spool`].
    pub path: PathBuf,
    /// Name in messages and results: its path below the common folder of all inputs, with `/`, however it was spelled.
    pub name: String,
    /// Path of its kept output: its path below the common folder of all inputs.
    pub root_relative: PathBuf,
    /// Format of its documents.
    pub format: Format,
    /// Compression of its bytes.
    pub compression: Compression,
    /// Encoding of its text, after the compression. Formats that are no text do not use it.
    pub encoding: TextEncoding,
    /// Whether the guess of the encoding is sure; `None` if it was not guessed.
    pub is_guess_sure: Option<bool>,
    /// Encoding of a page of HTML without a declaration, if the caller named one.
    pub undeclared: Option<TextEncoding>,
    /// How a table that is written as text differs from its format.
    pub csv: CsvOptions,
    /// Kind of a container, whose files [`crate::spool`] puts in its place.
    pub container: Option<FoundContainer>,
    /// Of a file that was copied from an archive, the archive and the path in it.
    pub archive: Option<(PathBuf, PathBuf)>,
    /// Kind of its decompressed bytes, if its name says that they are text and they are not. Not known of HTML before it is read.
    pub misnamed: Option<OtherKind>,
    /// Why nothing of the file can be read: it is one reject.
    pub broken: Option<String>,
    /// Size on disk in bytes. It is 0 for the standard input before it is spooled.
    pub bytes: u64,
}

/// Returns the paths of the web archives among sources.
pub fn archives(sources: &[Source]) -> impl Iterator<Item = PathBuf> {
    sources.iter().filter(|source| source.format.is_archive() && source.broken.is_none()).map(|source| source.path.clone())
}

impl Source {
    /// Returns a source of which only the path, the name and the kind are known.
    pub(crate) fn new(path: PathBuf, name: String, format: Format, compression: Compression) -> Source {
        Source {
            root_relative: path.clone(),
            path,
            name,
            format,
            compression,
            encoding: TextEncoding::Utf8,
            is_guess_sure: None,
            undeclared: None,
            csv: CsvOptions::default(),
            container: None,
            archive: None,
            misnamed: None,
            broken: None,
            bytes: 0,
        }
    }

    /// Returns the file that the user gave: the archive, for a file of an archive.
    pub fn given(&self) -> &Path {
        self.archive.as_ref().map_or(&self.path, |(archive, _)| archive)
    }

    /// Returns the path whose folders may state fields of its records. Copies of files of an archive are elsewhere.
    pub(crate) fn stated_path(&self) -> Cow<'_, Path> {
        self.archive.as_ref().map_or(Cow::Borrowed(&self.path), |(archive, below)| Cow::Owned(archive.join(below)))
    }

    /// Whether this is the standard input, not yet spooled.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Whether the stored bytes are its text as UTF-8.
    pub(crate) fn is_plain(&self) -> bool {
        !self.compression.is_some() && self.encoding == TextEncoding::Utf8
    }

    /// Whether its records can be read. Otherwise the file is one reject.
    pub(crate) fn has_records(&self) -> bool {
        self.broken.is_none() && self.misnamed.is_none()
    }

    /// Whether each chunk of its lines can be read independently of the others.
    pub fn is_read_in_parts(&self) -> bool {
        self.format.has_records_in_lines() && self.is_plain() && self.has_records()
    }

    /// Whether it is read together with `other`. Files that are one document each are, if they have the same format, compression
    /// and encoding.
    pub fn is_read_with(&self, other: &Source) -> bool {
        let are_whole = self.broken.is_none() && other.broken.is_none();
        self.format.is_one_document() && are_whole && {
            (self.format, self.compression, self.encoding) == (other.format, other.compression, other.encoding)
        }
    }
}
