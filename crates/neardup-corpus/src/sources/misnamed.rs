//! Files whose bytes are of another kind than their name says.

use crate::compression::Compression;
use crate::sources::source::Source;

/// Bytes with which a zip begins: a member, or the end of an empty directory.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Returns why a source of text cannot be read, if its first decompressed bytes are those of a compressed file or of an archive
/// although its name does not say so.
pub(crate) fn misnamed_by(source: &Source, head: &[u8]) -> Option<String> {
    let (kind, suffix) = kind(head)?;
    let name = &source.name;
    Some(match (source.compression.is_some(), suffix.as_str()) {
        (true, _) => format!("the {} stream contains bytes of {kind}, not text; decompress the file once", source.compression.name()),
        (false, ".zip") => format!(
            "these are bytes of {kind}, not text; name the file {}.zip",
            name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem)
        ),
        (false, suffix) => format!("these are bytes of {kind}, not text; name the file {name}{suffix}"),
    })
}

/// Returns the kind of bytes that are no text, and its suffix.
fn kind(head: &[u8]) -> Option<(&'static str, String)> {
    if ZIP.iter().any(|magic| head.starts_with(magic)) {
        return Some(("zip", ".zip".to_owned()));
    }
    let compression = Compression::begun_by(head);
    (compression.is_some()).then(|| (compression.name(), compression.suffix()))
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn bytes_of_other_kinds() {
        let named = |head: &[u8]| kind(head).map(|(name, _)| name);
        assert_eq!(named(b"\x1f\x8b\x08\0\0\0"), Some("gzip"));
        assert_eq!(named(b"BZh91A"), Some("bzip2"));
        assert_eq!(named(b"BZh9\x17r"), Some("bzip2"));
        assert_eq!(named(b"PK\x03\x04\0\0"), Some("zip"));
        for text in [&b"BZh, a"[..], b"BZh", b"PK", b"text", b""] {
            assert_eq!(named(text), None, "{text:?}");
        }
    }
}
