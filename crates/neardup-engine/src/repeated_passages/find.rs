//! Finding: from the anchors of all texts to the passages.

use super::connection::Connected;
use super::finder::Finder;
use super::found::PassageFindings;
use super::locate::LocatedPassages;
use super::ranks::rank;
use crate::Result;
use crate::checkpoint::stage::LedgerStage;
use crate::job::passage_cuts::PassageCuts;
use crate::progress::ProgressUnit;

impl Finder<'_> {
    /// Finds the passages, their places, and the runs that `cutting` removes from them.
    pub fn found(&self, cutting: PassageCuts) -> Result<PassageFindings> {
        let store = self.store();
        self.ledger.once(LedgerStage::Found(0), store, || {
            let connected = self.connected()?;
            let imaged = self.imaged(&connected, cutting.cut)?;
            let located = self.located(&connected, &imaged, cutting)?;
            self.watch.phase("rank", self.signed.len() as u64, ProgressUnit::Documents, || {
                let Connected { passages, originals, effort, .. } = connected;
                let (repeated, homes) = rank(&originals, &located.originals, &located.later, store, self.budget.room() / 2)?;
                let tokens = self.tokens_of_input()?;
                let LocatedPassages { later: stretches, gaps, changes, repeated_tokens, repeated_documents, .. } = located;
                Ok(PassageFindings {
                    passages,
                    stretches,
                    homes,
                    repeated,
                    gaps,
                    changes,
                    tokens,
                    repeated_tokens,
                    repeated_documents,
                    effort,
                })
            })
        })
    }
}
