//! The options of a stage.

use super::entry::{MOST_SLOTS, whole};
use super::frame::Frame;
use super::pass::Pass;
use super::seed::Seed;
use super::stage::Stage;
use super::words::WordList;
use crate::keys::OverCap;
use neardup_text::{Comments, Folds, Unit};
use std::fmt;
use std::path::{Path, PathBuf};

/// Options with their defaults; only those that differ from their defaults are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemeOptions {
    matches: u64,
    cap: Option<u64>,
    over: OverCap,
    of: Option<Unit>,
    pub(super) seed: Seed,
    weight: Weight,
    hash: FeatureHash,
    frame: Option<Frame>,
    antecedents: WordList,
    folds: Folds,
    signs: bool,
    comments: Comments,
}

impl Default for SchemeOptions {
    fn default() -> SchemeOptions {
        SchemeOptions {
            matches: 1,
            cap: None,
            over: OverCap::Star,
            of: None,
            seed: Seed::default(),
            weight: Weight::One,
            hash: FeatureHash::Mix,
            frame: None,
            antecedents: WordList::default(),
            folds: Folds::default(),
            signs: false,
            comments: Comments::default(),
        }
    }
}

/// Weight of a feature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// All features weigh the same.
    #[default]
    One,
    /// The number of its occurrences in the document.
    Frequency,
    /// Its rarity, from a lexicon: a file, or [`CORPUS`].
    Rarity(PathBuf),
}

/// Hash function from shingles to features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeatureHash {
    /// 64 bits of a multilinear hash, mixed.
    #[default]
    Mix,
    /// Rabin's fingerprint of 40 bits, mixed.
    Rabin,
}

/// Name of the lexicon of the run's own documents; a file with this name is written `./corpus`.
pub const CORPUS: &str = "corpus";

impl Weight {
    /// Whether it comes from a lexicon that the run counts itself.
    pub fn is_counted(&self) -> bool {
        matches!(self, Weight::Rarity(path) if path.as_os_str() == CORPUS)
    }
}

impl SchemeOptions {
    /// `match=`: the minimum number of keys that two documents must share; 1 by default.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// `cap=`: a key of more documents is capped, 2 to 2^32 - 1; if it is missing, the run chooses.
    pub fn cap(&self) -> Option<u64> {
        self.cap
    }

    /// `over=`: the effect of capping; by default `star`, which compares the documents of the key with its first ones only.
    pub fn over(&self) -> OverCap {
        self.over
    }

    /// Whether a key above the cap proposes no pair.
    pub fn drops_capped(&self) -> bool {
        self.cap.is_some() && self.over == OverCap::Drop
    }

    /// `of=`: the unit whose single tokens a signature signs; `None` if it signs the features of the pass.
    pub fn of(&self) -> Option<Unit> {
        self.of
    }

    /// `seed=`: the source of randomness for every hash of the pass; the public seed by default.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// `weight=`: the weight of a feature; 1 by default.
    pub fn weight(&self) -> Weight {
        self.weight.clone()
    }

    /// `hash=`: the hash function from shingles to features; mix by default.
    pub fn hash(&self) -> FeatureHash {
        self.hash
    }

    /// `frame=`: the shingles that are ignored; none by default.
    pub fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// `antecedents=`: the words at which spots begin, and those that chains skip; `en` by default.
    pub fn antecedents(&self) -> &WordList {
        &self.antecedents
    }

    /// `fold=`: the spellings that are made equal before a text is cut; none by default.
    pub fn folds(&self) -> Folds {
        self.folds
    }

    /// `signs=`: whether signs are tokens beside words; by default they are not.
    pub fn signs(&self) -> bool {
        self.signs
    }

    /// `comments=`: the comments of source code that are left out; none by default.
    pub fn comments(&self) -> Comments {
        self.comments
    }

    /// Returns the files that the options name.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let seed = if let Seed::File(path) = &self.seed { Some(path) } else { None };
        let weight = if let Weight::Rarity(path) = &self.weight { Some(path).filter(|_| !self.weight.is_counted()) } else { None };
        let frame = if let Some(Frame::File(path)) = &self.frame { Some(path) } else { None };
        let words = if let WordList::File(path) = &self.antecedents { Some(path) } else { None };
        [seed, weight, frame, words].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Parses words of the form `name=value` with names from `allowed`; the error says what is allowed.
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str>, allowed: &[&str]) -> Result<SchemeOptions, String> {
        let mut options = SchemeOptions::default();
        let mut seen = Vec::new();
        for word in words {
            let Some((name, value)) = word.split_once('=') else {
                return Err(format!("`{word}` is no option: options are written name=value"));
            };
            if !allowed.contains(&name) {
                return Err(unknown(name, allowed));
            }
            if seen.contains(&name) {
                return Err(format!("{name}= is written twice"));
            }
            seen.push(name);
            options.set(name, value)?;
        }
        if seen.contains(&"over") && options.cap.is_none() {
            return Err("over= says what happens to keys above cap=: write cap=NUMBER too".to_owned());
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let count = |least: u64, most: u64| {
            let value = whole(value).filter(|count| (least..=most).contains(count));
            value.ok_or_else(|| format!("{name}= is a whole number from {least} to {most}"))
        };
        match name {
            "match" => self.matches = count(1, MOST_SLOTS)?,
            "cap" => self.cap = Some(count(2, u64::from(u32::MAX))?),
            "over" => self.over = read_over(value)?,
            "of" => self.of = Some(value.parse().map_err(|_| format!("of= is a unit: {}", Unit::ALL.map(Unit::name).join(", ")))?),
            "seed" => self.seed = Seed::read(value)?,
            "hash" => self.hash = read_hash(value)?,
            "frame" => self.frame = Some(Frame::read(value)?),
            "fold" => self.folds = value.parse()?,
            "signs" if value == "keep" => self.signs = true,
            "signs" => return Err("signs= is keep (signs are tokens beside words); without it words alone are compared".to_owned()),
            "comments" => self.comments = value.parse()?,
            "antecedents" => self.antecedents = WordList::read(value)?,
            _ => self.weight = read_weight(value)?,
        }
        Ok(())
    }
}

fn unknown(name: &str, allowed: &[&str]) -> String {
    let listed: Vec<String> = allowed.iter().map(|option| format!("{option}=")).collect();
    if listed.is_empty() {
        format!("it takes no options, here is `{name}=`")
    } else {
        format!("it takes {}, not `{name}=`", listed.join(", "))
    }
}

fn read_over(value: &str) -> Result<OverCap, String> {
    match value {
        "drop" => Ok(OverCap::Drop),
        "star" => Ok(OverCap::Star),
        _ => Err("over= is drop (the key proposes no pair) or star (its documents are compared with the first ones only)".to_owned()),
    }
}

fn read_hash(value: &str) -> Result<FeatureHash, String> {
    match value {
        "mix" => Ok(FeatureHash::Mix),
        "rabin" => Ok(FeatureHash::Rabin),
        _ => Err("hash= is mix (64 bits) or rabin (40 bits, by Rabin's fingerprint)".to_owned()),
    }
}

fn read_weight(value: &str) -> Result<Weight, String> {
    match (value, value.strip_prefix("idf:")) {
        ("1", _) => Ok(Weight::One),
        ("tf", _) => Ok(Weight::Frequency),
        (_, Some(path)) if !path.is_empty() => Ok(Weight::Rarity(PathBuf::from(path))),
        _ => Err("weight= is 1, tf, idf:corpus or idf:FILE".to_owned()),
    }
}

/// For signatures of sets: returns an error if the features of the pass have weights by which they were not selected.
pub(super) fn refuse_weights(signature: &Stage, pass: &Pass) -> Result<(), String> {
    if signature.options().of().is_some() {
        return Ok(());
    }
    match pass.features().options().weight() {
        Weight::One => Ok(()),
        _ if pass.features().are_chosen_by_weight() => Ok(()),
        weight => Err(format!("it signs sets, where every feature counts alike; take weight={weight} out")),
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Weight::One => out.write_str("1"),
            Weight::Frequency => out.write_str("tf"),
            Weight::Rarity(path) => write!(out, "idf:{}", path.display()),
        }
    }
}

impl fmt::Display for SchemeOptions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.matches != 1 {
            write!(out, " match={}", self.matches)?;
        }
        if let Some(cap) = self.cap {
            let over = match self.over {
                OverCap::Drop => "drop",
                OverCap::Star => "star",
            };
            write!(out, " cap={cap} over={over}")?;
        }
        if let Some(unit) = self.of {
            write!(out, " of={unit}")?;
        }
        if self.seed != Seed::default() {
            write!(out, " seed={}", self.seed)?;
        }
        if self.weight != Weight::One {
            write!(out, " weight={}", self.weight)?;
        }
        if self.hash == FeatureHash::Rabin {
            out.write_str(" hash=rabin")?;
        }
        if let Some(frame) = &self.frame {
            write!(out, " frame={frame}")?;
        }
        if self.antecedents != WordList::default() {
            write!(out, " antecedents={}", self.antecedents)?;
        }
        if !self.folds.is_empty() {
            write!(out, " fold={}", self.folds)?;
        }
        if self.signs {
            out.write_str(" signs=keep")?;
        }
        if !self.comments.is_empty() {
            write!(out, " comments={}", self.comments)?;
        }
        Ok(())
    }
}
