//! How a text is cut into tokens: what the first stage of a scheme says.

use crate::fold::Folds;
use crate::normal::Form;
use crate::units::comments::Comments;
use crate::units::unit::Unit;

/// Rules by which a text is cut into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenRules {
    /// Unit of text that is one token.
    pub unit: Unit,
    /// Spellings that are made equal before.
    pub folds: Folds,
    /// Whether signs that bear meaning are tokens, beside words.
    pub signs: bool,
    /// Comments of source code that are left out.
    pub comments: Comments,
}

impl TokenRules {
    /// Whether texts that differ in signs alone have the same tokens.
    #[must_use]
    pub fn ignores_signs(self) -> bool {
        self.unit.is_of_words() && !self.signs
    }

    /// Returns the rules for another unit in place of this one. What the other unit does not know is left out.
    #[must_use]
    pub fn with_unit(self, unit: Unit) -> Self {
        Self {
            unit,
            folds: if unit.takes_folds() { self.folds } else { Folds::default() },
            signs: self.signs && unit.is_of_words(),
            comments: if unit == Unit::Code { self.comments } else { Comments::default() },
        }
    }

    /// The form that a text has when it is cut.
    pub(crate) fn form(self) -> Form {
        match self.unit {
            Unit::Code => Form::Code,
            unit if !unit.is_of_words() => Form::Characters,
            _ if self.signs => Form::Signs,
            _ => Form::Words,
        }
    }
}

impl From<Unit> for TokenRules {
    fn from(unit: Unit) -> Self {
        Self { unit, folds: Folds::default(), signs: false, comments: Comments::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_unit_keeps_what_it_knows() {
        let all = TokenRules { unit: Unit::Words, folds: "marks".parse().unwrap(), signs: true, comments: "c".parse().unwrap() };
        let words = TokenRules { unit: Unit::Eojeol, comments: Comments::default(), ..all };
        assert_eq!(all.with_unit(Unit::Eojeol), words);
        assert_eq!(all.with_unit(Unit::Lines), TokenRules { unit: Unit::Lines, signs: false, ..words });
        assert_eq!(all.with_unit(Unit::Code), TokenRules { comments: all.comments, ..Unit::Code.into() });
        assert_eq!(all.with_unit(Unit::Bytes), Unit::Bytes.into());
    }
}
