//! The charset of a page or of a text from the web, and its decoding.
//!
//! The charset is that of a byte order mark, else the declared one by the rules of the WHATWG (the HTTP header, then the `meta`
//! elements, then the XML declaration), else a guess by the bytes. Equal bytes with equal headers give equal texts: the guess does
//! not depend on the address of the page.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::encoding::guess;
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
    undeclared: Option<&'static Encoding>,
) -> DecodedPage<'b> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return decode(&bytes[mark..], encoding, Vec::new());
    }
    let labelled = charset.and_then(|label| Encoding::for_label_no_replacement(label.as_bytes()));
    let declared = labelled.or_else(|| if is_markup { declared_charset(bytes) } else { None });
    if let Some(encoding) = declared.or(undeclared) {
        return decode(bytes, encoding, Vec::new());
    }
    let encoding = detect(bytes, is_markup);
    let is_certain = encoding == UTF_8;
    decode(bytes, encoding, if is_certain { Vec::new() } else { vec![format!("charset detected: {}", encoding.name())] })
}

fn decode<'b>(bytes: &'b [u8], encoding: &'static Encoding, mut flaws: Vec<String>) -> DecodedPage<'b> {
    let (text, is_replaced) = encoding.decode_without_bom_handling(bytes);
    if is_replaced {
        flaws.push(REPLACED_BYTES.to_owned());
    }
    DecodedPage { text, flaws }
}

/// Guesses the charset of bytes without any declaration.
fn detect(bytes: &[u8], is_markup: bool) -> &'static Encoding {
    // A page begins with a tag, of which UTF-16 makes every other byte zero.
    match bytes {
        [b'<', 0, ..] if is_markup => UTF_16LE,
        [0, b'<', ..] if is_markup => UTF_16BE,
        // ISO-2022-JP is ASCII with escapes.
        _ if bytes.is_ascii() => {
            if bytes.contains(&0x1B) && guess(bytes).0 == ISO_2022_JP {
                ISO_2022_JP
            } else {
                UTF_8
            }
        }
        _ if is_mostly_utf8(bytes) => UTF_8,
        _ => guess(bytes).0,
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
