use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::json::scanner::{JsonElement, JsonScanner, JsonStep};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Edits of a JSON file, by which its arrays stay arrays: with an element, the comma before or after it is dropped, too. With a
/// value at the top, the white space after it is dropped. Where reading breaks off, the rest is dropped and an open array is closed.
pub(super) struct ArrayEdits<'c, I, T> {
    edits: I,
    scanner: JsonScanner<'c>,
    source: &'c Source,
    /// The element after the last one that was passed, if it is known.
    next: Option<Option<JsonElement>>,
    /// End of the last element that was passed.
    end: u64,
    /// Array of the last element that stays.
    kept: Option<u64>,
    /// What cannot be read, and whether an array is open there.
    rest: Option<(SourceSpan, bool)>,
    /// The edit after the one that was returned.
    queued: Option<EditOfSpan<T>>,
}

/// An edit that changes bytes.
pub(super) enum ArrayEdit<T> {
    /// Changes a record.
    Record(T),
    /// Closes the array that the file leaves open.
    Close,
}

/// A span with its edit. Without one, it is dropped.
type EditOfSpan<T> = (SourceSpan, Option<ArrayEdit<T>>);

impl<T> ArrayEdit<T> {
    /// Returns the new bytes of a span. `change` returns those of a record.
    pub fn change(&self, record: &[u8], change: impl FnOnce(&[u8], &T) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        match self {
            ArrayEdit::Record(with) => change(record, with),
            ArrayEdit::Close => Ok(b"]".to_vec()),
        }
    }
}

impl<'c, I, T> ArrayEdits<'c, I, T> {
    pub fn new(source: &'c Source, control: &'c JobControl, edits: I) -> Result<ArrayEdits<'c, I, T>> {
        let scanner = JsonScanner::new(open(source, control, None)?);
        Ok(ArrayEdits { edits, scanner, source, next: None, end: 0, kept: None, rest: None, queued: None })
    }

    /// Returns the element that is not passed yet. `None` if nothing more can be read.
    fn peek(&mut self) -> Option<JsonElement> {
        if self.next.is_none() {
            match self.scanner.next(&mut Vec::new(), 0) {
                Ok(JsonStep::Element(element)) => self.next = Some(Some(element)),
                Ok(JsonStep::End) => self.next = Some(None),
                Ok(JsonStep::Broken(..)) => self.break_off(),
                Err(_) => self.rest_until(self.scanner.offset + 1),
            }
        }
        self.next.flatten()
    }

    fn break_off(&mut self) {
        // The rest may itself break off.
        let is_whole = self.scanner.rest(&mut Vec::new(), 0).is_ok();
        self.rest_until(self.scanner.offset + u64::from(!is_whole));
    }

    fn rest_until(&mut self, end: u64) {
        let place = self.scanner.cut_place();
        self.next = Some(None);
        self.rest = Some((SourceSpan { offset: place.offset, len: end - place.offset }, place.is_in_array));
    }

    fn pass(&mut self, element: JsonElement, stays: bool) {
        self.next = None;
        self.end = element.span.end();
        if stays {
            self.kept = element.array;
        }
    }

    /// Returns the edit that drops what `span` covers.
    fn drop(&mut self, span: SourceSpan) -> Result<EditOfSpan<T>> {
        while let Some(element) = self.peek().filter(|element| element.span.offset < span.offset) {
            self.pass(element, true);
        }
        let Some(first) = self.peek() else {
            let (rest, is_in_array) = self.rest.take().ok_or_else(|| self.changed())?;
            if !is_in_array {
                return Ok((rest, None));
            }
            self.queued = Some((rest, None));
            return Ok((SourceSpan { len: 0, ..rest }, Some(ArrayEdit::Close)));
        };
        let (before, mut last) = (self.end, first);
        // Values at the top may follow each other without a gap, and then be dropped as one.
        while let Some(element) = self.peek().filter(|element| element.span.end() <= span.end()) {
            self.pass(element, false);
            last = element;
        }
        if (first.span.offset, last.span.end()) != (span.offset, span.end()) {
            return Err(self.changed());
        }
        if first.array.is_some() && first.array == self.kept {
            return Ok((SourceSpan { offset: before, len: span.end() - before }, None));
        }
        let after = self.peek().filter(|next| next.array == last.array);
        let end = after.map_or(span.end(), |next| next.span.offset);
        Ok((SourceSpan { offset: span.offset, len: end - span.offset }, None))
    }

    fn changed(&self) -> Error {
        Error::Changed { path: self.source.path.clone() }
    }
}

impl<T, I: Iterator<Item = Result<(SourceSpan, Option<T>)>>> Iterator for ArrayEdits<'_, I, T> {
    type Item = Result<EditOfSpan<T>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(queued) = self.queued.take() {
            return Some(Ok(queued));
        }
        Some(self.edits.next()?.and_then(|(span, with)| match with {
            Some(with) => Ok((span, Some(ArrayEdit::Record(with)))),
            None => self.drop(span),
        }))
    }
}
