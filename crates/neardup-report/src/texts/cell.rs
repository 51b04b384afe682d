//! One of two texts side by side, shown piece by piece as its differences are found.

use crate::HighlightedText;
use crate::escape::{EscapedPlace, escape};
use unicode_segmentation::UnicodeSegmentation;

/// The end tag of a highlight.
const CLOSE: &str = "</mark>";

/// The open cell of a text, and the number of characters of the text that may still be shown.
pub(crate) struct TextCell<'a> {
    text: &'a HighlightedText<'a>,
    /// Place of the next byte of the text.
    at: usize,
    html: String,
    left: usize,
    full: bool,
}

impl<'a> TextCell<'a> {
    /// Creates a cell that shows at most `limit` characters of a text, from its beginning.
    pub fn new(text: &'a HighlightedText<'a>, limit: usize) -> TextCell<'a> {
        TextCell { text, at: 0, html: String::new(), left: limit, full: false }
    }

    /// Returns whether something had to be left out.
    pub fn full(&self) -> bool {
        self.full
    }

    /// Closes the cell and returns its content as HTML.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.html)
    }

    /// Leaves out the next bytes of the text.
    pub fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Shows the next bytes of the text.
    pub fn plain(&mut self, bytes: usize) {
        let (from, to) = (self.at, self.at + bytes);
        self.at = to;
        if self.full {
            return;
        }
        let text = &self.text.text()[from..to];
        let most = text.char_indices().nth(self.left).map_or(text.len(), |(at, _)| at);
        // a character as readers see it is shown whole or not at all
        let end = if most == text.len() { most } else { floor(text, most) };
        for (highlighted, piece) in self.text.pieces(from..from + end) {
            if highlighted {
                self.light(piece);
            } else {
                escape(&mut self.html, piece, EscapedPlace::Body);
            }
        }
        if end < text.len() {
            self.full = true;
            self.html.push('…');
        } else {
            self.left -= text.chars().count();
        }
    }

    /// Shows a highlighted piece. Its tag is the innermost: it is cut by every other tag, and cuts none.
    fn light(&mut self, piece: &str) {
        // No text can look like this, because its "<" is escaped.
        match self.html.strip_suffix(CLOSE) {
            Some(open) => self.html.truncate(open.len()),
            None => self.html.push_str("<mark>"),
        }
        escape(&mut self.html, piece, EscapedPlace::Body);
        self.html.push_str(CLOSE);
    }

    /// Shows a difference; the white space after it stays outside the colour.
    pub fn differing(&mut self, tag: &str, bytes: usize) {
        let words = self.text.text()[self.at..self.at + bytes].trim_end().len();
        self.html.push_str(&format!("<{tag}>"));
        self.plain(words);
        self.html.push_str(&format!("</{tag}>"));
        self.plain(bytes - words);
    }
}

/// Returns the last byte up to `most` at which a character as readers see it begins.
fn floor(text: &str, most: usize) -> usize {
    text.grapheme_indices(true).map(|(at, _)| at).take_while(|&at| at <= most).last().unwrap_or(0)
}
