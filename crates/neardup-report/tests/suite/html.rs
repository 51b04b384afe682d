//! The content of a page.

use scraper::{ElementRef, Html, Selector};

/// The page, which is valid HTML.
pub fn valid(page: String) -> String {
    let parsed = Html::parse_document(&page);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    page
}

/// A name that would end its element, run, load something, turn the line around and be filled in.
pub const EVIL: &str = "</style><script>alert(1)</script><img src=x>\u{202e}{{ 7*7 }}";

/// Asserts that a page which was given [`EVIL`] as a name shows it as text.
pub fn assert_harmless(page: &str) {
    assert_loads_nothing(page);
    assert!(!page.contains('\u{202e}'));
    assert!(page.contains("{{ 7*7 }}") && page.contains("default-src 'none'"));
}

/// Asserts that a page runs nothing, and asks for nothing that is not in it.
pub fn assert_loads_nothing(page: &str) {
    for word in ["<script", "<img", "<iframe", "<link", "src=\"", "url(", "@import", "http://", "https://"] {
        assert!(!page.contains(word), "{word}");
    }
}

/// The text of every element that is selected.
pub fn texts(page: &str, selector: &str) -> Vec<String> {
    select(page, selector, |element| Some(element.text().collect::<String>().trim().to_owned()))
}

/// The words of every element that is selected, a space between any two pieces of its text.
pub fn words(page: &str, selector: &str) -> Vec<String> {
    select(page, selector, |element| Some(element.text().flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")))
}

/// The attribute of this name of every element that is selected and has it.
pub fn attributes(page: &str, selector: &str, name: &str) -> Vec<String> {
    select(page, selector, |element| element.attr(name).map(str::to_owned))
}

fn select(page: &str, selector: &str, take: impl Fn(ElementRef<'_>) -> Option<String>) -> Vec<String> {
    Html::parse_document(page).select(&Selector::parse(selector).unwrap()).filter_map(take).collect()
}
