//! What stands in a page.

use scraper::{ElementRef, Html, Selector};

/// The page, which is valid HTML.
pub fn valid(page: String) -> String {
    let parsed = Html::parse_document(&page);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    page
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
