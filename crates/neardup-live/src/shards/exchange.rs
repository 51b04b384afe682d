//! Exchanges: the communication between the shards of an index.
//!
//! All shards take the same steps, so they ask the same questions at the same time. Every question is one round: each shard sends
//! its own answer and receives the answers of all.

use crate::mutex::lock;
use crate::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A connection between the shards of an index.
pub trait Exchange: Send + Sync {
    /// Sends `own`, waits for all other shards, and returns the messages of all shards, in order of shards.
    ///
    /// # Errors
    /// [`Error::Left`] if a shard left. Then no shard can continue.
    fn gather(&self, own: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>>;

    /// Leaves the exchange, so that no other shard waits for this one.
    fn leave(&self);

    /// Takes part again after a shard left. No round may be in progress.
    ///
    /// # Errors
    /// [`Error::Usage`] if the other shards do not return.
    fn rejoin(&self) -> Result<()>;
}

/// An exchange within this process, with one thread per shard.
pub struct LocalExchange {
    table: Arc<ExchangeTable>,
    shard: usize,
}

struct ExchangeTable {
    round: Mutex<ExchangeRound>,
    turned: Condvar,
}

struct ExchangeRound {
    messages: Vec<Option<Vec<u8>>>,
    /// The messages of the previous round, which some shards may not have received yet.
    received: Arc<Vec<Vec<u8>>>,
    number: u64,
    is_left: bool,
}

impl LocalExchange {
    /// Creates the connected exchanges of `shards` shards.
    pub fn all(shards: usize) -> Vec<LocalExchange> {
        let round = ExchangeRound { messages: vec![None; shards], received: Arc::default(), number: 0, is_left: false };
        let table = Arc::new(ExchangeTable { round: Mutex::new(round), turned: Condvar::new() });
        (0..shards).map(|shard| LocalExchange { table: Arc::clone(&table), shard }).collect()
    }

    fn round(&self) -> MutexGuard<'_, ExchangeRound> {
        lock(&self.table.round)
    }
}

impl Exchange for LocalExchange {
    fn gather(&self, own: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>> {
        let mut round = self.round();
        let number = round.number;
        round.messages[self.shard] = Some(own);
        if round.messages.iter().all(Option::is_some) {
            round.received = Arc::new(round.messages.iter_mut().filter_map(Option::take).collect());
            round.number += 1;
            self.table.turned.notify_all();
        }
        let waits = |round: &mut ExchangeRound| round.number == number && !round.is_left;
        let round = self.table.turned.wait_while(round, waits).unwrap_or_else(PoisonError::into_inner);
        if round.number == number {
            return Err(Error::Left(String::new()));
        }
        Ok(Arc::clone(&round.received))
    }

    fn leave(&self) {
        self.round().is_left = true;
        self.table.turned.notify_all();
    }

    fn rejoin(&self) -> Result<()> {
        let mut round = self.round();
        if std::mem::take(&mut round.is_left) {
            // Messages of a round that never ended are not part of the next one.
            round.messages.fill(None);
        }
        Ok(())
    }
}

impl Drop for LocalExchange {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn everybody_hears_everybody_round_by_round() {
        let seats = LocalExchange::all(5);
        thread::scope(|scope| {
            for seat in &seats {
                scope.spawn(move || {
                    for round in 0..200u8 {
                        let received = seat.gather(vec![round, seat.shard as u8]).unwrap();
                        assert_eq!(*received, (0..5).map(|shard| vec![round, shard]).collect::<Vec<_>>());
                    }
                });
            }
        });
    }

    #[test]
    fn who_left_takes_part_again() {
        let seats = LocalExchange::all(2);
        let one_round = |number: u8| {
            thread::scope(|scope| {
                let asked: Vec<_> = seats.iter().map(|seat| scope.spawn(move || seat.gather(vec![number]))).collect();
                asked.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
            })
        };
        thread::scope(|scope| {
            let waiting = scope.spawn(|| seats[0].gather(vec![1]));
            seats[1].leave();
            assert!(waiting.join().unwrap().is_err());
        });
        seats.iter().for_each(|seat| seat.rejoin().unwrap());
        one_round(2).into_iter().for_each(|received| assert_eq!(*received.unwrap(), [[2], [2]]));
    }

    #[test]
    fn nobody_waits_for_one_who_left() {
        let mut seats = LocalExchange::all(3);
        let gone = seats.pop();
        thread::scope(|scope| {
            let waiting: Vec<_> = seats.iter().map(|seat| scope.spawn(|| seat.gather(Vec::new()))).collect();
            drop(gone);
            for one in waiting {
                assert!(one.join().unwrap().is_err());
            }
        });
    }
}
