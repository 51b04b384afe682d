//! From a text to token hashes.

use crate::fingerprint::{TokenKeys, token};
use crate::fold::fold_into;
use crate::json::escape::resolve_into;
use crate::normal::Form;
use crate::scan::whole::normalise_into;
use crate::scan::wide::Rules;
use crate::scan::window::Window;
use crate::scan::words::{Ending, Scan};
use crate::simd::Level;
use crate::text::{Text, lossy};
use crate::units::chars::Chars;
use crate::units::cut::each_token;
use crate::units::given::GivenValue;
use crate::units::pieces::{each_piece, trimmed};
use crate::units::rules::TokenRules;
use crate::units::unit::Unit;

/// Cuts texts into tokens by one set of rules and hashes them.
///
/// It owns its buffers, so one tokeniser per thread processes any number of texts without an allocation for each.
#[derive(Debug)]
pub struct Tokeniser {
    rules: TokenRules,
    seed: u64,
    level: Level,
    window: Window,
    tokens: Vec<u64>,
    /// The text with its escapes resolved.
    plain: Vec<u8>,
    /// The text after its folds.
    folded: String,
    /// The text or a piece of it in its normal form.
    normal: Vec<u8>,
}

/// Buffers above this size are freed when a much smaller text follows.
const LARGE: usize = 1 << 22;

impl Tokeniser {
    /// Creates a tokeniser with these rules, or of this unit. The seed affects every token hash.
    #[must_use]
    pub fn new(rules: impl Into<TokenRules>, seed: u64) -> Self {
        Self::with_level(rules, seed, Level::best())
    }

    /// Creates a tokeniser with a given instruction set, for tests and measurements. The tokens are the same.
    #[doc(hidden)]
    #[must_use]
    pub fn with_level(rules: impl Into<TokenRules>, seed: u64, level: Level) -> Self {
        Self {
            rules: rules.into(),
            seed,
            level,
            window: Window::default(),
            tokens: vec![],
            plain: vec![],
            folded: String::new(),
            normal: vec![],
        }
    }

    /// Returns the token hashes of a text, in order. They are valid until the next call.
    ///
    /// Each is [`fingerprint::token`](crate::fingerprint::token) of the bytes of the token in the normal form of the text.
    /// For [`Unit::Bytes`] the text is not normalised.
    pub fn tokens<'s>(&'s mut self, text: Text<'_>) -> &'s [u64] {
        self.tokens.clear();
        if self.plain.len().max(self.normal.capacity()).max(self.folded.capacity()).max(self.tokens.capacity())
            > LARGE.max(16 * text.bytes().len())
        {
            (self.tokens, self.plain, self.folded, self.normal) = (vec![], vec![], String::new(), vec![]);
        }
        if self.rules.folds.is_empty() {
            self.cut(text);
        } else {
            let mut folded = std::mem::take(&mut self.folded);
            folded.clear();
            fold_into(self.rules.folds, self.rules.form(), &text.decode(), &mut folded);
            self.cut(Text::Plain(folded.as_bytes()));
            self.folded = folded;
        }
        &self.tokens
    }

    /// Finds the tokens of a text after its folds.
    fn cut(&mut self, text: Text<'_>) {
        match self.rules.unit {
            Unit::Words if !self.rules.signs => self.words(text, true),
            Unit::Eojeol if !self.rules.signs => self.words(text, false),
            Unit::Words | Unit::Eojeol | Unit::Segmented | Unit::Code => self.normalised_words(text),
            Unit::Chars => self.chars(text, false),
            Unit::Jamo => self.chars(text, true),
            Unit::Bytes => {
                let hashes: [u64; 256] = std::array::from_fn(|byte| token(&[byte as u8], self.seed));
                let decoded = text.decode();
                self.tokens.extend(decoded.bytes().map(|byte| hashes[usize::from(byte)]));
            }
            // The readers of records have already rejected invalid values.
            Unit::Given => {
                let given = GivenValue::all(&text.decode()).unwrap_or_default();
                self.tokens.extend(given.iter().map(|given| given.token(self.seed)));
            }
            Unit::Lines | Unit::Sentences | Unit::Paragraphs => self.pieces(text),
        }
    }

    fn words(&mut self, text: Text<'_>, pairs: bool) {
        self.window.reset();
        let rules = Rules { pairs, normal: false };
        let ending = match text {
            Text::Plain(bytes) => self.scan(bytes, 0, false, rules),
            Text::Json(bytes) => match self.scan(bytes, 0, true, rules) {
                Ending::Code(at) => self.resume(bytes, at, rules),
                ending => ending,
            },
        };
        if ending == Ending::Odd {
            self.odd_words(&text.decode(), pairs);
        }
    }

    /// Resumes the scan of a JSON text at the block with its first `\u`, now with its escapes resolved.
    fn resume(&mut self, bytes: &[u8], at: usize, rules: Rules) -> Ending {
        let mut plain = std::mem::take(&mut self.plain);
        // The previous block stays in front, because marks depend on characters before them.
        let front = at.min(64);
        let escaped = self.window.carry.escaped as usize;
        let length = resolve_into(self.level, &bytes[at + escaped..], front + escaped, &mut plain);
        plain[..front].copy_from_slice(&bytes[at - front..at]);
        if escaped == 1 {
            // The second byte of an escape counts as a separator.
            plain[front] = b' ';
        }
        self.window.carry.escaped = 0;
        let ending = self.scan(&plain[..length], front, false, rules);
        self.plain = plain;
        ending
    }

    /// Finds the words of a text that must be normalised first.
    fn odd_words(&mut self, text: &str, pairs: bool) {
        let mut normal = std::mem::take(&mut self.normal);
        normal.clear();
        normalise_into(self.level, Form::Words, text, &mut normal);
        self.tokens.clear();
        self.window.reset();
        self.scan(&normal, 0, false, Rules { pairs, normal: true });
        self.normal = normal;
    }

    fn scan(&mut self, source: &[u8], from: usize, json: bool, rules: Rules) -> Ending {
        let keys = TokenKeys::new(self.seed);
        self.level.run(Scan { source, from, json, rules, keys, window: &mut self.window, tokens: &mut self.tokens })
    }

    fn chars(&mut self, text: Text<'_>, jamo: bool) {
        let Self { seed, level, ref mut plain, ref mut normal, ref mut tokens, .. } = *self;
        let chars = Chars::new(seed, jamo);
        let bytes = text.resolve(level, plain);
        if !chars.hash(bytes, false, tokens) {
            normal.clear();
            normalise_into(level, Form::Characters, &lossy(bytes), normal);
            tokens.clear();
            chars.hash(normal, true, tokens);
        }
    }

    /// Finds the words or the code of a text that is normalised first in any case.
    fn normalised_words(&mut self, text: Text<'_>) {
        let Self { rules, seed, level, ref mut plain, ref mut normal, ref mut tokens, .. } = *self;
        normal.clear();
        normalise_into(level, rules.form(), &lossy(text.resolve(level, plain)), normal);
        let normal = lossy(normal);
        let keys = TokenKeys::new(seed);
        each_token(rules, &normal, |range| tokens.push(keys.token(normal[range].as_bytes())));
    }

    fn pieces(&mut self, text: Text<'_>) {
        let Self { rules, seed, level, ref mut plain, ref mut normal, ref mut tokens, .. } = *self;
        let decoded = lossy(text.resolve(level, plain));
        each_piece(rules.unit, level, &decoded, |range| {
            normal.clear();
            normalise_into(level, Form::Characters, &decoded[range], normal);
            let normal = lossy(normal);
            let piece = trimmed(&normal);
            tokens.extend((!piece.is_empty()).then(|| token(piece.as_bytes(), seed)));
        });
    }
}
