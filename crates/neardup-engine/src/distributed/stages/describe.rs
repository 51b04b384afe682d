//! Describing: the place and the id of one document, for an error.

use crate::Result;
use crate::distributed::message::Outbox;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{DescribeTally, Tally};
use crate::signing::worker::TextTask;
use neardup_core::util::ids::DocId;

/// Describes a document, if it is of this home.
pub fn describe(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let (Some(input), Some(place)) = (inbox.home(), inbox.named.first().copied()) else { return Ok(()) };
    let folder = task.folder()?;
    let home = task.open(&input, &TextTask::Note, folder.path())?;
    let document = DocId(place);
    let before = task.plan.homes[input.split.number as usize].rows_before;
    let source = &home.signed.catalogue.sources[home.source_of[document.index()] as usize];
    let place = home.signed.catalogue.unit(document).place(source, home.rows[document.index()] + before);
    outbox.report(Tally::Described(DescribeTally { place, id: home.ids.get(document).into_owned() }))
}
