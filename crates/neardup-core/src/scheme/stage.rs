//! One stage of a pass: a name, its arguments, its options.

use super::entry::Entry;
use super::facts::MakeContext;
use super::options::SchemeOptions;
use super::pass::Pass;
use crate::Result;
use crate::estimates::Estimate;
use crate::features::Features;
use crate::keys::Keys;
use crate::keys::promise::BandGrid;
use crate::measures::Bound;
use crate::signatures::Signature;
use crate::util::ratio::Ratio;
use std::fmt;

/// A stage of a scheme, checked against the list of its kind.
#[derive(Clone, Debug)]
pub struct Stage {
    pub(super) entry: &'static Entry,
    pub(super) args: Vec<Argument>,
    pub(super) options: SchemeOptions,
}

impl Stage {
    /// Returns the name, from the list of its kind.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Returns the arguments, in the forms and ranges of its entry, or [`Argument::Auto`].
    pub fn args(&self) -> &[Argument] {
        &self.args
    }

    /// Whether equal values may come from different inputs.
    pub(super) fn is_lossy(&self) -> bool {
        self.entry.lossy
    }

    /// Whether each value of the signature is a key.
    pub(super) fn is_by_value(&self) -> bool {
        self.entry.key_facts.by_value
    }

    /// Whether these keys propose every pair that the measure accepts; false while their threshold is `auto`.
    pub(super) fn is_complete(&self) -> bool {
        self.entry.key_facts.complete && self.args.first() != Some(&Argument::Auto)
    }

    /// Whether these features were made elsewhere.
    pub(super) fn are_made_elsewhere(&self) -> bool {
        self.entry.feature_facts.made_elsewhere
    }

    /// Whether these features are selected by their weights.
    pub(super) fn are_chosen_by_weight(&self) -> bool {
        self.entry.feature_facts.chosen_by_weight
    }

    /// Whether this signature sums up the weights of the features.
    pub(super) fn sums(&self) -> bool {
        self.entry.signature_facts.sums
    }

    /// Returns the maximum number of values of this signature in a document; `None` if it depends on the features.
    pub(super) fn most_values(&self) -> Option<u64> {
        (self.entry.signature_facts.most_values)(self)
    }

    /// Returns what to change if many documents have none of these features.
    pub fn remedy(&self) -> &'static str {
        if self.options.frame().is_some() {
            "write a greater frame=, or none: what hosts repeat is left out"
        } else {
            self.entry.feature_facts.remedy
        }
    }

    /// Returns the first argument if it is a count.
    pub(crate) fn count(&self) -> Option<u64> {
        match self.args.first() {
            Some(&Argument::Count(count)) => Some(count),
            _ => None,
        }
    }

    /// Returns how the values of this signature estimate a measure, and the bound that the estimate must meet.
    pub(crate) fn estimate(&self, measure: &str, bound: Bound) -> Option<(Estimate, Bound)> {
        (self.entry.signature_facts.estimate)(self, measure, bound)
    }

    /// These features, ready to run; `None` while an argument is `auto`.
    ///
    /// # Errors
    /// [`crate::Error::File`] for a list of antecedents that cannot be used.
    pub(crate) fn make_features(&self, context: &MakeContext<'_>) -> Result<Option<Features>> {
        (self.entry.feature_facts.make)(self, context)
    }

    /// This signature, ready to run; `None` while an argument is `auto`.
    pub(crate) fn make_signature(&self, context: &MakeContext<'_>) -> Option<Signature> {
        (self.entry.signature_facts.make)(self, context)
    }

    /// These keys, ready to be cut from the first signature of `pass`; `None` while an argument is `auto`.
    pub(crate) fn make_keys(&self, pass: &Pass, signature: &Signature) -> Option<Keys> {
        (self.entry.key_facts.make)(self, pass, signature)
    }

    /// Returns the options, with their defaults.
    pub fn options(&self) -> &SchemeOptions {
        &self.options
    }

    /// Whether an argument is still `auto`.
    pub fn is_auto(&self) -> bool {
        self.args.contains(&Argument::Auto)
    }
}

impl PartialEq for Stage {
    fn eq(&self, other: &Stage) -> bool {
        self.name() == other.name() && self.args == other.args && self.options == other.options
    }
}

impl Eq for Stage {}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())?;
        list(out, &self.args)?;
        self.options.fmt(out)
    }
}

/// Writes arguments after a name.
pub(super) fn list(out: &mut fmt::Formatter<'_>, args: &[Argument]) -> fmt::Result {
    args.iter().enumerate().try_for_each(|(at, argument)| write!(out, "{}{argument}", if at == 0 { ':' } else { ',' }))
}

/// The value of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value that is chosen from threshold and recall.
    Auto,
    /// A whole number, as the W of `shingles:W`.
    Count(u64),
    /// The BxR of `bands:BxR`.
    Grid(BandGrid),
    /// A ratio in (0, 1], as the TAU of `prefix:TAU`.
    Share(Ratio),
    /// One of the names that its form lists.
    Name(&'static str),
}

impl fmt::Display for Argument {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Auto => out.write_str("auto"),
            Argument::Count(count) => count.fmt(out),
            Argument::Grid(grid) => grid.fmt(out),
            Argument::Share(ratio) => ratio.fmt(out),
            Argument::Name(name) => name.fmt(out),
        }
    }
}
