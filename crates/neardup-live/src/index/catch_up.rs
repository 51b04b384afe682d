//! Agreeing: before it answers, a shard of an index sees that all shards stand at the same step and are asked the same.

use super::{Index, Tail};
use crate::index::queue::Request;
use crate::shards::shard::Shard;
use crate::storage::identity::Identity;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// How a shard stands.
#[derive(Serialize, Deserialize)]
struct Standing {
    /// Of which index.
    index: Identity,
    /// How many shards it has.
    of: u32,
    /// Which step is its last.
    steps: u64,
    /// What it is asked.
    asked: Vec<[u8; 32]>,
    /// When, in Unix seconds.
    now: Option<i64>,
}

impl Index {
    /// Brings the shard up to the last step of all, and the requests to one time.
    ///
    /// A shard that was stopped is behind by one request at most: the others do not answer the next one without it, and until then
    /// they keep their logs, from which it takes what it missed.
    pub(super) fn agree(&self, shard: &Shard, tail: &mut Tail, requests: &mut [Request]) -> Result<()> {
        let standings = self.call(shard, requests)?;
        let steps = self.contents().steps;
        let (least, most) = standings.iter().fold((steps, steps), |(least, most), one| (least.min(one.steps), most.max(one.steps)));
        if least < most {
            let missed = if steps == most { self.steps_since(tail, least)? } else { Vec::new() };
            let told = self.tell(&missed)?;
            if steps < most {
                self.take_up(tail, told, steps, most)?;
            }
        }
        let now = standings.iter().filter_map(|one| one.now).max();
        requests.iter_mut().filter_map(Request::time).for_each(|time| *time = now.unwrap_or(*time));
        self.tidy(tail)
    }

    /// How the shards stand, all asked the same.
    fn call(&self, shard: &Shard, requests: &mut [Request]) -> Result<Vec<Standing>> {
        let asked = requests.iter().map(Request::digest).collect::<Result<_>>()?;
        let now = requests.iter_mut().filter_map(Request::time).map(|time| *time).max();
        let own = Standing { index: shard.index.clone(), of: shard.of, steps: self.contents().steps, asked, now };
        let standings: Vec<Standing> = self.tell(&own)?;
        if standings.iter().any(|one| (&one.index, one.of) != (&own.index, own.of)) || standings.len() != own.of as usize {
            return Err(Error::Usage(format!("an exchange is of the {} shards of one index, each in its place", own.of)));
        }
        if standings.iter().any(|one| one.asked != own.asked) {
            return Err(Error::Usage("the shards of an index are asked the same in the same order, and now they were not".to_owned()));
        }
        Ok(standings)
    }

    /// The records of the log behind a step.
    fn steps_since(&self, tail: &Tail, step: u64) -> Result<Vec<(u64, Vec<u8>)>> {
        let records: Vec<Vec<u8>> = tail.reader.read(0).map(|record| record.map(|(_, payload)| payload)).collect::<Result<_>>()?;
        let first = self.contents().steps + 1 - records.len() as u64;
        Ok((first..).zip(records).filter(|(number, _)| *number > step).collect())
    }

    /// Takes steps up that others took without this shard.
    fn take_up(&self, tail: &mut Tail, told: Vec<Vec<(u64, Vec<u8>)>>, steps: u64, most: u64) -> Result<()> {
        let missed = told.into_iter().map(|told| told.into_iter().filter(|(number, _)| *number > steps).collect::<Vec<_>>());
        let missed = missed.max_by_key(Vec::len).unwrap_or_default();
        if !missed.iter().map(|(number, _)| *number).eq(steps + 1..=most) {
            let why = format!("it stands at step {steps}, the others at {most}, and their logs do not go back so far");
            return Err(Error::damaged(&self.dir, why));
        }
        let mut log = self.open_log(tail)?;
        for (_, record) in &missed {
            log.append(record)?;
        }
        log.commit()?;
        self.catch_up(tail)
    }

    fn tell<T: Serialize + for<'de> Deserialize<'de>>(&self, own: &T) -> Result<Vec<T>> {
        let unreadable = |error: serde_json::Error| Error::Usage(format!("a shard of the index says what this one cannot read: {error}"));
        let said = self.shards.round(serde_json::to_vec(own).map_err(unreadable)?)?;
        said.iter().map(|said| serde_json::from_slice(said).map_err(unreadable)).collect()
    }
}
