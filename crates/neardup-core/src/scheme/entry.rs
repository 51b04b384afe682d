//! Entries: what a scheme may name, one list for each kind of stage.

use super::lists::{FEATURES, KEYS, MEASURES, SIGNATURES, TOKENS};
use super::pass::Pass;
use super::stage::{Argument, Stage};
use crate::error::Error;
use crate::promise::{Grid, Recall};
use crate::ratio::Ratio;

/// The most slots a MinHash signature may have, and so the most bands.
pub(super) const MOST_SLOTS: u64 = 1024;

/// The kinds of stages, in the order of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
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

impl Kind {
    /// All kinds, in the order of a pass.
    pub const ALL: [Kind; 5] = [Kind::Tokens, Kind::Features, Kind::Signature, Kind::Keys, Kind::Measure];

    /// The word for it in messages and tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Tokens => "tokens",
            Kind::Features => "features",
            Kind::Signature => "signature",
            Kind::Keys => "keys",
            Kind::Measure => "measure",
        }
    }

    /// Everything a stage of this kind can be.
    pub fn entries(self) -> &'static [Entry] {
        match self {
            Kind::Tokens => TOKENS,
            Kind::Features => FEATURES,
            Kind::Signature => SIGNATURES,
            Kind::Keys => KEYS,
            Kind::Measure => MEASURES,
        }
    }

    /// The entry of this name, or the sentence that says which there are.
    pub(super) fn find(self, name: &str) -> Result<&'static Entry, String> {
        self.entries().iter().find(|entry| entry.name == name).ok_or_else(|| {
            let written: Vec<String> = self.entries().iter().map(Entry::form).collect();
            format!("there is no `{name}`; there are {}", written.join(", "))
        })
    }
}

/// One thing a stage can be: what a scheme writes, and what `neardup schemes` tells about it.
#[derive(Debug)]
pub struct Entry {
    /// The name in a scheme.
    pub name: &'static str,
    /// Its arguments, all of them needed.
    pub(super) arguments: &'static [Form],
    /// The options it takes.
    pub(super) options: &'static [&'static str],
    /// Keys: the signatures they can be cut from. Measures: the signatures that estimate them with `~`.
    pub(super) signatures: &'static [&'static str],
    /// What else must hold in its pass; the reason when it does not. Arguments may still be `auto`.
    pub(super) check: fn(&Stage, &Pass) -> Result<(), String>,
    /// Keys: what `auto` stands for; the reason when nothing fits.
    pub(super) choose: fn(&Wanted) -> crate::error::Result<Argument>,
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
            options: &[],
            signatures: &[],
            check: |_, _| Ok(()),
            choose: |_| Ok(Argument::Auto),
            meaning: "",
            paper: "",
        }
    }

    /// How it is written: `minhash:K`.
    pub fn form(&self) -> String {
        match self.arguments {
            [] => self.name.to_owned(),
            [Form::Number] => format!("{}>=NUMBER", self.name),
            forms => format!("{}:{}", self.name, forms.iter().map(|form| form.letter()).collect::<Vec<_>>().join(",")),
        }
    }

    /// Its arguments and their ranges, then its options; empty when it has none.
    pub fn arguments(&self) -> String {
        let ranges = self.arguments.iter().map(|form| form.range());
        let options = self.options.iter().map(|option| format!("{option}="));
        ranges.chain(options).collect::<Vec<_>>().join(", ")
    }

    /// Reads all arguments, as many as there are.
    pub(super) fn read(&self, written: &[&str]) -> Result<Vec<Argument>, String> {
        if written.len() != self.arguments.len() {
            return Err(match self.arguments.len() {
                0 => "it takes no argument".to_owned(),
                wanted => format!(
                    "it takes {wanted} argument{}, here are {}: write {} ({})",
                    plural(wanted),
                    written.len(),
                    self.form(),
                    self.arguments()
                ),
            });
        }
        let read = |(form, text): (&Form, &&str)| form.read(text).ok_or_else(|| format!("`{text}` is not {}", form.range()));
        self.arguments.iter().zip(written).map(read).collect()
    }
}

/// What keys are chosen by.
pub(super) struct Wanted<'a> {
    /// The least resemblance of a pair that is wanted.
    pub(super) threshold: Ratio,
    /// How surely it is wanted.
    pub(super) recall: &'a Recall,
    /// The slots of the signature, or the most it may have.
    pub(super) slots: u64,
    /// The keys to choose for.
    pub(super) keys: &'a Stage,
}

impl Wanted<'_> {
    /// That the keys cannot be had, and why.
    pub(super) fn refuse(&self, reason: &str) -> Error {
        Error::Promise {
            threshold: self.threshold.to_string(),
            recall: self.recall.to_string(),
            reason: format!("`{}`: {reason}", self.keys),
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// What an argument is and what it may be.
#[derive(Debug)]
pub(super) enum Form {
    /// A whole number in a range.
    Count { letter: &'static str, least: u64, most: u64, auto: bool },
    /// `BxR`.
    Grid,
    /// A ratio above 0, at most 1.
    Share { letter: &'static str },
    /// The number of a test: a ratio above 0, at most 1.
    Number,
}

impl Form {
    fn letter(&self) -> &'static str {
        match self {
            Form::Count { letter, .. } | Form::Share { letter } => letter,
            Form::Grid => "BxR",
            Form::Number => "NUMBER",
        }
    }

    /// The range in words: `K, a whole number from 1 to 1024, or auto`.
    pub(super) fn range(&self) -> String {
        match self {
            Form::Count { letter, least, most, auto } => {
                format!("{letter}, a whole number from {least} to {most}{}", if *auto { " or auto" } else { "" })
            }
            Form::Grid => "BxR, bands x rows as 16x6, or auto".to_owned(),
            Form::Share { letter } => format!("{letter}, a number above 0 and at most 1, or auto"),
            Form::Number => "NUMBER above 0 and at most 1, as 0.8 or 4/5".to_owned(),
        }
    }

    /// The argument, when the text is one in range.
    pub(super) fn read(&self, text: &str) -> Option<Argument> {
        let share = || Ratio::parse(text).filter(|ratio| *ratio > Ratio::ZERO && *ratio <= Ratio::ONE).map(Argument::Share);
        match self {
            Form::Count { auto: true, .. } | Form::Grid | Form::Share { .. } if text == "auto" => Some(Argument::Auto),
            Form::Count { least, most, .. } => whole(text).filter(|count| (*least..=*most).contains(count)).map(Argument::Count),
            Form::Grid => {
                let (bands, rows) = text.split_once('x')?;
                let grid = Grid { bands: whole(bands)?, rows: whole(rows)? };
                (grid.bands > 0 && grid.rows > 0).then_some(Argument::Grid(grid))
            }
            Form::Share { .. } | Form::Number => share(),
        }
    }
}

/// A whole number of ASCII digits, without sign.
pub(super) fn whole(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Everything a scheme may name, kind by kind: the table `neardup schemes` prints.
pub fn table() -> impl Iterator<Item = (Kind, &'static Entry)> {
    Kind::ALL.into_iter().flat_map(|kind| kind.entries().iter().map(move |entry| (kind, entry)))
}
