//! The normal form of a text: what looks equal to a reader becomes equal, before the text is cut into tokens.
//!
//! `exact` has the rules, slow and plain. `segment` says where they never reach across. The scan applies them fast.

pub(crate) mod exact;
pub(crate) mod segment;

/// Which characters the normal form keeps apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For tokens that are words. A superscript, a circled number or an accent alone is no part of a word, so it becomes a space.
    Words,
    /// For words with signs beside them. Superscripts, circled numbers and fractions stay as they are.
    Signs,
    /// For characters and pieces of text. Superscripts, circled numbers and fractions stay as they are, and nothing becomes a space.
    Characters,
    /// For source code: as characters, and the case stays.
    Code,
}

impl Form {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 4] = [Self::Words, Self::Signs, Self::Characters, Self::Code];

    /// Whether signs that NFKC turns into letters are set off from the words beside them.
    fn is_of_words(self) -> bool {
        matches!(self, Self::Words | Self::Signs)
    }

    /// Whether characters of General_Category No stay as they are.
    fn keeps_numbers(self) -> bool {
        self != Self::Words
    }
}
