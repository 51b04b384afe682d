//! Stages: what a run can take up again, in the order they are made.

use crate::Result;
use crate::job::lexicons;
use neardup_core::scheme::Scheme;

/// What is left in the ledger; stages of a pass carry its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerStage {
    /// Every document read and its terms counted, by passes that say so.
    Counted(usize),
    /// Every document read and signed.
    Signed(usize),
    /// Copies set aside, keys arranged.
    Arranged(usize),
    /// The N-grams of all places that share an anchor.
    Fingerprinted,
    /// Passages and their originals.
    Connected,
    /// Where the pieces that can go are at an earlier place.
    Imaged,
    /// Where passages are in their texts, and what is cut.
    Looked,
    /// Decisions, components, pairs or passages, of this pass and those before.
    Found(usize),
    /// The pairs of a finished run that are asked for.
    Chosen,
    /// Tables and kept documents.
    Written,
}

impl LedgerStage {
    /// Those of a scheme.
    pub fn all(scheme: &Scheme) -> Result<Vec<LedgerStage>> {
        let mut stages = Vec::new();
        for (number, pass) in scheme.passes().iter().enumerate() {
            stages.extend(lexicons::to_count(pass)?.map(|_| LedgerStage::Counted(number)));
            stages.extend([LedgerStage::Signed(number), LedgerStage::Arranged(number), LedgerStage::Found(number)]);
        }
        stages.push(LedgerStage::Written);
        Ok(stages)
    }

    /// Those of a run that finds repeated passages.
    pub fn of_repeats() -> Vec<LedgerStage> {
        use LedgerStage::*;
        vec![Signed(0), Arranged(0), Fingerprinted, Connected, Imaged, Looked, Found(0), Written]
    }

    /// The name of its file, without an ending.
    pub fn name(self) -> String {
        let (name, number) = match self {
            LedgerStage::Counted(number) => ("counted", number),
            LedgerStage::Signed(number) => ("signed", number),
            LedgerStage::Arranged(number) => ("arranged", number),
            LedgerStage::Fingerprinted => ("fingerprinted", 0),
            LedgerStage::Connected => ("connected", 0),
            LedgerStage::Imaged => ("imaged", 0),
            LedgerStage::Looked => ("looked", 0),
            LedgerStage::Found(number) => ("found", number),
            LedgerStage::Chosen => ("chosen", 0),
            LedgerStage::Written => ("written", 0),
        };
        if number == 0 { name.to_owned() } else { format!("{name}-{}", number + 1) }
    }
}
