//! A text as stored in its source.

use std::borrow::Cow;

use crate::fingerprint::digest::{DigestStream, TextForm};
use crate::json::escape;
use crate::simd::Level;
use crate::unicode::is_white;

/// Text of one document. It is a view of a buffer, not a copy.
///
/// The creator of a text must ensure what the variants require. Otherwise results are unspecified (U+FFFD represents what cannot be
/// read), but nothing else goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// Valid UTF-8.
    Plain(&'a [u8]),
    /// The inside of a JSON string (between its quotes) with at least one escape. It must be valid JSON and UTF-8.
    Json(&'a [u8]),
}

impl<'a> Text<'a> {
    /// Returns the text itself. It is borrowed if it has no escapes, and copied if escapes had to be resolved.
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

    /// Returns its bytes with escapes resolved: its own bytes, or those written into `room`.
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

    /// Whether the text is empty or consists of White_Space.
    #[must_use]
    pub fn is_blank(self) -> bool {
        match self {
            Self::Plain(bytes) => all_white(bytes),
            Self::Json(bytes) => match bytes.first() {
                None => true,
                Some(b'\\') => all_white(&escape::resolve(bytes)),
                // The first letter settles nearly every text without resolving its escapes.
                Some(_) => first(bytes).is_some_and(is_white) && all_white(&escape::resolve(bytes)),
            },
        }
    }

    /// Returns the 128-bit digest of the stored bytes, with escapes unresolved. The form of the text is mixed in.
    ///
    /// Texts of one form with equal digests have equal bytes, except with a probability of about 2^-128 per pair. The digest does
    /// not withstand an adversary: the keys are public.
    #[must_use]
    pub fn digest(self) -> u128 {
        self.digest_in_steps().finish()
    }

    /// Returns the same digest as a stream whose steps can be interleaved with other work.
    #[doc(hidden)]
    #[must_use]
    pub fn digest_in_steps(self) -> DigestStream<'a, [u8; 64]> {
        match self {
            Self::Plain(bytes) => DigestStream::of_bytes(bytes, TextForm::Plain),
            Self::Json(bytes) => DigestStream::of_bytes(bytes, TextForm::Json),
        }
    }

    /// Returns the 128-bit digest of the text with escapes resolved. It is equal for equal texts in any form, and equal to
    /// [`digest`](Self::digest) for a plain text.
    #[must_use]
    pub fn decoded_digest(self) -> u128 {
        match self {
            Self::Plain(bytes) => DigestStream::of_bytes(bytes, TextForm::Plain).finish(),
            Self::Json(bytes) => DigestStream::of_bytes(&escape::resolve(bytes), TextForm::Plain).finish(),
        }
    }

    /// Returns the stored bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        match self {
            Self::Plain(bytes) | Self::Json(bytes) => bytes,
        }
    }
}

/// Returns the bytes as a string. U+FFFD replaces invalid UTF-8.
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
        // ASCII that was not trimmed is not white, except the vertical tab, which the exact rule decides.
        Some(first) if first.is_ascii() && *first != 0x0B => false,
        Some(_) => self::first(rest).is_some_and(is_white) && std::str::from_utf8(rest).is_ok_and(|text| text.chars().all(is_white)),
    }
}

/// Returns the first character, if there is one and it is valid UTF-8.
fn first(bytes: &[u8]) -> Option<char> {
    bytes[..bytes.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}
