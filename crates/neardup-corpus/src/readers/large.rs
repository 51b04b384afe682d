//! Large chunks are processed one at a time, so that memory holds the longest record once, for any number of threads.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The one permit to work on a large chunk.
#[derive(Debug, Default)]
pub(crate) struct LargeChunkPermit {
    is_taken: Mutex<bool>,
    given_back: Condvar,
}

/// The taken permit. Dropping it, on any thread, returns it.
#[derive(Debug)]
pub(crate) struct Permit<'l>(&'l LargeChunkPermit);

impl LargeChunkPermit {
    /// Waits until the permit is free, then takes it.
    pub fn permit(&self) -> Permit<'_> {
        let mut is_taken = self.lock();
        while *is_taken {
            is_taken = self.given_back.wait(is_taken).unwrap_or_else(PoisonError::into_inner);
        }
        *is_taken = true;
        Permit(self)
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.lock() = false;
        self.0.given_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_at_a_time_and_given_back_by_whoever_panics() {
        let (large, at_work, most) = (LargeChunkPermit::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        let work = &|number: usize| {
            let permit = large.permit();
            most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::yield_now();
            at_work.fetch_sub(1, Ordering::SeqCst);
            assert_ne!(number % 10, 0, "given up");
            drop(permit);
        };
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..40).map(|number| scope.spawn(move || work(number))).collect();
            assert_eq!(handles.into_iter().map(|handle| handle.join()).filter(Result::is_err).count(), 4);
        });
        assert_eq!(most.into_inner(), 1);
        drop(large.permit());
    }
}
