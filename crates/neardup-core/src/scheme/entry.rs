//! Entries: what a scheme may name, one list for each kind of stage.

use super::pass::Pass;
use super::stage::{Argument, Stage};
use crate::error::Error;
use crate::estimates::Estimate;
use crate::keys::promise::{BandGrid, Chance, Promise, RecallPromise};
use crate::measures::Bound;
use crate::util::ratio::Ratio;

/// The most slots a MinHash signature may have, and so the most bands.
pub(super) const MOST_SLOTS: u64 = 1024;
/// The most values a sample of a fixed size, or one of this many features, may be asked for.
pub(super) const MOST_SAMPLE: u64 = 65_536;

/// What keys of sampled features promise.
const BY_CHANCE: &str =
    "a pair is found when it shares a sampled feature: of k shared ones, each is sampled by chance, so short texts are missed";

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

    /// The word for it in messages and tables.
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

/// One thing a stage can be: what a scheme writes, and what `neardup schemes` says about it.
#[derive(Debug)]
pub struct Entry {
    /// The name in a scheme.
    pub name: &'static str,
    /// Its arguments.
    pub(super) arguments: &'static [ArgumentForm],
    /// What the last of them are when they are not written.
    pub(super) defaults: &'static [Argument],
    /// The options it takes.
    pub(super) options: &'static [&'static str],
    /// Measures: what it is compared with; None is for one alone.
    pub(super) number: Option<ArgumentForm>,
    /// Keys: the signatures they can be cut from. Measures: the signatures that estimate them, with `~`, or that they
    /// measure.
    pub(super) signatures: &'static [&'static str],
    /// Features, signatures: two that are equal may come from what differs. Measures: it measures signatures, so that it
    /// is always an estimate and written without `~`.
    pub(crate) lossy: bool,
    /// Keys: each value of the signature is one, rather than a run or a block of them.
    pub(super) by_value: bool,
    /// Keys: they propose every pair that the measure accepts.
    pub(super) complete: bool,
    /// Features: they were made elsewhere, and are cut from no tokens.
    pub(super) made_elsewhere: bool,
    /// Features: they are chosen by their weights, so that a signature of sets heeds these.
    pub(super) chosen_by_weight: bool,
    /// Signatures: it sums up the weights of the features.
    pub(super) sums: bool,
    /// Signatures: it is a sample of the features.
    pub(super) sample: bool,
    /// Signatures: how many values a document has at most; None where that depends on its features.
    pub(super) most_values: fn(&Stage) -> Option<u64>,
    /// Signatures: what keys of single values promise, where neither an estimate nor a chance says more.
    pub(super) shared_value: fn(&Pass) -> Promise,
    /// Signatures: the chance by which such keys find a pair; None where it does not follow from the resemblance alone.
    pub(super) chance: fn(&Stage) -> Option<Chance>,
    /// Signatures: how far off an estimate by its values is, in a sentence.
    pub(super) accuracy: fn(&Stage) -> Option<String>,
    /// Signatures: how its values estimate a measure, and the bound that the estimate has to meet; None where they do not.
    pub(crate) estimate: fn(&Stage, &str, Bound) -> Option<(Estimate, Bound)>,
    /// Features: what to change when many documents have none.
    pub(super) remedy: &'static str,
    /// What else must hold in its pass; the reason when it does not. Arguments may still be `auto`.
    pub(super) check: fn(&Stage, &Pass) -> Result<(), String>,
    /// Keys: what `auto` represents; the reason when nothing fits.
    pub(super) choose: fn(&KeyTarget) -> crate::error::Result<Argument>,
    /// What it is, in one line.
    pub meaning: &'static str,
    /// Where it was published; empty when it needs no paper.
    pub paper: &'static str,
}

impl Entry {
    /// An entry with only a name, to be filled in.
    pub(super) const fn new(name: &'static str) -> Entry {
        Entry {
            name,
            arguments: &[],
            defaults: &[],
            options: &[],
            number: None,
            signatures: &[],
            lossy: false,
            by_value: false,
            complete: false,
            made_elsewhere: false,
            chosen_by_weight: false,
            sums: false,
            sample: false,
            most_values: |_| None,
            shared_value: |_| Promise::Nothing(BY_CHANCE),
            chance: |_| None,
            accuracy: |_| None,
            estimate: |_, _, _| None,
            remedy: "choose other features",
            check: |_, _| Ok(()),
            choose: |_| Ok(Argument::Auto),
            meaning: "",
            paper: "",
        }
    }

    /// How it is written: `minhash:K`, `resemblance>=NUMBER`.
    pub fn form(&self) -> String {
        let letters: Vec<&str> = self.arguments.iter().map(ArgumentForm::letter).collect();
        let colon = if letters.is_empty() { "" } else { ":" };
        let number = self.number.as_ref().map_or("", |number| if number.is_distance() { "<=NUMBER" } else { ">=NUMBER" });
        format!("{}{colon}{}{number}", self.name, letters.join(","))
    }

    /// Its arguments and their ranges, then its number, then its options; empty when it has none.
    pub fn arguments(&self) -> String {
        let ranges = self.arguments.iter().chain(&self.number).map(ArgumentForm::range);
        let options = self.options.iter().map(|option| format!("{option}="));
        ranges.chain(options).collect::<Vec<_>>().join(", ")
    }

    /// Reads all arguments, as many as there are; those that have a default may be left out.
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

/// What keys are chosen by.
pub(super) struct KeyTarget<'a> {
    /// The pass they belong to.
    pub(super) pass: &'a Pass,
    /// How surely a pair at the threshold is wanted.
    pub(super) recall: &'a RecallPromise,
    /// The slots of the signature, or the most it may have.
    pub(super) slots: u64,
    /// The keys to choose for.
    pub(super) keys: &'a Stage,
}

impl KeyTarget<'_> {
    /// The least resemblance of a pair that is wanted; an error when there is none.
    pub(super) fn threshold(&self) -> crate::error::Result<Ratio> {
        let missing = "auto is chosen by a resemblance threshold, and the measure has none: write the number";
        self.pass.threshold().ok_or_else(|| self.refuse(missing))
    }

    /// That the keys cannot be had, and why.
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

/// What an argument or the number of a test is, and what it may be.
#[derive(Debug)]
pub(super) enum ArgumentForm {
    /// A whole number in a range.
    Count { letter: &'static str, least: u64, most: u64, auto: bool },
    /// One of a few whole numbers.
    Either { letter: &'static str, counts: &'static [u64] },
    /// A whole multiple of a number, as far as another.
    Multiple { letter: &'static str, of: u64, most: u64 },
    /// `BxR`.
    Grid,
    /// A whole number in a range, or a name that represents more than any.
    CountOr { letter: &'static str, least: u64, most: u64, name: &'static str },
    /// A ratio above 0, at most 1.
    Share { letter: &'static str, auto: bool },
    /// A ratio from 0 to 1.
    Fraction { letter: &'static str },
    /// One of a few names; `auto` among them is chosen when the scheme is resolved.
    Choice { letter: &'static str, names: &'static [&'static str] },
    /// The number of a test: a ratio above 0, at most 1.
    Number,
    /// The number of a test: how far apart at most, a ratio from 0 to 1.
    Distance,
    /// The number of a test: how many things differ at most, in whole numbers.
    Differences,
    /// The number of a test: how far apart at most, without an upper end.
    Length,
    /// The number of a test: how many things are equal at least, in whole numbers.
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

    /// Whether less of it means more alike.
    pub(super) fn is_distance(&self) -> bool {
        matches!(self, ArgumentForm::Distance | ArgumentForm::Differences | ArgumentForm::Length)
    }

    /// The range in words: `K, a whole number from 1 to 1024, or auto`.
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

    /// The argument, when the text is one in range.
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

    /// The number of a test, when the text is one in range.
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

/// A whole number of ASCII digits, without sign.
pub(super) fn whole(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
