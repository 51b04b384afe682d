//! Counting: the documents of a corpus that contain each term, for a lexicon.

use crate::Result;
use crate::distributed::home::no_home;
use crate::distributed::message::{Message, Outbox, StageName, part_of};
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CountTally, Tally};
use crate::signing::worker::TextTask;
use neardup_core::signing::counting::Counter;
use neardup_text::Text;
use std::collections::{BTreeMap, HashMap};

/// Counts the documents of a home that the pass under way sees.
pub fn count(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (input, unseen) = (inbox.home().ok_or_else(no_home)?, inbox.unseen(task.plan));
    let Some(counts) = task.counts()? else { return Ok(()) };
    let folder = task.folder()?;
    let home = task.open(&input, &TextTask::Note, folder.path())?;
    let (mut counter, mut counted, mut documents) = (Counter::new(counts.counting()), HashMap::<u64, u32>::new(), 0);
    for document in home.documents().filter(|document| !unseen.contains(&document.0)) {
        let text = home.signed.read(document)?;
        counter.read(Text::Plain(text.as_bytes())).iter().for_each(|&term| *counted.entry(term).or_default() += 1);
        documents += 1;
    }
    let parts = task.plan.parts;
    let mut counted: Vec<(u64, u32)> = counted.into_iter().collect();
    counted.sort_unstable();
    outbox.send_all(StageName::Sum, counted, |(term, _)| part_of(*term, parts), Message::Terms)?;
    outbox.hand_on(StageName::Sum, [Tally::Counted(CountTally { documents, ..CountTally::default() })])
}

/// Adds up the counts of the terms of a part.
pub fn sum(inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let mut terms: BTreeMap<u64, u32> = BTreeMap::new();
    inbox.terms.into_iter().for_each(|(term, count)| *terms.entry(term).or_default() += count);
    outbox.hand_on(StageName::Driver, inbox.tallies)?;
    outbox.report(Tally::Counted(CountTally { terms: terms.into_iter().collect(), ..CountTally::default() }))
}
