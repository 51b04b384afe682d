//! The charset of a page or of a text from the web, and its decoding.
//!
//! The charset is that of a byte order mark, else the declared one by the rules of the WHATWG (the HTTP header, then the `meta`
//! elements, then the XML declaration), else a guess by the bytes. Equal bytes with equal headers give equal texts: the guess does
//! not depend on the address of the page.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::encoding::guess::{guess_ascii, guess_legacy, guess_wide};
use crate::encoding::{INVALID, TextEncoding};
use crate::pages::declared::declared_charset;

/// Flaw of a text in which bytes that are no characters of its charset became U+FFFD.
pub const REPLACED_BYTES: &str = "bytes replaced by U+FFFD";

/// Number of valid characters of several bytes for each invalid sequence from which on a text counts as damaged UTF-8.
const VALID_FOR_EACH_INVALID: usize = 10;

/// A page as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedPage<'b> {
    /// The text without a byte order mark.
    pub text: Cow<'b, str>,
    /// Why the text may differ from what its author wrote: a charset that was detected, [`REPLACED_BYTES`], or both.
    pub flaws: Vec<String>,
}

/// Decodes the bytes of a page, or of a plain text if `is_markup` is false. `charset` is the label in the HTTP header; an unknown
/// label is ignored.
pub fn decode_page<'b>(bytes: &'b [u8], charset: Option<&str>, is_markup: bool) -> DecodedPage<'b> {
    decode_page_or(bytes, charset, is_markup, None)
}

/// Like [`decode_page`]. A page without a declaration has the charset `undeclared`, if there is one.
pub(crate) fn decode_page_or<'b>(
    bytes: &'b [u8],
    charset: Option<&str>,
    is_markup: bool,
    undeclared: Option<TextEncoding>,
) -> DecodedPage<'b> {
    if let Some(encoding) = TextEncoding::of_mark(bytes) {
        return decode(&bytes[encoding.mark_length()..], encoding, Vec::new());
    }
    let labelled = charset.and_then(|label| Encoding::for_label_no_replacement(label.as_bytes()));
    let declared = labelled.or_else(|| if is_markup { declared_charset(bytes) } else { None });
    if let Some(encoding) = declared.map(TextEncoding::standard).or(undeclared) {
        return decode(bytes, encoding, Vec::new());
    }
    let encoding = detect(bytes);
    let is_certain = encoding == TextEncoding::Utf8;
    decode(bytes, encoding, if is_certain { Vec::new() } else { vec![format!("charset detected: {}", encoding.name())] })
}

fn decode(bytes: &[u8], encoding: TextEncoding, mut flaws: Vec<String>) -> DecodedPage<'_> {
    let (text, is_replaced) = match encoding {
        TextEncoding::Utf8 => UTF_8.decode_without_bom_handling(bytes),
        TextEncoding::Standard(encoding) => encoding.decode_without_bom_handling(bytes),
        TextEncoding::Utf32 { .. } => {
            let text = encoding.to_utf8(bytes);
            (Cow::Owned(String::from_utf8_lossy(&text).into_owned()), text.contains(&INVALID))
        }
    };
    if is_replaced {
        flaws.push(REPLACED_BYTES.to_owned());
    }
    DecodedPage { text, flaws }
}

/// Guesses the charset of bytes without any declaration.
fn detect(bytes: &[u8]) -> TextEncoding {
    match guess_wide(bytes) {
        Some((encoding, _)) => encoding,
        None if bytes.is_ascii() => guess_ascii(bytes).0,
        None if is_mostly_utf8(bytes) => TextEncoding::Utf8,
        None => TextEncoding::standard(guess_legacy(bytes).0),
    }
}

/// Whether bytes are UTF-8, of which a few may be damaged and the end may be cut off: texts in other charsets have few valid
/// sequences of UTF-8.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    let is_cut = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    valid > 0 && (is_cut || valid >= VALID_FOR_EACH_INVALID * invalid)
}
