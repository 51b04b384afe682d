//! From a text to token hashes.

use crate::fingerprint::{TokenKeys, token};
use crate::json::escape::resolve_into;
use crate::scan::lowered::lower_into;
use crate::scan::wide::Rules;
use crate::scan::window::Window;
use crate::scan::words::{Ending, Scan};
use crate::simd::Level;
use crate::text::{Text, lossy};
use crate::unicode::{compose, lower, normalise};
use crate::units::chars::Chars;
use crate::units::given::GivenValue;
use crate::units::pieces::each_piece;
use crate::units::segmented::each_token;
use crate::units::unit::Unit;

/// Cuts texts into tokens of one unit and hashes them.
///
/// It owns its buffers, so one tokeniser per thread processes any number of texts without an allocation for each.
#[derive(Debug)]
pub struct Tokeniser {
    unit: Unit,
    seed: u64,
    level: Level,
    window: Window,
    tokens: Vec<u64>,
    /// The text with its escapes resolved.
    plain: Vec<u8>,
    /// The text or a piece of it in lower case.
    lowered: Vec<u8>,
}

/// Buffers above this size are freed when a much smaller text follows.
const LARGE: usize = 1 << 22;

impl Tokeniser {
    /// Creates a tokeniser of this unit. The seed affects every token hash.
    #[must_use]
    pub fn new(unit: Unit, seed: u64) -> Self {
        Self::with_level(unit, seed, Level::best())
    }

    /// Creates a tokeniser with a given instruction set, for tests and measurements. The tokens are the same.
    #[doc(hidden)]
    #[must_use]
    pub fn with_level(unit: Unit, seed: u64, level: Level) -> Self {
        Self { unit, seed, level, window: Window::default(), tokens: vec![], plain: vec![], lowered: vec![] }
    }

    /// Returns the token hashes of a text, in order. They are valid until the next call.
    ///
    /// Each is [`fingerprint::token`](crate::fingerprint::token) of the bytes of the token in the text, after NFC and lower case.
    /// For [`Unit::Bytes`] the text is not normalised.
    pub fn tokens<'s>(&'s mut self, text: Text<'_>) -> &'s [u64] {
        self.tokens.clear();
        if self.plain.len().max(self.lowered.capacity()).max(self.tokens.capacity()) > LARGE.max(16 * text.bytes().len()) {
            (self.tokens, self.plain, self.lowered) = (vec![], vec![], vec![]);
        }
        match self.unit {
            Unit::Words => self.words(text, true),
            Unit::Eojeol => self.words(text, false),
            Unit::Segmented => self.segmented(text),
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
        &self.tokens
    }

    fn words(&mut self, text: Text<'_>, pairs: bool) {
        self.window.reset();
        let rules = Rules { pairs, odd: Rules::RAW };
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
        let composed = compose(text);
        self.restart();
        if self.scan(composed.as_bytes(), 0, false, Rules { pairs, odd: Rules::COMPOSED }) == Ending::Odd {
            let lowered = lower(&composed);
            self.restart();
            self.scan(lowered.as_bytes(), 0, false, Rules { pairs, odd: Rules::LOWERED });
        }
    }

    fn restart(&mut self) {
        self.tokens.clear();
        self.window.reset();
    }

    fn scan(&mut self, source: &[u8], from: usize, json: bool, rules: Rules) -> Ending {
        let keys = TokenKeys::new(self.seed);
        self.level.run(Scan { source, from, json, rules, keys, window: &mut self.window, tokens: &mut self.tokens })
    }

    fn chars(&mut self, text: Text<'_>, jamo: bool) {
        let chars = Chars::new(self.seed, jamo);
        let bytes = text.resolve(self.level, &mut self.plain);
        if !chars.hash(bytes, Rules::RAW, &mut self.tokens) {
            let decoded = text.decode();
            self.tokens.clear();
            chars.hash(normalise(&decoded).as_bytes(), Rules::LOWERED, &mut self.tokens);
        }
    }

    fn segmented(&mut self, text: Text<'_>) {
        let Self { seed, level, ref mut plain, ref mut lowered, ref mut tokens, .. } = *self;
        let decoded = lossy(text.resolve(level, plain));
        lowered.clear();
        let normal = if lower_into(level, &decoded, lowered) { lossy(lowered) } else { normalise(&decoded) };
        each_token(&normal, |range| tokens.push(token(normal[range].as_bytes(), seed)));
    }

    fn pieces(&mut self, text: Text<'_>) {
        let Self { unit, seed, level, ref mut plain, ref mut lowered, ref mut tokens, .. } = *self;
        let decoded = lossy(text.resolve(level, plain));
        each_piece(unit, level, &decoded, |range| {
            let piece = &decoded[range];
            lowered.clear();
            let sure = lower_into(level, piece, lowered);
            tokens.push(if sure { token(lowered, seed) } else { token(normalise(piece).as_bytes(), seed) });
        });
    }
}
