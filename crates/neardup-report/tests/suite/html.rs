//! Helpers that parse a page and select its content.

use scraper::{ElementRef, Html, Selector};

/// Asserts that a page is valid HTML, and returns it.
pub fn valid(page: String) -> String {
    let parsed = Html::parse_document(&page);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    page
}

/// A name that, unescaped, would end its element, run a script, load an image, reverse the line, and be evaluated by a template.
pub const EVIL: &str = "</style><script>alert(1)</script><img src=x>\u{202e}{{ 7*7 }}";

/// Asserts that a page with [`EVIL`] as a name shows it as text.
pub fn assert_harmless(page: &str) {
    assert_loads_nothing(page);
    assert!(!page.contains('\u{202e}'));
    assert!(page.contains("{{ 7*7 }}") && page.contains("default-src 'none'"));
}

/// Asserts that a page runs no script and loads no other resource.
pub fn assert_loads_nothing(page: &str) {
    for word in ["<script", "<img", "<iframe", "<link", "src=\"", "url(", "@import", "http://", "https://"] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Returns the text of every selected element.
pub fn texts(page: &str, selector: &str) -> Vec<String> {
    select(page, selector, |element| Some(element.text().collect::<String>().trim().to_owned()))
}

/// Returns the words of every selected element, separated by single spaces.
pub fn words(page: &str, selector: &str) -> Vec<String> {
    select(page, selector, |element| Some(element.text().flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")))
}

/// Returns the attribute `name` of every selected element that has it.
pub fn attributes(page: &str, selector: &str, name: &str) -> Vec<String> {
    select(page, selector, |element| element.attr(name).map(str::to_owned))
}

fn select(page: &str, selector: &str, take: impl Fn(ElementRef<'_>) -> Option<String>) -> Vec<String> {
    Html::parse_document(page).select(&Selector::parse(selector).unwrap()).filter_map(take).collect()
}
