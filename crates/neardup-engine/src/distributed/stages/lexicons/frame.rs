//! Frames: the shingles that too many documents of one host contain, found from a sample of its texts.

use crate::Result;
use crate::distributed::home::no_home;
use crate::distributed::message::{DocNumber, Message, Outbox, SampledPage, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CountTally, Tally};
use crate::job::lexicons::LexiconTask;
use crate::signing::worker::TextTask;
use neardup_core::signing::counting::Counter;
use neardup_core::signing::hosts::{Host, HostPage, frame as frame_of, group, large, merge};
use neardup_core::util::ids::DocId;
use neardup_corpus::host_name;
use neardup_text::Text;
use std::collections::BTreeMap;

/// Sends the documents of a home that the pass under way sees, and that have a host, to the parts of their texts.
pub fn hosts(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (input, unseen) = (inbox.home().ok_or_else(no_home)?, inbox.unseen(task.plan));
    let folder = task.folder()?;
    let home = task.open(&input, &TextTask::Digest, folder.path())?;
    let texts = home.signed.segments[0].column(|segment| segment.raw)?;
    let documents: Vec<DocId> = home.documents().filter(|document| !unseen.contains(&document.0)).collect();
    let mut pages: Vec<HostPage<DocNumber>> = Vec::new();
    for (document, origin) in documents.iter().zip(home.signed.catalogue.origins(&documents)?) {
        if let Some(name) = origin.url.as_deref().and_then(host_name) {
            let host = Text::Plain(name.as_bytes()).digest() as u64;
            pages.push(HostPage { host, text: texts[document.index()] as u64, document: DocNumber::new(input.split.number, document.0) });
        }
    }
    let (hosted, seen) = (pages.len() as u64, documents.len() as u64);
    let parts = task.plan.parts;
    outbox.send_all(StageName::Texts, pages, |page| part_of(page.text, parts), Message::Pages)?;
    outbox.hand_on(StageName::Texts, [Tally::Counted(CountTally { hosted, seen, ..CountTally::default() })])
}

/// Samples the texts of a part, host by host.
pub fn texts(plan: &Plan, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    outbox.hand_on(StageName::Sample, std::mem::take(&mut inbox.tallies))?;
    outbox.send_all(StageName::Sample, group(inbox.host_pages), |host| part_of(host.host, plan.parts), Message::Hosts)
}

/// Samples the hosts of a part, and orders the shingles of the sampled documents at their homes.
pub fn sample(mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    outbox.hand_on(StageName::Shingles, std::mem::take(&mut inbox.tallies))?;
    let pages = |Host { host, texts, sample }: Host<DocNumber>| {
        let sampled = sample.len() as u32;
        let page =
            move |page: HostPage<DocNumber>| (page.document.home(), SampledPage { host, texts, sampled, place: page.document.place() });
        sample.into_iter().map(page)
    };
    let pages = large(merge(inbox.hosts)).into_iter().flat_map(pages);
    let message = |pages: Vec<(u32, SampledPage)>| Message::Sampled(pages.into_iter().map(|(_, page)| page).collect());
    outbox.send_all(StageName::Shingles, pages, |(home, _)| *home, message)
}

/// Makes the shingles of the sampled documents of a home.
pub fn shingles(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    outbox.hand_on(StageName::Frame, std::mem::take(&mut inbox.tallies))?;
    let input = inbox.home().ok_or_else(no_home)?;
    let Some(counts) = task.counts()?.filter(|_| !inbox.sampled.is_empty()) else {
        return Ok(());
    };
    let folder = task.folder()?;
    let home = task.open(&input, &TextTask::Note, folder.path())?;
    let mut counter = Counter::new(counts.counting());
    let shingles = |page: SampledPage| {
        let text = home.signed.read(DocId(page.place))?;
        Ok((page, counter.read(Text::Plain(text.as_bytes())).to_vec()))
    };
    let made: Vec<(SampledPage, Vec<u64>)> = inbox.sampled.into_iter().map(shingles).collect::<Result<_>>()?;
    let parts = task.plan.parts;
    outbox.send_all(StageName::Frame, made, |(page, _)| part_of(page.host, parts), Message::Shingles)
}

/// Finds the frames of the hosts of a part.
pub fn frame(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    outbox.hand_on(StageName::Driver, inbox.tallies)?;
    let Some(LexiconTask::Frame(_, share)) = task.counts()? else { return Ok(()) };
    let mut hosts: BTreeMap<u64, (SampledPage, Vec<u64>)> = BTreeMap::new();
    for (page, mut shingles) in inbox.shingles {
        hosts.entry(page.host).or_insert_with(|| (page, Vec::new())).1.append(&mut shingles);
    }
    let (mut terms, mut documents) = (BTreeMap::<u64, u32>::new(), 0);
    for (page, mut shingles) in hosts.into_values() {
        shingles.sort_unstable();
        documents += u64::from(page.sampled);
        let frame = frame_of(page.texts, page.sampled.into(), &shingles, share);
        frame.into_iter().for_each(|(shingle, held)| *terms.entry(shingle).or_default() += held);
    }
    outbox.report(Tally::Counted(CountTally { documents, terms: terms.into_iter().collect(), ..CountTally::default() }))
}
