//! Dividing: the documents of a large family that are not decided yet go to the block that is decided next, or wait.

use crate::Result;
use crate::distributed::message::{Message, Outbox, StageName, part_of};
use crate::distributed::plan::Plan;
use crate::distributed::stages::Inbox;
use crate::distributed::tally::policy_key;

/// Sends the documents of a part to the first blocks of their families, or on to the chunks that wait for these.
pub fn divide(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let blocks = plan.divided.len() as u32;
    let placed = inbox.large_texts.into_iter().filter_map(|row| {
        let number = plan.divided.binary_search_by_key(&row.root, |family| family.root).ok()?;
        let family = &plan.divided[number];
        let is_first = family.limit.as_ref().is_none_or(|limit| policy_key(plan, &row.member) <= *limit);
        let chunk = blocks + family.chunks.start + part_of(row.node.0, family.chunks.end - family.chunks.start);
        Some((if is_first { number as u32 } else { chunk }, row))
    });
    outbox.send_all(StageName::Lead, placed, |(part, _)| *part, |rows| Message::LargeTexts(rows.into_iter().map(|(_, row)| row).collect()))
}
