//! The text of bytes that are one whole file.

use crate::encoding::TextEncoding;
use crate::inputs::find_options::GivenEncoding;

/// The byte order mark.
const MARK: char = '\u{feff}';

/// Returns the text of the bytes of a file, without its byte order mark. A mark decides before the given encoding.
///
/// # Errors
/// The message names the first byte that is no text.
pub fn decode_whole(bytes: &[u8], given: GivenEncoding) -> Result<String, String> {
    let encoding = TextEncoding::of_mark(bytes).unwrap_or_else(|| match given {
        GivenEncoding::Strict => TextEncoding::Utf8,
        GivenEncoding::Named(encoding) => encoding,
        GivenEncoding::Detect => TextEncoding::detect(bytes).0,
    });
    let text = String::from_utf8(encoding.to_utf8(bytes)).map_err(|error| encoding.refuse(error.utf8_error().valid_up_to(), "the file"))?;
    Ok(if text.starts_with(MARK) { text[MARK.len_utf8()..].to_owned() } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_decides_then_the_given_encoding() {
        let named = |name| GivenEncoding::named(name).unwrap();
        let big = "\u{feff}é".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        assert_eq!(decode_whole(&big, GivenEncoding::Strict).as_deref(), Ok("é"));
        assert_eq!(decode_whole("\u{feff}é".as_bytes(), named("latin1")).as_deref(), Ok("é"));
        assert_eq!(decode_whole(b"\xe9", named("latin1")).as_deref(), Ok("é"));
        assert_eq!(decode_whole("ひらがな".as_bytes(), named("detect")).as_deref(), Ok("ひらがな"));
        let error = decode_whole(b"a\xe9", GivenEncoding::Strict).unwrap_err();
        assert!(error.starts_with("invalid UTF-8 at byte 2 of the file; if it has another encoding, name it: --encoding NAME"), "{error}");
    }
}
