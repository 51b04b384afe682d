//! Files whose bytes are of another kind than their name says.

use crate::compression::Compression;

/// Bytes with which a zip begins: a member, or the end of an empty directory.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// A kind of bytes that are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherKind {
    /// A zip, or a file that is one, such as a workbook.
    Zip,
    /// A compressed file.
    Compressed(Compression),
}

impl OtherKind {
    /// Returns the kind of a file that begins so; `None` for a text.
    pub(crate) fn begun_by(head: &[u8]) -> Option<OtherKind> {
        if ZIP.iter().any(|magic| head.starts_with(magic)) {
            return Some(OtherKind::Zip);
        }
        let compression = Compression::begun_by(head);
        compression.is_some().then_some(OtherKind::Compressed(compression))
    }

    /// Returns why a text of this name and compression cannot be read, whose decompressed bytes are of this kind.
    pub(crate) fn refuse(&self, name: &str, compression: Compression) -> String {
        let kind = self.name();
        if compression.is_some() {
            return format!("the {} stream contains bytes of {kind}, not text; decompress the file once", compression.name());
        }
        let better = match self {
            OtherKind::Zip => format!("{}.zip", name.rsplit_once('.').map_or(name, |(stem, _)| stem)),
            OtherKind::Compressed(inside) => format!("{name}{}", inside.suffix()),
        };
        format!("these are bytes of {kind}, not text; name the file {better}")
    }

    fn name(&self) -> &'static str {
        match self {
            OtherKind::Zip => "zip",
            OtherKind::Compressed(compression) => compression.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OtherKind;

    #[test]
    fn bytes_of_other_kinds() {
        let named = |head: &[u8]| OtherKind::begun_by(head).map(|kind| kind.name());
        assert_eq!(named(b"\x1f\x8b\x08\0\0\0"), Some("gzip"));
        assert_eq!(named(b"BZh91A"), Some("bzip2"));
        assert_eq!(named(b"BZh9\x17r"), Some("bzip2"));
        assert_eq!(named(b"PK\x03\x04\0\0"), Some("zip"));
        for text in [&b"BZh, a"[..], b"BZh", b"PK", b"text", b""] {
            assert_eq!(named(text), None, "{text:?}");
        }
    }
}
