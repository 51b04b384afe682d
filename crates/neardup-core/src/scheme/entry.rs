//! Entries: the names that a scheme may use, one list for each kind of stage.

use super::facts::{FeatureFacts, KeyFacts, MeasureFacts, SignatureFacts};
use super::pass::Pass;
use super::stage::{Argument, Stage};
use crate::error::Error;
use crate::keys::promise::{BandGrid, RecallPromise};
use crate::util::ratio::Ratio;

/// The most slots of a MinHash signature, and so the most bands.
pub(super) const MOST_SLOTS: u64 = 1024;
/// The greatest argument of a sample: its size, or its modulus.
pub(super) const MOST_SAMPLE: u64 = 65_536;

/// The kinds of stages, in the order of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StageKind {
    /// Text to tokens.
    Tokens,
    /// Tokens to features.
    Features,
    /// Features to a signature.
    Signature,
    /// Signature to keys.
    Keys,
    /// Pair to verdict.
    Measure,
}

impl StageKind {
    /// All kinds, in the order of a pass.
    pub const ALL: [StageKind; 5] = [StageKind::Tokens, StageKind::Features, StageKind::Signature, StageKind::Keys, StageKind::Measure];

    /// Returns its name in messages and tables.
    pub fn name(self) -> &'static str {
        match self {
            StageKind::Tokens => "tokens",
            StageKind::Features => "features",
            StageKind::Signature => "signature",
            StageKind::Keys => "keys",
            StageKind::Measure => "measure",
        }
    }
}

/// One possible stage: its form in a scheme, and its description in `neardup schemes`.
#[derive(Debug)]
pub struct Entry {
    /// The name in a scheme.
    pub name: &'static str,
    /// Its arguments.
    pub(super) arguments: &'static [ArgumentForm],
    /// Values of the last arguments if they are not written.
    pub(super) defaults: &'static [Argument],
    /// The options it takes.
    pub(super) options: &'static [&'static str],
    /// Features, signatures: whether equal ones may come from what differs.
    pub(super) lossy: bool,
    /// A further check of the stage in its pass; returns the reason if it fails. Arguments may still be `auto`.
    pub(super) check: fn(&Stage, &Pass) -> Result<(), String>,
    /// Facts about features, if it is a kind of these; likewise the next three.
    pub(super) feature_facts: FeatureFacts,
    /// Facts about a signature.
    pub(super) signature_facts: SignatureFacts,
    /// Facts about keys.
    pub(super) key_facts: KeyFacts,
    /// Facts about a measure.
    pub(crate) measure_facts: MeasureFacts,
    /// A description in one line.
    pub meaning: &'static str,
    /// Its publications; empty if it needs none.
    pub paper: &'static str,
}

impl Entry {
    /// Creates an entry with only a name. The other fields are set by the caller.
    pub(super) const fn new(name: &'static str) -> Entry {
        Entry {
            name,
            arguments: &[],
            defaults: &[],
            options: &[],
            lossy: false,
            check: |_, _| Ok(()),
            feature_facts: FeatureFacts::NONE,
            signature_facts: SignatureFacts::NONE,
            key_facts: KeyFacts::NONE,
            measure_facts: MeasureFacts::NONE,
            meaning: "",
            paper: "",
        }
    }

    /// Returns the form in which it is written: `minhash:K`, `resemblance>=NUMBER`.
    pub fn form(&self) -> String {
        let letters: Vec<&str> = self.arguments.iter().map(ArgumentForm::letter).collect();
        let colon = if letters.is_empty() { "" } else { ":" };
        let number = self.measure_facts.number.as_ref().map_or("", |number| if number.is_distance() { "<=NUMBER" } else { ">=NUMBER" });
        format!("{}{colon}{}{number}", self.name, letters.join(","))
    }

    /// Returns its arguments with their ranges, then its number, then its options; empty if it has none.
    pub fn arguments(&self) -> String {
        let ranges = self.arguments.iter().chain(&self.measure_facts.number).map(ArgumentForm::range);
        let options = self.options.iter().map(|option| format!("{option}="));
        ranges.chain(options).collect::<Vec<_>>().join(", ")
    }

    /// Parses all arguments. Arguments with a default may be missing.
    pub(super) fn read(&self, written: &[&str]) -> Result<Vec<Argument>, String> {
        let most = self.arguments.len();
        let least = most - self.defaults.len();
        if written.len() < least || written.len() > most {
            let wanted = if least == most { format!("{most}") } else { format!("{least} to {most}") };
            return Err(match most {
                0 => "it takes no argument".to_owned(),
                _ => format!(
                    "it takes {wanted} argument{}, here are {}: write {} ({})",
                    plural(most),
                    written.len(),
                    self.form(),
                    self.arguments()
                ),
            });
        }
        let read = |(form, text): (&ArgumentForm, &&str)| form.read(text).ok_or_else(|| format!("`{text}` is not {}", form.range()));
        let given: Vec<Argument> = self.arguments.iter().zip(written).map(read).collect::<Result<_, _>>()?;
        let missing = most - given.len();
        Ok(given.into_iter().chain(self.defaults[self.defaults.len() - missing..].iter().copied()).collect())
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.name == other.name
    }
}

impl Eq for Entry {}

/// The data from which keys are chosen.
pub(crate) struct KeyTarget<'a> {
    /// The pass they belong to.
    pub(super) pass: &'a Pass,
    /// The required recall of a pair at the threshold.
    pub(super) recall: &'a RecallPromise,
    /// The number of slots of the signature, or the most it may have.
    pub(super) slots: u64,
    /// The keys with the `auto` to choose.
    pub(super) keys: &'a Stage,
}

impl KeyTarget<'_> {
    /// Returns the lowest resemblance of an accepted pair; an error if there is none.
    pub(super) fn threshold(&self) -> crate::error::Result<Ratio> {
        let missing = "auto is chosen by a resemblance threshold, and the measure has none: write the number";
        self.pass.threshold().ok_or_else(|| self.refuse(missing))
    }

    /// Returns the error that the keys cannot be chosen, with the reason.
    pub(super) fn refuse(&self, reason: &str) -> Error {
        Error::Promise {
            threshold: self.pass.threshold().map_or_else(|| "none".to_owned(), |threshold| threshold.to_string()),
            recall: self.recall.to_string(),
            reason: format!("`{}`: {reason}", self.keys),
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Form and range of an argument, or of the number of a test.
#[derive(Debug)]
pub(crate) enum ArgumentForm {
    /// A whole number in a range.
    Count { letter: &'static str, least: u64, most: u64, auto: bool },
    /// One of a few whole numbers.
    Either { letter: &'static str, counts: &'static [u64] },
    /// A multiple of a number, up to another number.
    Multiple { letter: &'static str, of: u64, most: u64 },
    /// `BxR`.
    Grid,
    /// A whole number in a range, or a name that means more than any number.
    CountOr { letter: &'static str, least: u64, most: u64, name: &'static str },
    /// A ratio above 0, at most 1.
    Share { letter: &'static str, auto: bool },
    /// A ratio from 0 to 1.
    Fraction { letter: &'static str },
    /// One of a few names; `auto` among them is chosen when the scheme is resolved.
    Choice { letter: &'static str, names: &'static [&'static str] },
    /// The number of a test: a ratio above 0, at most 1.
    Number,
    /// The number of a test: a maximum distance, a ratio from 0 to 1.
    Distance,
    /// The number of a test: a maximum number of differences, a whole number.
    Differences,
    /// The number of a test: a maximum distance without an upper limit.
    Length,
    /// The number of a test: a minimum number of equal things, a whole number.
    Equals,
}

impl ArgumentForm {
    fn letter(&self) -> &'static str {
        match self {
            ArgumentForm::Count { letter, .. }
            | ArgumentForm::CountOr { letter, .. }
            | ArgumentForm::Share { letter, .. }
            | ArgumentForm::Fraction { letter }
            | ArgumentForm::Choice { letter, .. } => letter,
            ArgumentForm::Either { letter, .. } | ArgumentForm::Multiple { letter, .. } => letter,
            ArgumentForm::Grid => "BxR",
            ArgumentForm::Number | ArgumentForm::Distance | ArgumentForm::Differences | ArgumentForm::Length | ArgumentForm::Equals => {
                "NUMBER"
            }
        }
    }

    /// Whether a smaller value means more similar.
    pub(super) fn is_distance(&self) -> bool {
        matches!(self, ArgumentForm::Distance | ArgumentForm::Differences | ArgumentForm::Length)
    }

    /// Returns the range in words: `K, a whole number from 1 to 1024, or auto`.
    pub(super) fn range(&self) -> String {
        let or_auto = |auto: &bool| if *auto { " or auto" } else { "" };
        match self {
            ArgumentForm::Count { letter, least, most, auto } => {
                format!("{letter}, a whole number from {least} to {most}{}", or_auto(auto))
            }
            ArgumentForm::CountOr { letter, least, most, name } => format!("{letter}, a whole number from {least} to {most} or {name}"),
            ArgumentForm::Either { letter, counts } => {
                let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
                format!("{letter}, {}", counts.join(" or "))
            }
            ArgumentForm::Multiple { letter, of, most } => format!("{letter}, a multiple of {of} from {of} to {most}"),
            ArgumentForm::Grid => "BxR, bands x rows as 16x6, or auto".to_owned(),
            ArgumentForm::Fraction { letter } => format!("{letter}, a number from 0 to 1"),
            ArgumentForm::Share { letter, auto } => {
                format!("{letter}, a number above 0 and at most 1{}{}", if *auto { "," } else { "" }, or_auto(auto))
            }
            ArgumentForm::Choice { letter, names } => format!("{letter}, one of {}", names.join(", ")),
            ArgumentForm::Number => "NUMBER above 0 and at most 1, as 0.8 or 4/5".to_owned(),
            ArgumentForm::Distance => "NUMBER from 0 to 1, as 0.2 or 1/5".to_owned(),
            ArgumentForm::Differences => "NUMBER, a whole one from 0 on".to_owned(),
            ArgumentForm::Length => "NUMBER from 0 on, as 3 or 2.5".to_owned(),
            ArgumentForm::Equals => "NUMBER, a whole one from 1 on".to_owned(),
        }
    }

    /// Parses an argument; `None` if the text is not in range.
    pub(super) fn read(&self, text: &str) -> Option<Argument> {
        match self {
            ArgumentForm::Count { auto: true, .. } | ArgumentForm::Grid | ArgumentForm::Share { auto: true, .. } if text == "auto" => {
                Some(Argument::Auto)
            }
            ArgumentForm::CountOr { name, .. } if *name == text => Some(Argument::Name(name)),
            ArgumentForm::Count { least, most, .. } | ArgumentForm::CountOr { least, most, .. } => {
                whole(text).filter(|count| (*least..=*most).contains(count)).map(Argument::Count)
            }
            ArgumentForm::Either { counts, .. } => whole(text).filter(|count| counts.contains(count)).map(Argument::Count),
            ArgumentForm::Multiple { of, most, .. } => {
                whole(text).filter(|count| count.is_multiple_of(*of) && (*of..=*most).contains(count)).map(Argument::Count)
            }
            ArgumentForm::Grid => {
                let (bands, rows) = text.split_once('x')?;
                let grid = BandGrid { bands: whole(bands)?, rows: whole(rows)? };
                (grid.bands > 0 && grid.rows > 0).then_some(Argument::Grid(grid))
            }
            ArgumentForm::Choice { names, .. } => {
                let name = names.iter().find(|name| **name == text)?;
                Some(if text == "auto" { Argument::Auto } else { Argument::Name(name) })
            }
            ArgumentForm::Share { .. }
            | ArgumentForm::Fraction { .. }
            | ArgumentForm::Number
            | ArgumentForm::Distance
            | ArgumentForm::Differences
            | ArgumentForm::Length
            | ArgumentForm::Equals => self.number(text).map(Argument::Share),
        }
    }

    /// Parses the number of a test; `None` if the text is not in range.
    pub(super) fn number(&self, text: &str) -> Option<Ratio> {
        Ratio::parse(text).filter(|number| match self {
            ArgumentForm::Length => true,
            ArgumentForm::Distance | ArgumentForm::Fraction { .. } => *number <= Ratio::ONE,
            ArgumentForm::Differences => number.denominator == 1,
            ArgumentForm::Equals => number.denominator == 1 && *number > Ratio::ZERO,
            _ => *number > Ratio::ZERO && *number <= Ratio::ONE,
        })
    }
}

/// Parses a whole number of ASCII digits, without sign.
pub(super) fn whole(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
