//! The charset that a page declares by itself, by the rules of the WHATWG for HTML.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// Number of bytes in which every `meta` tag counts, wherever it is. After them it counts only where a parser sees a tag.
const PRESCANNED: usize = 1024;

/// Elements in which a parser sees no tags.
const RAW: [&[u8]; 8] = [b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp"];

/// Returns the charset that a page declares by a `meta` element, else by an XML declaration. A page that declares UTF-16 in
/// single bytes is UTF-8.
pub(crate) fn declared_charset(page: &[u8]) -> Option<&'static Encoding> {
    if page.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if page.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let first = &page[..page.len().min(PRESCANNED)];
    find_meta(first, false).or_else(|| xml_charset(page)).or_else(|| find_meta(page, true))
}

/// Finds the first `meta` element that names a known charset.
fn find_meta(page: &[u8], skips_raw: bool) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(next) = memchr(b'<', page.get(at..)?) {
        at += next;
        let rest = &page[at..];
        if rest.starts_with(b"<!--") {
            // The dashes of `<!-->` both begin and end the comment.
            at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
            continue;
        }
        let is_end = rest.get(1) == Some(&b'/');
        let name_at = at + 1 + usize::from(is_end);
        if page.get(name_at).is_some_and(u8::is_ascii_alphabetic) {
            let len = page[name_at..].iter().position(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))?;
            let name = &page[name_at..name_at + len];
            let mut attributes = Attributes { page, at: name_at + len };
            let found = if !is_end && name.eq_ignore_ascii_case(b"meta") { meta_charset(&mut attributes) } else { None };
            if found.is_some() {
                return found;
            }
            attributes.by_ref().for_each(drop);
            at = attributes.at;
            if skips_raw && !is_end && RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
                at += find_end_tag(page.get(at..)?, name)?;
            }
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr(b'>', rest)?;
        } else {
            at += 1;
        }
    }
    None
}

/// Returns the charset of a `meta` element, and reads all its attributes.
fn meta_charset(attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let (mut is_pragma, mut needs_pragma, mut charset) = (false, false, None);
    for (name, value) in attributes.by_ref() {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => is_pragma = value == b"content-type",
            b"content" if charset.is_none() => {
                charset = charset_of_content(&value);
                needs_pragma = charset.is_some();
            }
            b"charset" => (charset, needs_pragma) = (Encoding::for_label_no_replacement(&value), false),
            _ => {}
        }
        seen.push(name);
    }
    charset.filter(|_| is_pragma || !needs_pragma).map(in_single_bytes)
}

/// Returns the charset that the value of a `content` attribute names, in lower case.
fn charset_of_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        rest = trim(&rest[memmem::find(rest, b"charset")? + 7..]);
        if let Some(value) = rest.strip_prefix(b"=") {
            let value = trim(value);
            let (open, inner) = value.split_first()?;
            let label = if matches!(open, b'"' | b'\'') {
                &inner[..memchr(*open, inner)?]
            } else {
                value.split(|byte| is_space(*byte) || *byte == b';').next()?
            };
            return Encoding::for_label_no_replacement(label);
        }
    }
}

/// Returns the charset of an XML declaration.
fn xml_charset(page: &[u8]) -> Option<&'static Encoding> {
    let declaration = page.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let value = trim(&declaration[memmem::find(declaration, b"encoding")? + 8..]).strip_prefix(b"=")?;
    let (quote, inner) = trim(value).split_first()?;
    let label = &inner[..memchr(*quote, inner).filter(|_| matches!(quote, b'"' | b'\''))?];
    Encoding::for_label_no_replacement(label).map(in_single_bytes)
}

/// Returns the charset of a page whose declaration was read byte by byte.
fn in_single_bytes(declared: &'static Encoding) -> &'static Encoding {
    if declared == UTF_16LE || declared == UTF_16BE {
        UTF_8
    } else if declared == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        declared
    }
}

/// Returns where the end tag of a raw element begins.
fn find_end_tag(page: &[u8], name: &[u8]) -> Option<usize> {
    memmem::find_iter(page, b"</").find(|at| {
        let rest = &page[at + 2..];
        rest.len() > name.len() && rest[..name.len()].eq_ignore_ascii_case(name) && !rest[name.len()].is_ascii_alphanumeric()
    })
}

/// The attributes of a tag: names and values in lower case. Afterwards `at` is at the end of the tag.
struct Attributes<'p> {
    page: &'p [u8],
    at: usize,
}

impl Attributes<'_> {
    fn peek(&self) -> Option<u8> {
        self.page.get(self.at).copied()
    }

    /// Skips the bytes for which `is_skipped` holds, and returns them in lower case.
    fn take(&mut self, is_skipped: impl Fn(u8) -> bool) -> Vec<u8> {
        let rest = &self.page[self.at.min(self.page.len())..];
        let len = rest.iter().position(|byte| !is_skipped(*byte)).unwrap_or(rest.len());
        self.at += len;
        rest[..len].to_ascii_lowercase()
    }
}

impl Iterator for Attributes<'_> {
    type Item = (Vec<u8>, Vec<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        self.take(|byte| is_space(byte) || byte == b'/');
        let first = self.peek().filter(|byte| *byte != b'>')?;
        // A name may begin with `=`.
        self.at += 1;
        let mut name = vec![first.to_ascii_lowercase()];
        name.extend(self.take(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'=')));
        self.take(is_space);
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.take(is_space);
        let value = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let value = self.take(|byte| byte != quote);
                self.at += 1;
                value
            }
            _ => self.take(|byte| !is_space(byte) && byte != b'>'),
        };
        Some((name, value))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

fn trim(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().take_while(|byte| is_space(**byte)).count();
    &bytes[spaces..]
}
