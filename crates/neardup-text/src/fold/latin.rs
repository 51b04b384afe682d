//! Latin letters that old prints use for each other.

use super::{Fold, Folding};

pub(super) const FOLD: Fold = Fold {
    name: "latin",
    meaning: "v is u, j is i, æ is ae, œ is oe",
    ascii: "vVjJ",
    apply: |_, c| {
        Folding::Text(match c {
            'v' => "u",
            'V' => "U",
            'j' => "i",
            'J' => "I",
            'æ' => "ae",
            'Æ' => "AE",
            'œ' => "oe",
            'Œ' => "OE",
            _ => return Folding::Same,
        })
    },
};
