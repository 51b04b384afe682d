//! Shards: the questions that one folder of a split index asks the others during a step.

use crate::mutex::lock;
use crate::shards::exchange::Exchange;
use crate::shards::received::ReceivedMessages;
use crate::shards::shard::Shard;
use crate::shards::topic::Topic;
use crate::{Error, Result};
use neardup_core::measures::Overlap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

/// The other shards, if any.
#[derive(Default)]
pub struct Shards {
    shard: Option<Shard>,
    exchange: Option<Arc<dyn Exchange>>,
    recorded: Mutex<RecordedRounds>,
    /// The error after which no shard can be asked until all take part again.
    left: Mutex<Option<Error>>,
    /// The error that makes results from the last answers invalid.
    fault: Mutex<Option<Error>>,
}

/// The answers that were received during a step.
#[derive(Default)]
struct RecordedRounds {
    /// Answers of each round, to be written with the step.
    received: Vec<Vec<u64>>,
    /// The answers from when the step was first taken. If present, no shard is asked.
    replayed: Option<ReplayedRounds>,
}

struct ReplayedRounds {
    rounds: VecDeque<Vec<u64>>,
    names_numbers: bool,
    is_short: bool,
}

impl Shards {
    /// Creates the connection to the shards of an index. Without an exchange, no other shard can be asked.
    pub fn new(shard: Option<Shard>, exchange: Option<Arc<dyn Exchange>>) -> Shards {
        Shards { shard, exchange, ..Shards::default() }
    }

    /// The shard that this is, if the index is split.
    pub fn shard(&self) -> Option<&Shard> {
        self.shard.as_ref()
    }

    /// Whether the index is split. If not, all operations here return at once.
    #[inline]
    pub fn are_several(&self) -> bool {
        self.shard.is_some()
    }

    /// Whether messages identify documents by serial number, which is the same in every folder, and not by their number in one
    /// folder.
    pub fn name_serials(&self) -> bool {
        self.are_several() && !self.recorded().replayed.as_ref().is_some_and(|replayed| replayed.names_numbers)
    }

    /// Returns the values that all shards found, one after another; `own` are those of this shard. If the shards cannot be asked,
    /// returns `own`. Then results from it must not be used: see [`Shards::fault`].
    pub fn gather(&self, topic: Topic, own: Vec<u64>) -> Vec<u64> {
        if !self.are_several() {
            return own;
        }
        if let Some(replayed) = &mut self.recorded().replayed {
            replayed.is_short |= replayed.rounds.is_empty();
            return replayed.rounds.pop_front().unwrap_or_default();
        }
        match self.ask(topic, &own) {
            Ok(all) => {
                self.recorded().received.push(all.clone());
                all
            }
            Err(error) => {
                self.refuse(error);
                own
            }
        }
    }

    /// Returns the features that two documents share, from a shard that has both texts.
    pub fn overlap(&self, own: Option<Overlap>) -> Overlap {
        if let (false, Some(own)) = (self.are_several(), own) {
            return own;
        }
        let own = own.map(|Overlap { shared, left, right }| [shared, left, right].map(u64::from).to_vec());
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        match *self.gather(Topic::Overlap, own.unwrap_or_default()) {
            [shared, left, right, ..] => Overlap { shared: narrow(shared), left: narrow(left), right: narrow(right) },
            // A round failed.
            _ => Overlap { shared: 0, left: 0, right: 0 },
        }
    }

    fn ask(&self, topic: Topic, own: &[u64]) -> Result<Vec<u64>> {
        let messages = self.round(topic, own.iter().flat_map(|value| value.to_le_bytes()).collect())?;
        let values = messages.iter().flat_map(|message| message.as_chunks().0);
        Ok(values.map(|&value| u64::from_le_bytes(value)).collect())
    }

    /// Performs a round: returns the message of each shard. After a failed round, no other is possible until all shards take part
    /// again. Some of the others may have received this shard's message of the failed round. They would misunderstand its next
    /// message, or wait for the same message as this shard.
    ///
    /// # Errors
    /// [`Error::Usage`] if this shard was opened by itself, or if the other shards have another topic; [`Error::Left`] if a shard
    /// left.
    pub fn round(&self, topic: Topic, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        if let Some(error) = &*lock(&self.left) {
            return Err(error.again());
        }
        let received = match (&self.exchange, &self.shard) {
            (Some(exchange), _) => exchange.gather([&[topic as u8], &own[..]].concat()).and_then(|messages| on_topic(topic, &messages)),
            (None, Some(shard)) => Err(Error::Usage(format!(
                "this is shard {} of {} of an index: open the whole index, or each shard with an exchange",
                shard.number, shard.of
            ))),
            (None, None) => Ok(vec![own]),
        };
        received.inspect_err(|error| {
            lock(&self.left).get_or_insert_with(|| error.again());
            self.leave();
        })
    }

    /// Ends a request. When this returns, every shard has completed its part.
    pub fn end(&self) -> Result<()> {
        if self.are_several() { self.round(Topic::End, Vec::new()).map(drop) } else { Ok(()) }
    }

    /// Leaves the exchange, so that the others need not wait.
    pub fn leave(&self) {
        if let Some(exchange) = &self.exchange {
            exchange.leave();
        }
    }

    /// Takes part again after a request that failed.
    pub fn rejoin(&self) -> Result<()> {
        if let Some(exchange) = &self.exchange {
            exchange.rejoin()?;
            *lock(&self.left) = None;
        }
        *lock(&self.fault) = None;
        Ok(())
    }

    /// Begins a step.
    pub fn begin(&self) {
        if self.are_several() {
            *self.recorded() = RecordedRounds::default();
        }
    }

    /// Returns the answers that were received since [`Shards::begin`].
    pub fn finish(&self) -> ReceivedMessages {
        if self.are_several() {
            ReceivedMessages::of_serials(std::mem::take(&mut *self.recorded()).received)
        } else {
            ReceivedMessages::default()
        }
    }

    /// Begins to replay a step, with the answers that were received when it was first taken.
    pub fn recall(&self, received: ReceivedMessages) {
        if self.are_several() {
            let (names_numbers, rounds) = received.into_rounds();
            let replayed = ReplayedRounds { rounds: rounds.into(), names_numbers, is_short: false };
            *self.recorded() = RecordedRounds { replayed: Some(replayed), ..RecordedRounds::default() };
        }
    }

    /// Ends a replayed step. Returns whether it asked the same number of questions as at first, and all documents in the answers
    /// exist.
    pub fn is_recalled(&self) -> bool {
        if !self.are_several() {
            return true;
        }
        let replayed = std::mem::take(&mut *self.recorded()).replayed;
        replayed.is_none_or(|replayed| !replayed.is_short && replayed.rounds.is_empty()) && lock(&self.fault).take().is_none()
    }

    /// Records an error that makes the answers of the shards unusable.
    pub fn refuse(&self, error: Error) {
        lock(&self.fault).get_or_insert(error);
    }

    /// Fails if the answers of the shards were unusable since the last call, with the first error.
    pub fn fault(&self) -> Result<()> {
        if self.are_several() { lock(&self.fault).take().map_or(Ok(()), Err) } else { Ok(()) }
    }

    fn recorded(&self) -> MutexGuard<'_, RecordedRounds> {
        lock(&self.recorded)
    }
}

/// Returns the messages without their first byte, the topic. All messages have the same topic if the shards have the same state and
/// received the same request.
fn on_topic(topic: Topic, messages: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    let of_one = |one: &Vec<u8>| one.split_first().filter(|(of, _)| **of == topic as u8).map(|(_, own)| own.to_vec());
    messages.iter().map(of_one).collect::<Option<_>>().ok_or_else(|| {
        let why = "the shards of the index have different requests: send all the same ones in the same order, or run neardup index verify";
        Error::Usage(why.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shards::exchange::LocalExchange;
    use crate::storage::identity::Identity;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    /// An exchange that fails in every round.
    #[derive(Default)]
    struct Unreachable {
        asked: AtomicUsize,
        left: AtomicUsize,
    }

    impl Exchange for Unreachable {
        fn gather(&self, _: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            Err(Error::Left(String::new()))
        }

        fn leave(&self) {
            self.left.fetch_add(1, Ordering::SeqCst);
        }

        fn rejoin(&self) -> Result<()> {
            Ok(())
        }
    }

    fn shard(number: u32, of: u32) -> Option<Shard> {
        Some(Shard { index: Identity::draw(Path::new("")).unwrap(), number, of })
    }

    #[test]
    fn who_missed_a_round_leaves_and_asks_no_more_until_it_takes_part_again() {
        let gone = Arc::new(Unreachable::default());
        let shards = Shards::new(shard(0, 3), Some(Arc::clone(&gone) as Arc<dyn Exchange>));
        assert!(matches!(shards.round(Topic::End, Vec::new()), Err(Error::Left(_))));
        // No answer was used yet, so results that need no other shard are valid.
        shards.fault().unwrap();
        for own in [1, 2] {
            assert_eq!(shards.gather(Topic::Count, vec![own]), [own]);
            assert!(matches!(shards.fault(), Err(Error::Left(_))));
        }
        assert_eq!((gone.asked.load(Ordering::SeqCst), gone.left.load(Ordering::SeqCst)), (1, 1));
        shards.rejoin().unwrap();
        shards.gather(Topic::Count, vec![1]);
        assert_eq!(gone.asked.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn shards_that_do_not_mean_the_same_find_it_out_and_nobody_waits() {
        let seats = LocalExchange::all(3).into_iter().map(|seat| Arc::new(seat) as Arc<dyn Exchange>);
        let all: Vec<Shards> = (0..).zip(seats).map(|(number, seat)| Shards::new(shard(number, 3), Some(seat))).collect();
        // The last shard has nothing to ask, and is at the end already.
        let ask = |(number, shards): (usize, &Shards)| {
            if number < 2 {
                shards.gather(Topic::Documents, vec![7]);
                shards.fault()?;
            }
            shards.end()
        };
        thread::scope(|scope| {
            let asked: Vec<_> = all.iter().enumerate().map(|one| scope.spawn(move || ask(one))).collect();
            for one in asked {
                let why = one.join().unwrap().unwrap_err().to_string();
                assert!(why.contains("have different requests") || why.contains("another shard of the index stopped"), "{why}");
            }
        });
    }

    #[test]
    fn a_step_is_taken_again_with_what_was_heard_first() {
        let shards = Shards::new(shard(1, 2), None);
        let take = |rounds: usize, asked: usize| {
            shards.recall(ReceivedMessages::of_serials(vec![vec![3, 4]; rounds]));
            (0..asked).for_each(|_| drop(shards.gather(Topic::Documents, Vec::new())));
            shards.is_recalled()
        };
        assert!(take(0, 0) && take(2, 2));
        assert!(!take(2, 1) && !take(1, 2));
    }
}
