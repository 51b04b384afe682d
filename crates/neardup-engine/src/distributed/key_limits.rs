//! Limits of keys: how many documents may share one.

use neardup_core::keys::KeyKind;
use neardup_core::pass::compiled::CompiledPass;

/// Numbers of documents above which a key of one table is treated differently.
#[derive(Clone, Copy, Debug)]
pub struct KeyLimits {
    /// Maximum number of documents of a key that is not capped; `None` without a cap.
    pub cap: Option<u32>,
    /// Whether capped keys are dropped.
    pub drops: bool,
}

impl KeyLimits {
    /// Returns the limits of all tables of a pass.
    pub fn of(pass: &CompiledPass) -> Vec<KeyLimits> {
        let of_kind = |kind: &KeyKind| std::iter::repeat_n(KeyLimits { cap: kind.cap, drops: kind.drops() }, kind.keys.tables());
        pass.kinds.iter().flat_map(of_kind).collect()
    }
}
