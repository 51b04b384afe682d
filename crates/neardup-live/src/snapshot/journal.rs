//! The journal of recent steps: the documents that they affected, so that a store can follow the index.

use std::collections::VecDeque;

/// Maximum number of effects in the journal.
const MOST: usize = 1 << 20;

/// The effect of a step on a document, with the document's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentEffect {
    /// It was added.
    Added(String),
    /// It was removed.
    Removed(String),
    /// Its original changed, or the documents that it represents did.
    Changed(String),
}

/// The most recent steps, by number.
#[derive(Clone, Debug, Default)]
pub struct RecentSteps {
    /// The last step that is no longer in the journal.
    forgotten: u64,
    steps: VecDeque<Vec<DocumentEffect>>,
    touches: usize,
}

impl RecentSteps {
    /// Returns an empty journal that begins after step `steps`.
    pub fn new(steps: u64) -> Self {
        RecentSteps { forgotten: steps, ..RecentSteps::default() }
    }

    /// Records the next step.
    pub fn note(&mut self, touched: Vec<DocumentEffect>) {
        self.touches += touched.len();
        self.steps.push_back(touched);
        while self.touches > MOST
            && let Some(first) = self.steps.pop_front()
        {
            self.touches -= first.len();
            self.forgotten += 1;
        }
    }

    /// Returns the effects of all steps after `step`, in order; `None` if the journal does not reach back that far.
    pub fn since(&self, step: u64) -> Option<impl Iterator<Item = &DocumentEffect>> {
        let skipped = step.checked_sub(self.forgotten)?;
        Some(self.steps.iter().skip(usize::try_from(skipped).ok()?).flatten())
    }

    /// Returns this journal, preceded by the earlier steps that `older` contains.
    pub fn continuing(self, mut older: RecentSteps) -> RecentSteps {
        let known = older.forgotten + older.steps.len() as u64;
        if known < self.forgotten || older.forgotten >= self.forgotten {
            return self;
        }
        older.steps.truncate((self.forgotten - older.forgotten) as usize);
        older.touches = older.steps.iter().map(Vec::len).sum();
        self.steps.into_iter().for_each(|touched| older.note(touched));
        older
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(number: u64) -> Vec<DocumentEffect> {
        vec![DocumentEffect::Added(format!("#{number}"))]
    }

    fn since(journal: &RecentSteps, step: u64) -> Option<Vec<String>> {
        let name = |touch: &DocumentEffect| if let DocumentEffect::Added(name) = touch { name.clone() } else { String::new() };
        journal.since(step).map(|touches| touches.map(name).collect())
    }

    #[test]
    fn what_is_forgotten_is_not_told() {
        let mut journal = RecentSteps::new(5);
        (6..9).for_each(|number| journal.note(step(number)));
        assert_eq!(since(&journal, 4), None);
        assert_eq!(since(&journal, 5), Some(vec!["#6".into(), "#7".into(), "#8".into()]));
        assert_eq!(since(&journal, 8), Some(vec![]));
        journal.note(vec![DocumentEffect::Removed(String::new()); MOST]);
        assert_eq!((since(&journal, 7), since(&journal, 8).map(|all| all.len())), (None, Some(MOST)));
    }

    #[test]
    fn an_older_journal_is_continued_where_it_reaches() {
        let mut older = RecentSteps::new(2);
        (3..7).for_each(|number| older.note(step(number)));
        let newer = |from: u64| {
            let mut journal = RecentSteps::new(from);
            (from + 1..9).for_each(|number| journal.note(step(number)));
            journal
        };
        let all: Vec<String> = (3..9).map(|number| format!("#{number}")).collect();
        assert_eq!(since(&newer(5).continuing(older.clone()), 2), Some(all.clone()));
        assert_eq!(since(&newer(6).continuing(older.clone()), 2), Some(all));
        // A step is missing between the two journals.
        assert_eq!(since(&newer(7).continuing(older.clone()), 2), None);
        assert_eq!(since(&newer(7).continuing(older), 7), Some(vec!["#8".into()]));
    }
}
