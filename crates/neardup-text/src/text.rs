//! A text as it is in its source.

use std::borrow::Cow;

use crate::fingerprint::digest::{DigestStream, TextForm};
use crate::json::escape;
use crate::simd::Level;
use crate::unicode::is_white;

/// One document's text: a view into a buffer, not a copy.
///
/// The promises of the variants are for the maker to keep; where they are broken, results are unspecified (U+FFFD
/// represents what cannot be read), but nothing else goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// Valid UTF-8.
    Plain(&'a [u8]),
    /// The inside of a JSON string (between its quotes) that holds at least one escape; valid JSON and UTF-8.
    Json(&'a [u8]),
}

impl<'a> Text<'a> {
    /// The text itself: borrowed if it has no escapes, copied if they had to be resolved.
    #[must_use]
    pub fn decode(self) -> Cow<'a, str> {
        match self {
            Self::Plain(bytes) => lossy(bytes),
            Self::Json(bytes) => match String::from_utf8(escape::resolve(bytes)) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }

    /// Its bytes with escapes resolved: those it has, or what is written into `room`.
    pub(crate) fn resolve<'r>(self, level: Level, room: &'r mut Vec<u8>) -> &'r [u8]
    where
        'a: 'r,
    {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Json(bytes) => {
                let length = escape::resolve_into(level, bytes, 0, room);
                &room[..length]
            }
        }
    }

    /// Whether the text is empty or all of it is White_Space.
    #[must_use]
    pub fn is_blank(self) -> bool {
        match self {
            Self::Plain(bytes) => all_white(bytes),
            Self::Json(bytes) => match bytes.first() {
                None => true,
                Some(b'\\') => all_white(&escape::resolve(bytes)),
                // A look at the first letter spares nearly every text the resolving.
                Some(_) => first(bytes).is_some_and(is_white) && all_white(&escape::resolve(bytes)),
            },
        }
    }

    /// The 128-bit digest of the bytes as they are, escapes unresolved; the form is mixed in.
    ///
    /// Texts of one form are equal in bytes when their digests are, except for odds of about 2^-128 a pair. It is not
    /// made against an opponent: the keys are public.
    #[must_use]
    pub fn digest(self) -> u128 {
        self.digest_in_steps().finish()
    }

    /// The same, still to be done, beside other work.
    #[doc(hidden)]
    #[must_use]
    pub fn digest_in_steps(self) -> DigestStream<'a, [u8; 64]> {
        match self {
            Self::Plain(bytes) => DigestStream::of_bytes(bytes, TextForm::Plain),
            Self::Json(bytes) => DigestStream::of_bytes(bytes, TextForm::Json),
        }
    }

    /// The 128-bit digest of the text's own bytes, escapes resolved: equal for equal texts in any form, and equal to
    /// [`digest`](Self::digest) for a plain one.
    #[must_use]
    pub fn decoded_digest(self) -> u128 {
        match self {
            Self::Plain(bytes) => DigestStream::of_bytes(bytes, TextForm::Plain).finish(),
            Self::Json(bytes) => DigestStream::of_bytes(&escape::resolve(bytes), TextForm::Plain).finish(),
        }
    }

    /// The bytes as they are.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        match self {
            Self::Plain(bytes) | Self::Json(bytes) => bytes,
        }
    }
}

/// The bytes as a string, U+FFFD for what is not UTF-8.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

fn all_white(bytes: &[u8]) -> bool {
    let rest = bytes.trim_ascii_start();
    match rest.first() {
        None => true,
        // ASCII that is not trimmed is not white, except for the vertical tab, which is left to the exact rule.
        Some(first) if first.is_ascii() && *first != 0x0B => false,
        Some(_) => self::first(rest).is_some_and(is_white) && std::str::from_utf8(rest).is_ok_and(|text| text.chars().all(is_white)),
    }
}

/// The first character, if there is one and it is UTF-8.
fn first(bytes: &[u8]) -> Option<char> {
    bytes[..bytes.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}
