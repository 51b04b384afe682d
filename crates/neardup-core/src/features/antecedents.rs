//! Antecedents and stop words: the words at which spots begin, and the words that chains skip.
//!
//! A list is a text. Every line is `antecedents:` or `stops:`, followed by words between white space. Blank lines and
//! lines that begin with `#` are ignored. Antecedents are stop words, too.

use neardup_text::{Text, TokenRules, Tokeniser};

/// The lists that come with neardup, by language.
pub const LANGUAGES: [(&str, &str); 6] = [
    ("en", include_str!("antecedents/en.txt")),
    ("ko", include_str!("antecedents/ko.txt")),
    ("zh", include_str!("antecedents/zh.txt")),
    ("de", include_str!("antecedents/de.txt")),
    ("fr", include_str!("antecedents/fr.txt")),
    ("es", include_str!("antecedents/es.txt")),
];

/// Role of a token in spots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenRole {
    /// It carries content. Chains consist of such tokens.
    #[default]
    Content,
    /// It carries no content.
    Stop,
    /// It carries no content, and a spot begins after it.
    Antecedent,
}

/// The roles of tokens, by their hash. Tokens that are not listed are content.
#[derive(Clone, Debug)]
pub struct Antecedents {
    /// Hash table with open addressing: a power of two of slots, at most a quarter of them in use.
    slots: Vec<(u64, TokenRole)>,
    shift: u32,
}

impl Antecedents {
    /// Parses a list for tokens by `rules` hashed with `seed`. If `lenient`, words that are not one token of their unit
    /// are skipped, because one list may serve several units.
    ///
    /// # Errors
    /// The reason: a line that is neither kind, no antecedent, or, unless `lenient`, the first word that is not one token.
    pub fn read(list: &str, rules: TokenRules, seed: u64, lenient: bool) -> Result<Self, String> {
        let mut tokeniser = Tokeniser::new(rules, seed);
        let (unit, mut words) = (rules.unit, Vec::new());
        for (number, line) in (1..).zip(list.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
            let (role, listed) = match line.split_once(':') {
                Some(("antecedents", listed)) => (TokenRole::Antecedent, listed),
                Some(("stops", listed)) => (TokenRole::Stop, listed),
                _ => return Err(format!("line {number} begins neither with `antecedents:` nor with `stops:`: `{line}`")),
            };
            for word in listed.split_whitespace() {
                match tokeniser.tokens(Text::Plain(word.as_bytes())) {
                    &[token] => words.push((token, role)),
                    _ if lenient => {}
                    tokens => return Err(format!("line {number}: `{word}` is {} tokens in {unit}, and must be one", tokens.len())),
                }
            }
        }
        if !words.iter().any(|word| word.1 == TokenRole::Antecedent) {
            return Err(format!("it names no antecedent that is one token in {unit}"));
        }
        Ok(Antecedents::of(&words))
    }

    /// Builds the table. A word that occurs twice has its last role, except that an antecedent remains one.
    fn of(words: &[(u64, TokenRole)]) -> Self {
        let size = (4 * words.len()).next_power_of_two();
        let mut antecedents = Antecedents { slots: vec![(0, TokenRole::Content); size], shift: 64 - size.trailing_zeros() };
        for &(token, role) in words {
            let slot = antecedents.slot(token);
            if antecedents.slots[slot].1 != TokenRole::Antecedent {
                antecedents.slots[slot] = (token, role);
            }
        }
        antecedents
    }

    /// Returns the role of a token.
    #[inline]
    pub fn role(&self, token: u64) -> TokenRole {
        self.slots[self.slot(token)].1
    }

    /// Returns the slot of a token, or the free slot in which it would be.
    #[inline]
    fn slot(&self, token: u64) -> usize {
        // Some bits of a token's hash are not a hash by themselves, so all are mixed first.
        let mut slot = (token.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while self.slots[slot].1 != TokenRole::Content && self.slots[slot].0 != token {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_text::Unit;
    use std::collections::BTreeSet;

    fn role(antecedents: &Antecedents, word: &str) -> TokenRole {
        antecedents.role(Tokeniser::new(Unit::Words, 7).tokens(Text::Plain(word.as_bytes()))[0])
    }

    #[test]
    fn roles_of_words() {
        let antecedents = Antecedents::read("# mine\nantecedents: The a\n\nstops: of  to a\n", Unit::Words.into(), 7, false).unwrap();
        let roles = ["the", "THE", "a", "of", "to", "river"].map(|word| role(&antecedents, word));
        assert_eq!(
            roles,
            [TokenRole::Antecedent, TokenRole::Antecedent, TokenRole::Antecedent, TokenRole::Stop, TokenRole::Stop, TokenRole::Content]
        );
    }

    #[test]
    fn every_word_of_every_language_has_its_role() {
        for (language, list) in LANGUAGES {
            let antecedents = Antecedents::read(list, Unit::Words.into(), 7, false).unwrap_or_else(|error| panic!("{language}: {error}"));
            let mut seen = BTreeSet::new();
            for line in list.lines().filter(|line| line.contains(':') && !line.starts_with('#')) {
                let (kind, words) = line.split_once(':').unwrap();
                let expected = if kind == "stops" { TokenRole::Stop } else { TokenRole::Antecedent };
                for word in words.split_whitespace() {
                    assert_eq!(role(&antecedents, word), expected, "{language}: {word}");
                    assert!(seen.insert(word), "{language}: {word} occurs twice");
                }
            }
            assert_eq!(role(&antecedents, "zebra"), TokenRole::Content);
        }
    }

    #[test]
    fn lists_that_cannot_be_used() {
        for (list, reason) in [
            ("the a an", "line 1 begins neither"),
            ("antecedents: the\nstop: of", "line 2 begins neither"),
            ("antecedents: don't", "line 1: `don't` is 2 tokens in words"),
            ("antecedents: ...", "`...` is 0 tokens"),
            ("stops: of to", "names no antecedent"),
            ("", "names no antecedent"),
        ] {
            let error = Antecedents::read(list, Unit::Words.into(), 7, false).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(Antecedents::read("antecedents: don't the", Unit::Words.into(), 7, true).is_ok());
    }
}
