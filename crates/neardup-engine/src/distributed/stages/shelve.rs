//! Shelving: what the documents of a run add to the past is written, each part by one task.

use crate::Result;
use crate::distributed::message::{DocNumber, Message, Outbox, StageName, receive};
use crate::distributed::past::{PastRows, write_rows};
use crate::distributed::plan::Plan;
use crate::distributed::stages::StageTask;

/// Sends the numbers of documents that a run drops for others to those of the past.
pub fn send_led(plan: &Plan, led: impl Iterator<Item = (DocNumber, u32)>, outbox: &mut Outbox) -> Result<()> {
    let Some(past) = &plan.past else { return Ok(()) };
    let led = led.filter(|(leader, _)| plan.is_past(*leader));
    outbox.send_all(StageName::Past, led, |(leader, _)| leader.home() % past.parts, Message::Led)
}

/// Writes the messages to a part, except the tallies.
pub fn shelve(task: &StageTask<'_, '_>, packed: &[&[u8]], outbox: &mut Outbox) -> Result<()> {
    let Some(past) = &task.plan.past else { return Ok(()) };
    let (mut led, mut keys) = (Vec::new(), Vec::new());
    for message in packed {
        match receive(message)? {
            Some(Message::Tally(tally)) => outbox.report(*tally)?,
            Some(Message::Led(_)) => led.push(*message),
            _ => keys.push(*message),
        }
    }
    write_rows(&past.folder, PastRows::Keys, task.part, past.batches, &keys)?;
    write_rows(&past.folder, PastRows::Led, task.part, past.batches, &led)
}
