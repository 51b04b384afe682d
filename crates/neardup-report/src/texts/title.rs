//! The words by which a person recognises a document.

use unicode_segmentation::UnicodeSegmentation;

/// Number of characters of a title.
pub const TITLE: usize = 80;

/// Returns the first line of a text that has a word, with a space for each run of white space; its first words if it is longer
/// than [`TITLE`] characters. It is empty if the text has no word.
///
/// ```
/// use neardup_report::texts::title::title;
/// assert_eq!(title("* * *\n The  ferry \nIt leaves at noon."), "The ferry");
/// ```
pub fn title(text: &str) -> String {
    let Some(line) = text.lines().find(|line| line.unicode_words().next().is_some()) else { return String::new() };
    // A line may be as long as the text.
    let mut chars = line.trim_start().chars();
    let some: String = chars.by_ref().take(4 * TITLE).collect();
    let words = some.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = words.char_indices().nth(TITLE) else {
        return if chars.next().is_some() { format!("{words}…") } else { words };
    };
    let whole = words.split_word_bound_indices().map(|(at, _)| at).take_while(|&at| at <= end).last().unwrap_or(end);
    let kept = words[..if whole == 0 { end } else { whole }].trim_end();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_a_line_or_its_first_words() {
        assert_eq!(title(""), "");
        assert_eq!(title("\n -- \n"), "");
        assert_eq!(title("\n\n One\ttwo \n three"), "One two");
        let long = "harbour ".repeat(20);
        assert_eq!(title(&long), format!("{}…", ["harbour"; 10].join(" ")));
        assert_eq!(title(&"字".repeat(100)), format!("{}…", "字".repeat(80)));
        assert_eq!(title(&"a".repeat(100)), format!("{}…", "a".repeat(80)));
        assert_eq!(title(&format!("x{}y", " ".repeat(1000))), "x…");
    }
}
