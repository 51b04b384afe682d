//! Stages: the steps that a run can resume, in order.

use crate::Result;
use crate::job::lexicons;
use neardup_core::scheme::Scheme;

/// A stage with an entry in the ledger. A stage of a pass contains the number of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerStage {
    /// Every document is read and its terms are counted, for passes that need counts.
    Counted(usize),
    /// Every document is read and signed.
    Signed(usize),
    /// Copies are set aside and keys are arranged.
    Arranged(usize),
    /// The N-grams of all places with a shared anchor are fingerprinted.
    Fingerprinted,
    /// Passages and their originals are found.
    Connected,
    /// The earlier places of the pieces that can be cut are found.
    Imaged,
    /// Passages are located in their texts, and the cuts are chosen.
    Located,
    /// The decisions, components, pairs or passages of this pass and those before are found.
    Found(usize),
    /// The requested pairs of a finished run are chosen.
    Chosen,
    /// Tables and kept documents are written.
    Written,
}

impl LedgerStage {
    /// Returns the stages of a scheme.
    pub fn all(scheme: &Scheme) -> Result<Vec<LedgerStage>> {
        let mut stages = Vec::new();
        for (number, pass) in scheme.passes().iter().enumerate() {
            stages.extend(lexicons::to_count(pass)?.map(|_| LedgerStage::Counted(number)));
            stages.extend([LedgerStage::Signed(number), LedgerStage::Arranged(number), LedgerStage::Found(number)]);
        }
        stages.push(LedgerStage::Written);
        Ok(stages)
    }

    /// Returns the stages of a run that finds repeated passages.
    pub fn of_repeats() -> Vec<LedgerStage> {
        use LedgerStage::*;
        vec![Signed(0), Arranged(0), Fingerprinted, Connected, Imaged, Located, Found(0), Written]
    }

    /// Returns the name of its file, without extension.
    pub fn name(self) -> String {
        let (name, number) = match self {
            LedgerStage::Counted(number) => ("counted", number),
            LedgerStage::Signed(number) => ("signed", number),
            LedgerStage::Arranged(number) => ("arranged", number),
            LedgerStage::Fingerprinted => ("fingerprinted", 0),
            LedgerStage::Connected => ("connected", 0),
            LedgerStage::Imaged => ("imaged", 0),
            LedgerStage::Located => ("looked", 0),
            LedgerStage::Found(number) => ("found", number),
            LedgerStage::Chosen => ("chosen", 0),
            LedgerStage::Written => ("written", 0),
        };
        if number == 0 { name.to_owned() } else { format!("{name}-{}", number + 1) }
    }
}
