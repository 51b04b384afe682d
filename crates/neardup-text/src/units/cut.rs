//! The tokens of a text in its normal form, for units that are not cut by the scan.

use std::ops::Range;

use crate::units::rules::TokenRules;
use crate::units::unit::Unit;
use crate::units::{code, words};

/// Calls `emit` with the byte range of every token of `normal`, a text in the form of the rules, for a unit of words or code.
pub(crate) fn each_token(rules: TokenRules, normal: &str, emit: impl FnMut(Range<usize>)) {
    if rules.unit == Unit::Code { code::each_token(rules.comments, normal, emit) } else { words::each_token(rules, normal, emit) }
}
