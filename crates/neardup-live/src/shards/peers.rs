//! Shards: what one of the folders of a split index asks the others while a step is taken.

use crate::mutex::lock;
use crate::shards::exchange::Exchange;
use crate::shards::shard::Shard;
use crate::{Error, Result};
use neardup_core::measures::Overlap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The other shards, where there are any.
#[derive(Default)]
pub struct Shards {
    shard: Option<Shard>,
    exchange: Option<Arc<dyn Exchange>>,
    minutes: Mutex<Minutes>,
    /// Why nobody can be asked any more, since a round failed.
    left: OnceLock<Error>,
    /// Whether a step has missed what it asked.
    missed: AtomicBool,
}

/// What was heard while a step was taken.
#[derive(Default)]
struct Minutes {
    /// Round by round, to be written with the step.
    heard: Vec<Vec<u32>>,
    /// What was heard when the step was taken first; nobody is asked again then.
    recalled: Option<VecDeque<Vec<u32>>>,
}

impl Shards {
    /// The shards of an index: without an exchange nobody can be asked.
    pub fn new(shard: Option<Shard>, exchange: Option<Arc<dyn Exchange>>) -> Shards {
        Shards { shard, exchange, ..Shards::default() }
    }

    /// Which shard this is, if the index is split.
    pub fn shard(&self) -> Option<&Shard> {
        self.shard.as_ref()
    }

    /// Whether there are others; if not, nothing here takes any time.
    #[inline]
    pub fn are_several(&self) -> bool {
        self.shard.is_some()
    }

    /// All that the shards found, one after another, when this one found `own`. When they cannot be asked it is `own`, and what
    /// is made of it must not be used: see [`Shards::broken`].
    pub fn gather(&self, own: Vec<u32>) -> Vec<u32> {
        if !self.are_several() {
            return own;
        }
        if let Some(recalled) = &mut self.minutes().recalled {
            // A log that has too little in it is found out by what follows from it.
            return recalled.pop_front().unwrap_or_default();
        }
        match self.ask(&own) {
            Ok(all) => {
                self.minutes().heard.push(all.clone());
                all
            }
            Err(_) => {
                self.missed.store(true, Ordering::Release);
                own
            }
        }
    }

    /// What two documents share, as a shard knows that has both texts.
    pub fn overlap(&self, own: Option<Overlap>) -> Overlap {
        if let (false, Some(own)) = (self.are_several(), own) {
            return own;
        }
        let own = own.map(|Overlap { shared, left, right }| vec![shared, left, right]);
        match *self.gather(own.unwrap_or_default()) {
            [shared, left, right, ..] => Overlap { shared, left, right },
            // After a failure.
            _ => Overlap { shared: 0, left: 0, right: 0 },
        }
    }

    fn ask(&self, own: &[u32]) -> Result<Vec<u32>> {
        let said = self.round(own.iter().flat_map(|value| value.to_le_bytes()).collect())?;
        let values = said.iter().flat_map(|said| said.as_chunks().0);
        Ok(values.map(|&value| u32::from_le_bytes(value)).collect())
    }

    /// A round of the shards. After one that failed there is none: some of the others may have heard of it what this one said, and
    /// would take what it says next for something else, or wait for what it waits for.
    ///
    /// # Errors
    /// [`Error::Usage`] when this shard was opened by itself, [`Error::Left`] when another one is gone.
    pub fn round(&self, own: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>> {
        if let Some(error) = self.left.get() {
            return Err(error.again());
        }
        let heard = match (&self.exchange, &self.shard) {
            (Some(exchange), _) => exchange.gather(own),
            (None, Some(shard)) => Err(Error::Usage(format!(
                "this is shard {} of {} of an index: open the whole index, or each shard with an exchange",
                shard.number, shard.of
            ))),
            (None, None) => Ok(Arc::new(vec![own])),
        };
        heard.inspect_err(|error| {
            self.left.get_or_init(|| error.again());
            self.leave();
        })
    }

    /// Takes part in nothing any more: the others need not wait.
    pub fn leave(&self) {
        if let Some(exchange) = &self.exchange {
            exchange.leave();
        }
    }

    /// Begins to take a step.
    pub fn begin(&self) {
        if self.are_several() {
            *self.minutes() = Minutes::default();
        }
    }

    /// Begins to take a step again, in which this was heard.
    pub fn recall(&self, heard: Vec<Vec<u32>>) {
        *self.minutes() = Minutes { recalled: Some(heard.into()), ..Minutes::default() };
    }

    /// What was heard since.
    pub fn finish(&self) -> Vec<Vec<u32>> {
        if self.are_several() { std::mem::take(&mut *self.minutes()).heard } else { Vec::new() }
    }

    /// Why somebody could not be asked, if so: what was made since does not count.
    pub fn broken(&self) -> Option<Error> {
        if self.missed.load(Ordering::Acquire) { self.left.get().map(Error::again) } else { None }
    }

    fn minutes(&self) -> MutexGuard<'_, Minutes> {
        lock(&self.minutes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::identity::Identity;
    use std::path::Path;
    use std::sync::atomic::AtomicUsize;

    /// Who is asked once, and is gone.
    #[derive(Default)]
    struct Gone {
        asked: AtomicUsize,
        left: AtomicUsize,
    }

    impl Exchange for Gone {
        fn gather(&self, _: Vec<u8>) -> Result<Arc<Vec<Vec<u8>>>> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            Err(Error::Left(String::new()))
        }

        fn leave(&self) {
            self.left.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn who_missed_a_round_leaves_and_asks_no_more() {
        let gone = Arc::new(Gone::default());
        let shard = Shard { index: Identity::draw(Path::new("")).unwrap(), number: 0, of: 3 };
        let shards = Shards::new(Some(shard), Some(Arc::clone(&gone) as Arc<dyn Exchange>));
        assert!(matches!(shards.round(Vec::new()), Err(Error::Left(_))));
        // No step has missed anything yet: what nobody has to be asked for is still told.
        assert!(shards.broken().is_none());
        for own in [1, 2] {
            assert_eq!(shards.gather(vec![own]), [own]);
            assert!(matches!(shards.broken(), Some(Error::Left(_))));
        }
        assert_eq!((gone.asked.load(Ordering::SeqCst), gone.left.load(Ordering::SeqCst)), (1, 1));
    }
}
