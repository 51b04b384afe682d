//! Catching up: before a shard of an index answers, all shards reach the same step and check that they received the same requests.

use super::{Index, Tail};
use crate::index::queue::Request;
use crate::shards::shard::Shard;
use crate::shards::topic::Topic;
use crate::snapshot::step::IndexStep;
use crate::storage::identity::Identity;
use crate::storage::lock::Lock;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::thread;
use std::time::Duration;

/// Number of attempts of readers to bring all shards to the same step while others write.
const ATTEMPTS: usize = 50;
/// Pause before another attempt.
const PAUSE: Duration = Duration::from_millis(20);

/// The step of a shard, and its requests.
#[derive(Serialize, Deserialize)]
struct ShardPosition {
    /// The identity of the index.
    index: Identity,
    /// Number of shards of the index.
    of: u32,
    /// The last step of the shard.
    steps: u64,
    /// Digests of its requests.
    asked: Vec<[u8; 32]>,
    /// The time of its requests, in Unix seconds.
    now: Option<i64>,
}

/// Records of a log, with the numbers of their steps.
type LogRecords = Vec<(u64, Vec<u8>)>;

impl Index {
    /// Waits for the lock of the folder. In a split index, every writer takes the lock of the first folder first. Otherwise two
    /// writers could each hold a lock and wait for the other's.
    pub(super) fn lock(&self) -> Result<Lock> {
        let is_first = self.shards.shard().is_none_or(|shard| shard.number == 0);
        let lock = is_first.then(|| Lock::wait(&self.dir)).transpose()?;
        if self.shards.are_several() {
            self.shards.round(Topic::Locks, Vec::new())?;
        }
        lock.map_or_else(|| Lock::wait(&self.dir), Ok)
    }

    /// Brings the shard to the last step of all shards, and gives all requests the same time. The log of the shard is open.
    ///
    /// A shard that was stopped is at most one request behind, because the others do not answer the next request without it. They
    /// keep their logs until all shards report the same step, and the shard takes the missed steps from there.
    pub(super) fn agree(&self, shard: &Shard, tail: &mut Tail, requests: &mut [Request]) -> Result<()> {
        let mut positions = self.positions(shard, requests)?;
        if let Some(missed) = self.missed(tail, &positions)? {
            self.take_up(tail, missed)?;
            positions = self.positions(shard, requests)?;
        }
        if !are_level(&positions) {
            return Err(Error::damaged(&self.dir, "the shards of the index are still at different steps after catching up"));
        }
        let now = positions.iter().filter_map(|one| one.now).max();
        requests.iter_mut().filter_map(Request::time).for_each(|time| *time = now.unwrap_or(*time));
        Ok(())
    }

    /// Brings the contents to the last step of all shards in memory only, because a reader writes nothing.
    pub(super) fn agree_to_read(&self, tail: &mut Tail) -> Result<()> {
        let Some(shard) = self.shards.shard() else { return Ok(()) };
        for attempts_left in (0..ATTEMPTS).rev() {
            if are_level(&self.positions(shard, &mut [])?) {
                return Ok(());
            }
            // Others may be writing at this moment.
            self.catch_up_from_own_log(tail)?;
            let positions = self.positions(shard, &mut [])?;
            if are_level(&positions) {
                return Ok(());
            }
            match self.missed(tail, &positions) {
                Ok(missed) => self.borrow(tail, missed.unwrap_or_default())?,
                // A writer may have moved steps from its log to a segment. They are on the disk at the next attempt.
                Err(Error::Damaged { .. }) if attempts_left > 0 => thread::sleep(PAUSE),
                Err(error) => return Err(error),
            }
        }
        Err(Error::damaged(&self.dir, "the shards of the index are at different steps, because others kept writing: try again"))
    }

    /// Returns the positions of all shards. Fails unless they belong to one index and received the same requests.
    fn positions(&self, shard: &Shard, requests: &mut [Request]) -> Result<Vec<ShardPosition>> {
        let asked = requests.iter().map(Request::digest).collect::<Result<_>>()?;
        let now = requests.iter_mut().filter_map(Request::time).map(|time| *time).max();
        let own = ShardPosition { index: shard.index.clone(), of: shard.of, steps: self.contents().steps, asked, now };
        let positions: Vec<ShardPosition> = self.exchange(Topic::Position, &own)?;
        if positions.iter().any(|one| (&one.index, one.of) != (&own.index, own.of)) || positions.len() != own.of as usize {
            return Err(Error::Usage(format!("an exchange must connect the {} shards of one index, in order", own.of)));
        }
        if positions.iter().any(|one| one.asked != own.asked) {
            return Err(Error::Usage("the shards of an index must receive the same requests, in the same order".to_owned()));
        }
        Ok(positions)
    }

    /// Returns the records of the steps that this shard missed, from the logs of others; `None` if all are at the same step.
    fn missed(&self, tail: &Tail, positions: &[ShardPosition]) -> Result<Option<LogRecords>> {
        if are_level(positions) {
            return Ok(None);
        }
        let steps = self.contents().steps;
        let least = positions.iter().map(|one| one.steps).min().unwrap_or(steps);
        let most = positions.iter().map(|one| one.steps).max().unwrap_or(steps);
        let own = if steps == most { self.steps_since(tail, least)? } else { Vec::new() };
        let missed_records: Vec<LogRecords> = self.exchange(Topic::Missed, &own)?;
        let reaches = |records: &LogRecords| records.iter().map(|(number, _)| *number).eq(least + 1..=most);
        let mut missed_records = missed_records.into_iter().find(reaches).ok_or_else(|| {
            let why = format!(
                "the shards of the index are at steps {least} to {most}, and their logs do not go back so far: run neardup index repair"
            );
            Error::damaged(&self.dir, why)
        })?;
        missed_records.retain(|(number, _)| *number > steps);
        Ok(Some(missed_records))
    }

    /// Returns the records of the log after `step`, with the numbers of their steps. Memory must contain no steps of other logs.
    fn steps_since(&self, tail: &Tail, step: u64) -> Result<LogRecords> {
        let records: Vec<Vec<u8>> = tail.reader.read(0).map(|record| record.map(|(_, payload)| payload)).collect::<Result<_>>()?;
        let first = self.contents().steps + 1 - records.len() as u64;
        Ok((first..).zip(records).filter(|(number, _)| *number > step).collect())
    }

    /// Adds the steps that this shard missed to its log and to memory.
    fn take_up(&self, tail: &mut Tail, missed: LogRecords) -> Result<()> {
        if missed.is_empty() {
            return Ok(());
        }
        missed.iter().try_for_each(|(_, record)| self.portable(record).map(drop))?;
        let mut log = self.open_log(tail)?;
        missed.iter().try_for_each(|(_, record)| log.append(record).map(drop))?;
        log.commit()?;
        self.catch_up(tail)
    }

    /// Adds the steps that this shard missed to memory only.
    fn borrow(&self, tail: &mut Tail, missed: LogRecords) -> Result<()> {
        for (_, record) in missed {
            let step = self.portable(&record)?;
            // If replaying fails, memory differs from every log.
            tail.is_stale = true;
            self.with_comparer(|comparer| self.contents_mut().replay(step, &self.dir, comparer))?;
            (tail.is_stale, tail.is_ahead) = (false, true);
        }
        Ok(())
    }

    /// Parses a step, which must be usable in other folders than that of its log.
    fn portable(&self, record: &[u8]) -> Result<IndexStep<'static>> {
        let step = IndexStep::read(record, &self.dir)?;
        match step.received().is_portable() {
            true => Ok(step),
            false => Err(Error::damaged(&self.dir, "it missed a step that an earlier build wrote: run neardup index repair")),
        }
    }

    fn exchange<T: Serialize + for<'de> Deserialize<'de>>(&self, topic: Topic, own: &T) -> Result<Vec<T>> {
        let unreadable = |error: serde_json::Error| Error::Usage(format!("a shard of the index sent an unreadable message: {error}"));
        let messages = self.shards.round(topic, serde_json::to_vec(own).map_err(unreadable)?)?;
        messages.iter().map(|message| serde_json::from_slice(message).map_err(unreadable)).collect()
    }
}

fn are_level(positions: &[ShardPosition]) -> bool {
    positions.windows(2).all(|two| two[0].steps == two[1].steps)
}
