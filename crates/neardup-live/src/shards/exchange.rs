//! Exchanges: how the shards of an index hear each other.
//!
//! All shards take the same steps, so they ask each other the same at the same time: every question is one round, in which each
//! says what it found and hears what all found.

use crate::mutex::lock;
use crate::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the shards meet by.
pub trait Exchange: Send + Sync {
    /// Says `own`, waits for all others, and returns what every shard said, in order of shards.
    ///
    /// # Errors
    /// [`Error::Left`] when one of them is gone; then no shard can continue.
    fn gather(&self, own: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>>;

    /// Leaves, so that no other shard waits for this one.
    fn leave(&self);

    /// Takes part again after a shard left; no round is under way then.
    ///
    /// # Errors
    /// [`Error::Usage`] when the others do not come back.
    fn rejoin(&self) -> Result<()>;
}

/// A place at a table in this process: the shards are asked by a thread each.
pub struct LocalExchange {
    table: Arc<ExchangeTable>,
    shard: usize,
}

struct ExchangeTable {
    round: Mutex<ExchangeRound>,
    turned: Condvar,
}

struct ExchangeRound {
    said: Vec<Option<Vec<u8>>>,
    /// What was said in the round before, which a shard may still have to receive.
    received: Arc<Vec<Vec<u8>>>,
    number: u64,
    is_left: bool,
}

impl LocalExchange {
    /// A table for this many shards.
    pub fn all(shards: usize) -> Vec<LocalExchange> {
        let round = ExchangeRound { said: vec![None; shards], received: Arc::default(), number: 0, is_left: false };
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
        round.said[self.shard] = Some(own);
        if round.said.iter().all(Option::is_some) {
            round.received = Arc::new(round.said.iter_mut().filter_map(Option::take).collect());
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
            // What was said in a round that never ended is no part of the next one.
            round.said.fill(None);
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
