//! The version of the tokens, which every stored result names.

use std::fmt;

use crate::unicode::UNICODE_VERSION;

/// Version of the rules by which a text becomes tokens. Results of different versions cannot be compared.
pub const TOKENS_VERSION: u32 = 2;

/// What decides which tokens a text has, besides the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokensVersion {
    /// Version of the rules.
    pub rules: u32,
    /// Version of Unicode, as 18.0.0.
    pub unicode: String,
}

impl TokensVersion {
    /// The name before the number, in messages and in keys.
    pub const NAME: &str = "tokens version";

    /// Returns the version of the rules of results that name none.
    #[must_use]
    pub const fn first() -> u32 {
        1
    }

    /// Returns the version by which this neardup cuts texts.
    #[must_use]
    pub fn current() -> Self {
        Self { rules: TOKENS_VERSION, unicode: UNICODE_VERSION.to_owned() }
    }
}

impl fmt::Display for TokensVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (Unicode {})", Self::NAME, self.rules, self.unicode)
    }
}
