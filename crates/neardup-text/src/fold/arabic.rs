//! Arabic letters that are written for each other.

use super::{Fold, Folding};

pub(super) const FOLD: Fold = Fold {
    name: "arabic",
    meaning: "alef with madda, hamza or wasla is alef (ا); alef maksura (ى) and Farsi yeh (ی) are ya (ي); ta marbuta (ة) is ha (ه)",
    ascii: "",
    apply: |context, c| match c {
        'ٱ' => Folding::Text("ا"),
        'ى' | 'ی' => Folding::Text("ي"),
        'ة' => Folding::Text("ه"),
        // The text is decomposed: madda, hamza above and hamza below follow the alef.
        '\u{653}'..='\u{655}' if matches!(context.base, Some('ا' | 'ٱ')) => Folding::Text(""),
        _ => Folding::Same,
    },
};
