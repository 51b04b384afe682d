use std::io::{self, Read};

use memchr::memchr2;

use crate::records::place::SourceSpan;
use crate::sources::stream::BOM;

/// A value of a JSON file: a value at the top, or an element of an array at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonElement {
    /// Span of the value in the text.
    pub span: SourceSpan,
    /// Number of the array that contains it, counted from 0. `None` for a value at the top that is no array.
    pub array: Option<u64>,
}

/// What the scanner found.
pub(crate) enum JsonStep {
    /// A value. Its bytes are in the buffer, up to the maximum length.
    Element(JsonElement),
    /// The file ends as it should.
    End,
    /// Why nothing can be read from an offset on. The bytes of a value that begins there are in the buffer, up to the maximum length.
    Broken(u64, String),
}

/// Finds the values of a JSON file: objects one after another, and the elements of arrays. Values are not checked, except that
/// brackets and quotes are closed.
pub(crate) struct JsonScanner<'s> {
    stream: Box<dyn Read + 's>,
    room: Vec<u8>,
    at: usize,
    end: usize,
    /// Offset of the next byte in the text.
    pub offset: u64,
    /// Number of arrays at the top that were entered.
    arrays: u64,
    place: Place,
    /// Offset after the last value or bracket. Only white space and a comma follow before the next.
    settled: u64,
    /// Offset of the value that is being read.
    begun: Option<u64>,
}

/// Where a file can be ended: before what could not be read.
#[derive(Clone, Copy)]
pub(crate) struct CutPlace {
    /// Offset after the last value or bracket.
    pub offset: u64,
    /// Whether an array is open there.
    pub is_in_array: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of arrays.
    Top,
    /// In an array, before an element or its end.
    First,
    /// In an array, after an element.
    After,
    /// In an array, after a comma.
    Next,
}

/// Number of bytes that are read at once.
const ROOM: usize = 128 << 10;

impl<'s> JsonScanner<'s> {
    pub fn new(stream: Box<dyn Read + 's>) -> JsonScanner<'s> {
        JsonScanner { stream, room: vec![0; ROOM], at: 0, end: 0, offset: 0, arrays: 0, place: Place::Top, settled: 0, begun: None }
    }

    /// Finds the next value. Appends up to `longest` bytes of it to `value`.
    ///
    /// # Errors
    /// Errors of the stream. They occur again at the next call, or the stream has ended.
    pub fn next(&mut self, value: &mut Vec<u8>, longest: usize) -> io::Result<JsonStep> {
        loop {
            let Some(byte) = self.peek()? else {
                let reason = "the file ends here, and an array is not closed".to_owned();
                return Ok(if self.place == Place::Top { JsonStep::End } else { JsonStep::Broken(self.offset, reason) });
            };
            match (byte, self.place) {
                (b' ' | b'\t' | b'\r' | b'\n', _) => self.advance(1),
                // A byte order mark may be anywhere where files were joined.
                (0xef, Place::Top) if self.takes_mark()? => {}
                (b'[', Place::Top) => {
                    self.advance(1);
                    self.place = Place::First;
                    self.arrays += 1;
                    self.settled = self.offset;
                }
                (b']', Place::First | Place::After) => {
                    self.advance(1);
                    self.place = Place::Top;
                    self.settled = self.offset;
                }
                (b',', Place::After) => {
                    self.advance(1);
                    self.place = Place::Next;
                }
                (b',' | b']' | b'}' | b':', _) | (_, Place::After) => {
                    let wanted = match self.place {
                        Place::Top => "an object or an array",
                        Place::First | Place::Next => "an object",
                        Place::After => "a comma or the end of the array",
                    };
                    return Ok(JsonStep::Broken(self.offset, format!("broken JSON: {:?} is here instead of {wanted}", char::from(byte))));
                }
                _ => return self.element(value, longest),
            }
        }
    }

    fn element(&mut self, value: &mut Vec<u8>, longest: usize) -> io::Result<JsonStep> {
        let start = self.offset;
        self.begun = Some(start);
        let base = value.len();
        let (mut depth, mut is_inside) = (0u64, false);
        while let Some(byte) = self.peek()? {
            let left = &self.room[self.at..self.end];
            let count = if is_inside {
                match memchr2(b'"', b'\\', left) {
                    None => left.len(),
                    Some(0) if byte == b'"' => {
                        is_inside = false;
                        1
                    }
                    Some(0) => {
                        self.take(1, value, base + longest);
                        // The escaped byte follows; at the end of the file there is none.
                        usize::from(self.peek()?.is_some())
                    }
                    Some(plain) => plain,
                }
            } else {
                match byte {
                    b'"' => is_inside = true,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' if depth > 0 => depth -= 1,
                    // A value that is no object, array or string ends before one of these.
                    b' ' | b'\t' | b'\r' | b'\n' | b',' | b']' | b'}' if depth == 0 => break,
                    _ => {}
                }
                1
            };
            self.take(count, value, base + longest);
            if depth == 0 && !is_inside && matches!(byte, b'}' | b']' | b'"') {
                break;
            }
        }
        if depth > 0 || is_inside {
            return Ok(JsonStep::Broken(start, "broken JSON: the file ends inside the value that begins here".to_owned()));
        }
        self.begun = None;
        self.settled = self.offset;
        let array = (self.place != Place::Top).then(|| self.arrays - 1);
        if array.is_some() {
            self.place = Place::After;
        }
        Ok(JsonStep::Element(JsonElement { span: SourceSpan { offset: start, len: self.offset - start }, array }))
    }

    /// Reads what is left of the file. Appends up to `most` bytes of it to `head`.
    ///
    /// # Errors
    /// Errors of the stream.
    pub fn rest(&mut self, head: &mut Vec<u8>, most: usize) -> io::Result<()> {
        let most = head.len() + most;
        while self.peek()?.is_some() {
            self.take(self.end - self.at, head, most);
        }
        Ok(())
    }

    /// Returns the offset from which on nothing can be read after an error of the stream: that of the value that is not complete.
    pub fn damaged_from(&self) -> u64 {
        self.begun.unwrap_or(self.offset)
    }

    /// Returns where the file can be ended so that all values before stay.
    pub fn cut_place(&self) -> CutPlace {
        CutPlace { offset: self.settled, is_in_array: self.place != Place::Top }
    }

    fn take(&mut self, count: usize, value: &mut Vec<u8>, most: usize) {
        let kept = count.min(most.saturating_sub(value.len()));
        value.extend_from_slice(&self.room[self.at..self.at + kept]);
        self.advance(count);
    }

    fn advance(&mut self, count: usize) {
        self.at += count;
        self.offset += count as u64;
    }

    /// Returns the next byte.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        while self.at == self.end {
            match self.stream.read(&mut self.room) {
                Ok(0) => return Ok(None),
                Ok(count) => (self.at, self.end) = (0, count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(self.room[self.at]))
    }

    /// Skips a byte order mark, if one is here.
    fn takes_mark(&mut self) -> io::Result<bool> {
        while self.end - self.at < BOM.len() {
            self.room.copy_within(self.at..self.end, 0);
            (self.at, self.end) = (0, self.end - self.at);
            match self.stream.read(&mut self.room[self.end..])? {
                0 => return Ok(false),
                count => self.end += count,
            }
        }
        let is_mark = self.room[self.at..self.end].starts_with(BOM);
        if is_mark {
            self.advance(BOM.len());
        }
        Ok(is_mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &str, longest: usize) -> Vec<String> {
        let mut scanner = JsonScanner::new(Box::new(text.as_bytes()));
        let mut found = Vec::new();
        loop {
            let mut value = Vec::new();
            match scanner.next(&mut value, longest).unwrap() {
                JsonStep::End => return found,
                JsonStep::Broken(offset, reason) => {
                    found.push(format!("{offset}: {reason}"));
                    return found;
                }
                JsonStep::Element(element) => {
                    let span = element.span.offset as usize..element.span.end() as usize;
                    assert_eq!(value, &text.as_bytes()[span.clone()][..longest.min(span.len())]);
                    found.push(format!(
                        "{}{}",
                        element.array.map_or(String::new(), |array| format!("{array} ")),
                        String::from_utf8(value).unwrap()
                    ));
                }
            }
        }
    }

    #[test]
    fn values_of_every_shape() {
        let most = usize::MAX >> 1;
        assert_eq!(all("", most), [""; 0]);
        assert_eq!(all(" [ ] \n", most), [""; 0]);
        assert_eq!(
            all("[{\"a\": [1, 2]}, {\"b\": \"]\\\"}\"} , 3,\"x\"]", most),
            ["0 {\"a\": [1, 2]}", "0 {\"b\": \"]\\\"}\"}", "0 3", "0 \"x\""]
        );
        assert_eq!(all("{\n\"a\": 1\n}\n{}[[]]\u{feff}[null]7", most), ["{\n\"a\": 1\n}", "{}", "0 []", "1 null", "7"]);
        assert_eq!(all("[\"abcdef\"]", 3), ["0 \"ab"]);
    }

    #[test]
    fn what_is_broken_is_named() {
        for (text, want) in [
            ("[{}", "3: the file ends here"),
            ("[{},", "4: the file ends here"),
            ("[{} {}]", "4: broken JSON: '{' is here instead of a comma"),
            ("[,]", "1: broken JSON: ',' is here instead of an object"),
            ("[{},]", "4: broken JSON: ']' is here instead of an object"),
            ("{\"a\": [1}", "0: broken JSON: the file ends inside"),
            ("[\"a\\", "1: broken JSON: the file ends inside"),
            ("]", "0: broken JSON: ']' is here instead of an object or an array"),
        ] {
            let last = all(text, 100).pop().unwrap();
            assert!(last.starts_with(want), "{text}: {last}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_end(bytes in proptest::collection::vec(prop_oneof![Just(b'['), Just(b'{'), Just(b'"'), Just(b'\\'), Just(b','), Just(b']'), Just(b'}'), Just(0xef), any::<u8>()], 0..60)) {
            let mut scanner = JsonScanner::new(Box::new(&bytes[..]));
            for _ in 0..=bytes.len() + 1 {
                match scanner.next(&mut Vec::new(), 10).unwrap() {
                    JsonStep::Element(element) => prop_assert!(element.span.len > 0 && element.span.end() <= bytes.len() as u64),
                    _ => return Ok(()),
                }
            }
            prop_assert!(false, "it goes on");
        }
    }
}
