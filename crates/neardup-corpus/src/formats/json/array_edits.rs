use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::json::scanner::{JsonElement, JsonScanner, JsonStep};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Edits of a JSON file, by which its arrays stay arrays: with an element, the comma before or after it is dropped, too. With a
/// value at the top, the white space after it is dropped.
pub(super) struct ArrayEdits<'c, I> {
    edits: I,
    scanner: JsonScanner<'c>,
    source: &'c Source,
    /// The element after the last one that was passed, if it is known.
    next: Option<Option<JsonElement>>,
    /// End of the last element that was passed.
    end: u64,
    /// Array of the last element that stays.
    kept: Option<u64>,
}

impl<'c, I> ArrayEdits<'c, I> {
    pub fn new(source: &'c Source, control: &'c JobControl, edits: I) -> Result<ArrayEdits<'c, I>> {
        let scanner = JsonScanner::new(open(source, control, None)?);
        Ok(ArrayEdits { edits, scanner, source, next: None, end: 0, kept: None })
    }

    /// Returns the element that is not passed yet. `None` if nothing more can be read.
    fn peek(&mut self) -> Option<JsonElement> {
        if self.next.is_none() {
            // Where reading breaks off, a reject drops the rest.
            self.next = Some(match self.scanner.next(&mut Vec::new(), 0) {
                Ok(JsonStep::Element(element)) => Some(element),
                _ => None,
            });
        }
        self.next.flatten()
    }

    fn pass(&mut self, element: JsonElement, stays: bool) {
        self.next = None;
        self.end = element.span.end();
        if stays {
            self.kept = element.array;
        }
    }

    fn widen(&mut self, span: SourceSpan) -> Result<SourceSpan> {
        while let Some(element) = self.peek().filter(|element| element.span.offset < span.offset) {
            self.pass(element, true);
        }
        let Some(element) = self.peek().filter(|element| element.span == span) else {
            // The rest of the file, which is broken.
            return if self.peek().is_none() { Ok(span) } else { Err(Error::Changed { path: self.source.path.clone() }) };
        };
        let before = self.end;
        self.pass(element, false);
        if element.array.is_some() && element.array == self.kept {
            return Ok(SourceSpan { offset: before, len: span.end() - before });
        }
        let after = self.peek().filter(|next| next.array == element.array);
        let end = after.map_or(span.end(), |next| next.span.offset);
        Ok(SourceSpan { offset: span.offset, len: end - span.offset })
    }
}

impl<T, I: Iterator<Item = Result<(SourceSpan, Option<T>)>>> Iterator for ArrayEdits<'_, I> {
    type Item = Result<(SourceSpan, Option<T>)>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.edits.next()?.and_then(|(span, with)| match with {
            Some(with) => Ok((span, Some(with))),
            None => Ok((self.widen(span)?, None)),
        }))
    }
}
