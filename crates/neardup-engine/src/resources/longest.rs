//! The longest text: each thread may have it in memory, with another one as long.

use crate::documents::signed::SignedCorpus;
use crate::error::megabytes;
use crate::resources::budget::Budget;
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_corpus::OversizedPart;
use neardup_text::{TokenRules, Unit};

/// Sizes of the longest text of a run; each is the largest of any text.
#[derive(Clone, Copy, Default)]
struct Longest {
    /// Bytes, as they are read.
    bytes: usize,
    tokens: usize,
    /// Number of features, with repeats.
    features: usize,
}

/// Bytes that a token takes: its hash.
const PER_TOKEN: usize = 8;
/// Bytes that a feature takes while two sets are compared: in both sets its value, its place in an index, and its share of the
/// empty places; and twice its value while a signature is made of all features.
const PER_FEATURE: usize = 2 * (8 + 16) + 16;
/// Bytes that a token takes while passages are located: its place and hash, twice, and what it shares with the other side. The
/// factor 2 is for Chinese, which has twice as many tokens in as many bytes.
const PER_LOCATED: usize = 2 * 60;

/// Bytes that a byte of a text takes while the text is folded and located: the folded byte, and its place, twice while the list grows.
const PER_FOLDED_BYTE: usize = 1 + 2 * 24;

impl Longest {
    /// Estimates the sizes of a text from its bytes, before it is cut into tokens of a unit. Words are rarely shorter than
    /// assumed here.
    fn of_bytes(bytes: usize, unit: Unit) -> Self {
        let tokens = bytes / bytes_per_token(unit);
        Longest { bytes, tokens, features: tokens }
    }

    /// Returns the largest sizes of any document.
    fn of(signed: &SignedCorpus) -> Self {
        let mut longest = Longest::default();
        for chunk in signed.catalogue.catalogue_chunks() {
            longest.bytes = longest.bytes.max(chunk.longest());
        }
        for (_, segment) in signed.segments.iter().flat_map(|segments| segments.iter()) {
            let [tokens, features] = segment.most.map(|most| most as usize);
            longest = Longest { tokens: longest.tokens.max(tokens), features: longest.features.max(features), ..longest };
        }
        longest
    }

    /// Returns the bytes of memory that a thread takes for such a text.
    fn needed(self) -> usize {
        self.bytes + self.tokens * PER_TOKEN + self.features * PER_FEATURE
    }

    /// Returns the reason why the text cannot be processed, if it cannot.
    fn refused(self, budget: Budget) -> Option<String> {
        let short = budget.shortage(self.needed())?;
        let [bytes, needed] = [self.bytes, self.needed()].map(|bytes| megabytes(bytes as u64));
        Some(format!("a text of {bytes} takes about {needed} of memory while it is signed and compared; {short}"))
    }
}

fn bytes_per_token(unit: Unit) -> usize {
    match unit {
        Unit::Chars | Unit::Jamo | Unit::Bytes => 1,
        // Operators and brackets are mostly one character.
        Unit::Code => 2,
        _ => 6,
    }
}

/// Number of copies of a record in memory while it is read: the record, and one more while its buffer grows.
const PER_RECORD_BYTE: usize = 2;

/// Decides which records and texts are too large for a budget, and words the message.
pub struct TooLarge {
    budget: Budget,
    unit: Unit,
}

impl TooLarge {
    /// Creates it for texts that are cut into tokens of a unit.
    pub fn new(budget: Budget, unit: Unit) -> Self {
        TooLarge { budget, unit }
    }

    /// Returns the largest number of bytes of a record, and of a text.
    pub fn most(&self) -> [usize; 2] {
        let tokens = bytes_per_token(self.unit);
        let room = self.budget.room_for_text();
        [room / PER_RECORD_BYTE, room / (tokens + PER_TOKEN + PER_FEATURE) * tokens]
    }

    /// Returns the reason why a record or its text is too large.
    pub fn describe(&self, bytes: u64, extent: OversizedPart) -> String {
        let refused = match extent {
            OversizedPart::Text => Longest::of_bytes(bytes as usize, self.unit).refused(self.budget),
            OversizedPart::Record => {
                let short = self.budget.shortage(bytes as usize * PER_RECORD_BYTE);
                short.map(|short| format!("the record has {}, more than can be read: {short}", megabytes(bytes)))
            }
        };
        refused.unwrap_or_default()
    }
}

/// Returns the budget that is left after the numbers and ids of the documents and the longest text of each thread, and how many
/// of `threads` threads work.
///
/// There must be room for the passages of two such texts under each pass of `passages`.
pub fn beside_documents(signed: &SignedCorpus, budget: Budget, threads: usize, passages: &[CompiledPass]) -> Result<(Budget, usize)> {
    let budget = budget.beside(signed.len(), signed.catalogue.id_bytes())?;
    let mut longest = Longest::of(signed);
    if longest.features == 0 {
        // A text that is not signed has its N-grams looked up: nearly as many as it has tokens.
        longest.features = longest.tokens;
    }
    let place = || signed.catalogue.longest()?.map_or(Ok(String::new()), |document| signed.catalogue.name(document));
    if let Some(reason) = longest.refused(budget) {
        return Err(Error::Usage(format!("{}: {reason}", place()?)));
    }
    if let Some(needed) = passages.iter().map(|pass| 2 * needed_located(longest.bytes, pass.rules)).max() {
        check_located(needed, budget, || Ok(format!("{}, of {}, and one as long", place()?, megabytes(longest.bytes as u64))))?;
    }
    Ok(budget.beside_text(longest.needed(), threads))
}

/// Estimates the bytes of memory that a text of `bytes` bytes takes while its passages are located.
pub fn needed_located(bytes: usize, rules: TokenRules) -> usize {
    let folded = if rules.folds.is_empty() { 0 } else { bytes * PER_FOLDED_BYTE };
    bytes + folded + bytes / bytes_per_token(rules.unit) * PER_LOCATED
}

/// Refuses a budget without room for the passages of two texts, which together need `needed` bytes.
pub fn check_located(needed: usize, budget: Budget, texts: impl FnOnce() -> Result<String>) -> Result<()> {
    if needed <= budget.room() {
        return Ok(());
    }
    let (texts, about) = (texts()?, megabytes(needed as u64));
    Err(budget.short(needed, || format!("the passages of {texts}, which take about {about} while they are looked for")))
}
