//! Two texts side by side: any two texts give valid HTML, from which they can be restored.

use crate::html::{assert_loads_nothing, attributes, texts, valid};
use neardup_report::{HighlightedText, render_texts};
use proptest::prelude::*;
use scraper::{ElementRef, Html};
use unicode_segmentation::UnicodeSegmentation;

/// The first byte of a stretch, and the first byte after it.
type Span = [usize; 2];

/// Returns the HTML of two texts with highlighted spans, after checking that it is valid.
fn compared(left: (&str, &[Span]), right: (&str, &[Span]), limit: usize) -> String {
    let [left, right] = [left, right].map(|(text, spans)| HighlightedText::new(text, spans.iter().map(|&[start, end]| start..end)));
    let html = render_texts(&left, &right, limit);
    let page = format!("<!DOCTYPE html><html lang=\"en\"><head><title>two texts</title></head><body>{html}</body></html>");
    assert_loads_nothing(&valid(page));
    assert_eq!(attributes(&html, "[style]", "style"), [""; 0]);
    html
}

/// Returns the HTML of a row with two cells.
fn row(left: &str, right: &str) -> String {
    format!("<div class=\"row\"><div class=\"left\" dir=\"auto\">{left}</div><div class=\"right\" dir=\"auto\">{right}</div></div>")
}

/// A character, and whether it is highlighted.
type Seen = (char, bool);

/// The visible pieces of one text: cells, and folds that state in words what is left out.
#[derive(Debug)]
enum Shown {
    Cell(Vec<Seen>),
    Fold(String),
}

fn shown(html: &str, side: &str) -> Vec<Shown> {
    let page = Html::parse_fragment(html);
    let of = |element: ElementRef<'_>| match element.value().attr("class") {
        Some("fold") => Some(Shown::Fold(element.text().collect())),
        Some(class) if class == side || class == "same" => Some(Shown::Cell(seen(element))),
        _ => None,
    };
    page.root_element().descendants().filter_map(ElementRef::wrap).filter_map(of).collect()
}

/// Returns the characters of a cell; those that are shown by their number are converted back.
fn seen(cell: ElementRef<'_>) -> Vec<Seen> {
    let texts = cell.descendants().filter_map(|node| Some((node, node.value().as_text()?)));
    let texts = texts.map(|(node, text)| {
        let within = |name| node.ancestors().filter_map(ElementRef::wrap).any(|element| element.value().name() == name);
        let number = text.strip_prefix("U+").filter(|_| within("bdi")).and_then(|code| u32::from_str_radix(code, 16).ok());
        let text = number.and_then(char::from_u32).map_or_else(|| text.to_string(), String::from);
        (text, within("mark"))
    });
    texts.flat_map(|(text, highlighted)| text.chars().map(|c| (c, highlighted)).collect::<Vec<_>>()).collect()
}

/// Returns the characters of a text and whether spans highlight them; a line end of two characters is one.
fn expected(text: &str, spans: &[Span]) -> Vec<Seen> {
    let bare = |text: &str| text.chars().all(char::is_whitespace);
    let highlighted = |at: usize, c: char| {
        let spans = spans.iter().filter(|&&[start, end]| text.get(start..end).is_some() && (start..end).contains(&at));
        let mut ends = spans.map(|&[start, end]| bare(&text[start..at]) || bare(&text[at..end]));
        ends.any(|end| !(end && c.is_whitespace()))
    };
    let joined = |at: usize| text[at..].starts_with("\r\n");
    text.char_indices().filter(|&(at, _)| !joined(at)).map(|(at, c)| (c, highlighted(at, c))).collect()
}

/// Returns whether the visible pieces represent the text: cells are equal to it, and folds state the right number of words.
fn unfolds(shown: &[Shown], text: &[Seen]) -> bool {
    let (cell, rest) = match shown {
        [] => return text.is_empty(),
        [Shown::Cell(cell), rest @ ..] => (cell, rest),
        [Shown::Fold(_), ..] => return false,
    };
    let Some(text) = text.strip_prefix(&cell[..]) else { return false };
    let [Shown::Fold(fold), rest @ ..] = rest else { return unfolds(rest, text) };
    let count: usize = fold.split(' ').next().unwrap().replace(',', "").parse().unwrap();
    let end = |at: &usize| {
        let folded: String = text[..*at].iter().map(|&(c, _)| c).collect();
        folded.unicode_words().count() == count && unfolds(rest, &text[*at..])
    };
    // White space after a fold is not shown.
    (0..=text.len()).any(|at| end(&at))
}

#[test]
fn highlights_are_the_innermost_elements() {
    let html = compared(("one two three four", &[[0, 18]]), ("one two 3 four", &[[4, 14]]), 1_000);
    let left = "<mark>one two </mark><del><mark>three</mark></del><mark> four</mark>";
    assert_eq!(html, row(left, "one <mark>two </mark><ins><mark>3</mark></ins><mark> four</mark>"));
    let html = compared(("a b c", &[[2, 3]]), ("a x c", &[]), 1_000);
    assert_eq!(html, row("a <del><mark>b</mark></del> c", "a <ins>x</ins> c"));
}

#[test]
fn a_passage_is_highlighted_on_both_sides_of_a_fold() {
    let middle = "one two three four five six seven eight nine ten ".repeat(30);
    let (left, right) = (format!("old {middle}"), format!("new {middle}"));
    let html = compared((&left, &[[4, left.len()]]), (&right, &[[4, right.len()]]), 10_000);
    let marks = texts(&html, ".left mark");
    assert_eq!((marks.len(), texts(&html, ".fold").len()), (1, 1));
    assert!(marks[0].starts_with("one two three"), "{marks:?}");
    let html = compared((&format!("{left}end"), &[[4, left.len()]]), (&format!("{right}ends"), &[]), 10_000);
    assert_eq!(texts(&html, ".left mark").len(), 2);
    assert_eq!(texts(&html, ".right mark").len(), 0);
    assert_eq!(texts(&html, "del, ins"), ["old", "new", "end", "ends"]);
}

#[test]
fn empty_and_equal_texts_are_shown() {
    assert_eq!(compared(("", &[]), ("", &[]), 1_000), "");
    let same = |cell: &str| format!("<div class=\"row\"><div class=\"same\" dir=\"auto\">{cell}</div></div>");
    assert_eq!(compared((" \n", &[[0, 2]]), (" \n", &[[0, 2]]), 1_000), same(" \n"));
    assert_eq!(compared(("a b", &[[0, 3]]), ("a  b", &[[0, 4]]), 1_000), row("<mark>a b</mark>", "<mark>a  b</mark>"));
    assert_eq!(compared(("", &[]), ("new", &[]), 1_000), row("", "<ins>new</ins>"));
    let long = "word ".repeat(1_000);
    let html = compared((&long, &[[0, long.len()]]), (&long, &[[0, long.len()]]), 4_000);
    assert_eq!(texts(&html, "mark").len(), 1);
    assert_eq!(texts(&html, ".fold"), ["the rest is equal too"]);
}

#[test]
fn line_ends_of_two_characters_are_shown_as_one() {
    let html = compared(("one\r\ntwo\r\nfour", &[[0, 5]]), ("three\r\ntwo\r\nfive", &[[7, 12]]), 1_000);
    let left = "<del><mark>one</mark></del>\ntwo\n<del>four</del>";
    assert_eq!(html, row(left, "<ins>three</ins>\n<mark>two</mark>\n<ins>five</ins>"));
}

#[test]
fn texts_stop_at_the_limit() {
    let (left, right) = ("a < b ".repeat(500), "b & a ".repeat(500));
    for limit in [0, 1, 3, 4, 100, 1_000] {
        let html = compared((&left, &[[0, left.len()]]), (&right, &[[0, right.len()]]), limit);
        for side in ["left", "right"] {
            let cells =
                shown(&html, side).into_iter().filter_map(|shown| if let Shown::Cell(cell) = shown { Some(cell.len()) } else { None });
            assert!(cells.sum::<usize>() <= limit + 1, "{limit}");
        }
        let folds = texts(&html, ".fold");
        assert!(folds.iter().any(|fold| fold.starts_with("cut at") || fold.ends_with("not compared")), "{limit} {folds:?}");
    }
}

#[test]
fn uncompared_text_keeps_its_place() {
    let words = |letter: &str| (0..400).map(|n| format!("{letter}{} ", n % 10)).collect::<String>();
    let (left, right) = (format!("{}the end", words("a")), format!("{}the end", words("b")));
    let ends = [[left.len() - 7, left.len()], [right.len() - 3, right.len()]];
    let html = compared((&left, &ends[..1]), (&right, &ends[1..]), 1_000);
    assert_eq!((texts(&html, ".left mark"), texts(&html, ".right mark")), (vec!["the end".to_owned()], vec!["end".to_owned()]));
    assert_eq!(texts(&html, "del, ins").len(), 2);
}

#[test]
fn a_text_is_shown_if_the_other_fills_its_limit() {
    let (long, short) = ("long words ".repeat(100), "a short text, and nothing else");
    for (left, right) in [(long.as_str(), short), (short, &long)] {
        let html = compared((left, &[]), (right, &[]), 200);
        for (side, text) in [(".left", left), (".right", right)] {
            let found = texts(&html, side).concat();
            assert!(text.starts_with(found.trim_end_matches('…')) && found.chars().count() >= text.len().min(200), "{found}");
        }
    }
}

#[test]
fn characters_of_several_code_points_stay_whole() {
    let equal = "ก\u{e31}น\u{e49}ำ".repeat(200);
    let html = compared((&format!("{equal} x"), &[]), (&format!("{equal} y"), &[]), 10_000);
    assert!(html.contains("equal character"), "{html}");
    for limit in 0..12 {
        for cell in texts(&compared(("e\u{301}".repeat(20).as_str(), &[]), ("b", &[]), limit), ".left") {
            assert_eq!(cell.matches('e').count(), cell.matches('\u{301}').count(), "{cell}");
        }
    }
    for cell in texts(&html, ".left, .right") {
        assert!(!cell.starts_with(['\u{e31}', '\u{e49}', '\u{e33}']), "{cell}");
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let evil = "</div></mark><script>alert(1)</script>\0\u{202e}\u{301}\u{d}x\u{2028}<!--";
    let html = compared((evil, &[[0, evil.len()], [3, 9]]), (&format!("{evil} y"), &[[0, 13]]), 1_000);
    assert!(!html.contains("<script") && !html.contains('\u{202e}') && html.contains("U+202E"));
}

/// Texts of words, of several scripts, of characters outside words, and of text that looks like markup.
const PIECES: &str = "([ab。 ,\r\n\t]|\r\n|<|&|\"|<mark>|</div>|\u{0}|\u{202e}|\u{301}|\u{feff}|かな|é|한국|עברית|👩\u{200d}🔬|\\PC){0,30}";

fn spans() -> impl Strategy<Value = Vec<Span>> {
    prop::collection::vec((0usize..1_500, 0usize..800), 0..6)
        .prop_map(|spans| spans.into_iter().map(|(start, length)| [start, start + length]).collect())
}

proptest! {
    #[test]
    fn both_texts_can_be_restored(
        [a, b, c, d] in [PIECES, PIECES, PIECES, PIECES],
        middle in 0usize..120,
        left_spans in spans(),
        right_spans in spans(),
    ) {
        let middle: String = (0..middle).map(|n| format!("word{n} ")).collect();
        let (left, right) = (format!("{a}{middle}{b}"), format!("{c}{middle}{d}"));
        let html = compared((&left, &left_spans), (&right, &right_spans), 1_000_000);
        let same = html.contains("\"same\"");
        for (side, text, spans) in [("left", &left, &left_spans), ("right", &right, &right_spans)] {
            // A text that is the same on both sides is shown once, and may be cut.
            if !same {
                let found = shown(&html, side);
                prop_assert!(unfolds(&found, &expected(text, spans)), "{} {:?}", html, found);
            } else if side == "left" {
                let [Shown::Cell(cell), ..] = &shown(&html, side)[..] else { panic!("{html}") };
                let text = expected(text, spans);
                let cut = cell.len().saturating_sub(usize::from(cell.len() < text.len()));
                prop_assert_eq!(&cell[..cut], &text[..cut]);
                prop_assert!(cut == text.len() || html.contains("the rest is equal too"));
            }
        }
    }

    #[test]
    fn any_limit_gives_valid_html(left in PIECES, right in PIECES, left_spans in spans(), right_spans in spans(), limit in 0usize..40) {
        compared((&left, &left_spans), (&right, &right_spans), limit);
    }
}
