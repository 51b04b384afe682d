//! The zero width non-joiner, which Persian and others write inside words.

use super::{Fold, Folding};

pub(super) const FOLD: Fold = Fold {
    name: "joiners",
    meaning: "the zero width non-joiner (U+200C) is a space",
    ascii: "",
    apply: |_, c| if c == '\u{200C}' { Folding::Text(" ") } else { Folding::Same },
};
