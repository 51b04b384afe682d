//! Two texts side by side, as HTML.

use crate::escape::{EscapedPlace, escape};
use crate::texts::cell::TextCell;
use crate::texts::diff::{DiffStretch, StretchKind, TIME, count, words_within};
use crate::{HighlightedText, number};
use std::time::Duration;
use unicode_segmentation::UnicodeSegmentation;

/// Number of characters, without white space, that are shown of an equal stretch on either side of a difference.
const CONTEXT: usize = 160;

/// An equal stretch is folded if at least this many characters vanish.
const FOLD: usize = 120;

/// Least average number of characters in a word. In a text without spaces a character is a word, so only a quarter of the shown
/// text is compared, and no page takes seconds.
const WORD: usize = 4;

/// Number of bytes above which a folded stretch is measured in bytes: counting its words would cost more than drawing it.
const COUNTED: usize = 100_000;

/// Renders two texts side by side, as HTML: rows of two cells, with long equal stretches folded, differences in `<del>` and
/// `<ins>`, and highlights in `<mark>`.
///
/// At most `limit` characters of each text are shown. Of its words, a quarter as many are compared, after the common beginning of
/// both texts. Differences are drawn coarser after [`TIME`]. Of two equal texts, one wide cell shows the beginning; for two empty
/// texts nothing is shown.
///
/// ```
/// use neardup_report::{HighlightedText, render_texts};
/// let [left, right] = ["a red house", "a <b>"].map(|text| HighlightedText::new(text, [0..1]));
/// let html = render_texts(&left, &right, 100);
/// assert!(html.contains(">a</mark> <del>red house</del><") && html.contains(">a</mark> <ins>&lt;b&gt;</ins><"));
/// ```
pub fn render_texts(left: &HighlightedText<'_>, right: &HighlightedText<'_>, limit: usize) -> String {
    rows(left, right, limit, Some(TIME))
}

/// Renders texts without highlights and without a time limit, so that the result depends on the texts only.
pub(crate) fn side_by_side(left: &str, right: &str, limit: usize) -> String {
    rows(&left.into(), &right.into(), limit, None)
}

/// Renders a text that is the same on both sides, in one wide cell.
pub(crate) fn same(text: &HighlightedText<'_>, limit: usize) -> String {
    let mut cell = TextCell::new(text, limit.min(4 * CONTEXT));
    cell.plain(text.text().len());
    let mut html = format!("<div class=\"row\"><div class=\"same\" dir=\"auto\">{}</div></div>", cell.take());
    if cell.full() {
        html.push_str("<p class=\"fold\">the rest is equal too</p>");
    }
    html
}

fn rows(left: &HighlightedText<'_>, right: &HighlightedText<'_>, limit: usize, time: Option<Duration>) -> String {
    let mut rows = SideBySideRows { html: String::new(), left: TextCell::new(left, limit), right: TextCell::new(right, limit) };
    let changes = words_within(left.text(), right.text(), (limit / WORD).max(1), time);
    if let [DiffStretch { kind: StretchKind::Equal, .. }] = changes[..] {
        return same(left, limit);
    }
    for (i, change) in changes.iter().enumerate() {
        // a difference may fill one cell alone, so the other cell is shown until it is full, too
        if rows.left.full() && rows.right.full() {
            break;
        }
        match change.kind {
            StretchKind::Equal => rows.equal(change, i + 1 == changes.len()),
            StretchKind::Removed => rows.left.differing("del", change.left.len()),
            StretchKind::Added => rows.right.differing("ins", change.right.len()),
            StretchKind::Uncompared => rows.uncompared(change),
        }
    }
    rows.close();
    if rows.cut() {
        rows.note(&format!("cut at {} characters", number::count(limit as u64)));
    }
    rows.html
}

/// The table under construction: finished rows and the two open cells.
struct SideBySideRows<'a> {
    html: String,
    left: TextCell<'a>,
    right: TextCell<'a>,
}

impl SideBySideRows<'_> {
    /// Returns whether a text was longer than may be shown.
    fn cut(&self) -> bool {
        self.left.full() || self.right.full()
    }

    /// Shows an equal stretch. Even the stretch before the first difference keeps its beginning, by which a reader recognises the
    /// document.
    fn equal(&mut self, change: &DiffStretch, last: bool) {
        let solid = solids(change.left);
        let head = if solid <= 2 * CONTEXT + FOLD { solid } else { word_end(change.left, CONTEXT) };
        if head == solid {
            self.left.plain(change.left.len());
            self.right.plain(change.right.len());
            return;
        }
        let tail = if last { solid } else { word_end(change.left, solid - CONTEXT) };
        let (l, r) = (cuts(change.left, head, tail), cuts(change.right, head, tail));
        self.left.plain(l.0);
        self.right.plain(r.0);
        self.close();
        self.note(&folded(&change.left[l.0..l.1]));
        for (cell, text, (from, to)) in [(&mut self.left, change.left, l), (&mut self.right, change.right, r)] {
            let rest = text[to..].trim_start().len();
            cell.skip(text.len() - from - rest);
            cell.plain(rest);
        }
    }

    fn uncompared(&mut self, change: &DiffStretch) {
        self.close();
        self.left.skip(change.left.len());
        self.right.skip(change.right.len());
        self.note(&format!("{} and {} not compared", bytes(change.left), bytes(change.right)));
    }

    fn close(&mut self) {
        let (left, right) = (self.left.take(), self.right.take());
        if left.is_empty() && right.is_empty() {
            return;
        }
        self.html.push_str("<div class=\"row\"><div class=\"left\" dir=\"auto\">");
        self.html.push_str(&left);
        self.html.push_str("</div><div class=\"right\" dir=\"auto\">");
        self.html.push_str(&right);
        self.html.push_str("</div></div>");
    }

    fn note(&mut self, text: &str) {
        self.html.push_str("<p class=\"fold\">");
        escape(&mut self.html, text, EscapedPlace::Label);
        self.html.push_str("</p>");
    }
}

/// Returns the number of characters that are not white space. It is the same on both sides of an equal stretch, so places on one
/// side can be found on the other.
fn solids(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Returns the least number of solid characters, from `from` to `from + 40`, after which white space follows. If there is none,
/// returns the least number, at least `from`, that ends with a character as readers see it.
fn word_end(text: &str, from: usize) -> usize {
    let mut seen = 0;
    for c in text.chars() {
        if c.is_whitespace() && seen >= from {
            return seen;
        }
        seen += usize::from(!c.is_whitespace());
        if seen > from + 40 {
            break;
        }
    }
    let ends = |seen: &mut usize, one| {
        *seen += solids(one);
        Some(*seen)
    };
    text.graphemes(true).scan(0, ends).find(|&end| end >= from).unwrap_or(from)
}

/// Returns the number of bytes up to the end of the first `head` solid characters, and of the first `tail`; both are at least 1.
fn cuts(text: &str, head: usize, tail: usize) -> (usize, usize) {
    let mut ends = text.char_indices().filter(|&(_, c)| !c.is_whitespace()).map(|(at, c)| at + c.len_utf8());
    let first = ends.nth(head - 1).unwrap_or(text.len());
    let second = if tail > head { ends.nth(tail - head - 1).unwrap_or(text.len()) } else { first };
    (first, second)
}

fn folded(text: &str) -> String {
    if text.len() > COUNTED {
        return format!("{} of equal text", bytes(text));
    }
    let n = count(text);
    let one = if scriptio_continua(text) { "character" } else { "word" };
    number::plural(n as u64, &format!("equal {one}"))
}

/// Returns whether a text is mostly in scripts without spaces, in which UAX 29 takes each character for a word.
fn scriptio_continua(text: &str) -> bool {
    let spaceless = |c: &char| matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{312f}' | '\u{3190}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    let sample = || text.chars().filter(|c| c.is_alphanumeric()).take(400);
    2 * sample().filter(spaceless).count() > sample().count()
}

fn bytes(text: &str) -> String {
    number::bytes(text.len() as u64)
}
