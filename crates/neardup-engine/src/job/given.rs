//! The kind of values that the text field contains when they are made elsewhere.

use crate::{Error, Result};
use neardup_core::features::Features;
use neardup_core::pass::compiled::CompiledPass;
use neardup_corpus::GivenKind;

/// Returns the kind of given values that the text field must contain for the tokens and features of all passes; `None` if it
/// contains texts.
pub fn given(passes: &[CompiledPass]) -> Result<Option<GivenKind>> {
    let of_pass = |pass: &CompiledPass| match (pass.rules.unit, &pass.features) {
        (neardup_text::Unit::Given, Features::Bits(bits)) => Some(GivenKind::Fingerprint(bits.bits / 64)),
        (neardup_text::Unit::Given, _) => Some(GivenKind::Features),
        _ => None,
    };
    let first = of_pass(&passes[0]);
    match passes.iter().position(|pass| of_pass(pass) != first) {
        None => Ok(first),
        Some(other) => Err(Error::Usage(format!(
            "scheme: the text field holds one kind of values, and pass {} wants others than pass 1: write `given` with the same features in all passes, or in none",
            other + 1
        ))),
    }
}
