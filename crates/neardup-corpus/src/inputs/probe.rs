use std::io::Read;

use crate::compression::LONGEST_MAGIC;
use crate::control::JobControl;
use crate::dialect::Dialect;
use crate::encoding::guess::is_plain_ascii;
use crate::encoding::{LONGEST_MARK, TextEncoding};
use crate::format::FileContent;
use crate::formats::csv::delimiter::find_delimiter;
use crate::formats::json::shape::{is_lines, is_shape_open};
use crate::formats::suffixes::lines;
use crate::inputs::find_options::{FindOptions, GivenEncoding};
use crate::sources::misnamed::OtherKind;
use crate::sources::source::Source;
use crate::sources::stream::{first_bytes, open, open_stored};

/// Number of bytes from which a byte order mark and a kind of bytes that are no text are known.
const FIRST: usize = if LONGEST_MARK > LONGEST_MAGIC { LONGEST_MARK } else { LONGEST_MAGIC };
/// Number of bytes from which the delimiter of a table is found out.
const HEAD: usize = 64 << 10;
/// Number of bytes from which an encoding is guessed.
const GUESSED: usize = 1 << 20;
/// Maximum number of bytes of the first line of JSON.
const LINE: usize = 16 << 20;

/// Completes a source by the first bytes of its file: whether they are text, its encoding, the shape of JSON, the delimiter of a table.
///
/// A file that is damaged stays as it is; its reading gives the error.
pub(crate) fn probe(source: &mut Source, options: &FindOptions) {
    let content = source.format.0.content;
    match content {
        FileContent::Html => {
            if let GivenEncoding::Named(encoding) = options.encoding {
                source.undeclared = Some(encoding);
            }
            return;
        }
        FileContent::Archive | FileContent::Table(None) => return,
        FileContent::Objects | FileContent::Table(_) | FileContent::Text => {}
    }
    let first = first_bytes(source, FIRST);
    source.misnamed = OtherKind::begun_by(&first);
    (source.encoding, source.is_guess_sure) = encoding(source, &first, options.encoding);
    match content {
        FileContent::Objects if is_shape_open(source.format) && has_lines(source) => source.format = lines(),
        FileContent::Table(Some(dialect)) => {
            source.csv = options.csv;
            if options.csv.delimiter.is_none() && dialect == Dialect::CSV {
                source.csv.delimiter = find_delimiter(&head(source, HEAD, |_| false));
            }
        }
        _ => {}
    }
}

/// Returns the encoding of a source with these first bytes, and whether a guess is sure.
fn encoding(source: &Source, first: &[u8], given: GivenEncoding) -> (TextEncoding, Option<bool>) {
    match (TextEncoding::of_mark(first), given) {
        (Some(marked), _) => (marked, None),
        (None, GivenEncoding::Strict) => (TextEncoding::Utf8, None),
        (None, GivenEncoding::Named(encoding)) => (encoding, None),
        (None, GivenEncoding::Detect) => {
            let (encoding, is_sure) = guess(source);
            (encoding, Some(is_sure))
        }
    }
}

/// Guesses the encoding of a source without a byte order mark. Returns whether the guess is sure.
fn guess(source: &Source) -> (TextEncoding, bool) {
    let control = JobControl::default();
    let Ok(mut stored) = open_stored(source, &control, None) else { return (TextEncoding::Utf8, true) };
    let (mut bytes, mut room) = (Vec::new(), vec![0; HEAD]);
    // Bytes of ASCII before the first other byte say nothing.
    while let Ok(count @ 1..) = stored.read(&mut room) {
        let piece = &room[..count];
        if bytes.is_empty() && is_plain_ascii(piece) {
            continue;
        }
        bytes.extend_from_slice(piece);
        if bytes.len() >= GUESSED {
            // The last character may be cut off.
            if let Err(error) = std::str::from_utf8(&bytes)
                && error.error_len().is_none()
            {
                bytes.truncate(error.valid_up_to());
            }
            break;
        }
    }
    TextEncoding::detect(&bytes)
}

/// Whether a file of JSON has a record in each line.
fn has_lines(source: &Source) -> bool {
    is_lines(&head(source, LINE, |piece| piece.contains(&b'\n')))
}

/// Returns the first bytes of the text, up to `most`, or fewer when `is_enough` says so.
fn head(source: &Source, most: usize, is_enough: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let control = JobControl::default();
    let mut bytes = Vec::new();
    let Ok(mut text) = open(source, &control, None) else { return bytes };
    while bytes.len() < most {
        let want = HEAD.min(most - bytes.len());
        let before = bytes.len();
        let read = (&mut text).take(want as u64).read_to_end(&mut bytes);
        if read.is_err() || bytes.len() == before || is_enough(&bytes[before..]) {
            break;
        }
    }
    bytes
}
