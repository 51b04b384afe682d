//! Threads for work outside a run, such as signing documents for an index.
//!
//! A forked process has none of its parent's threads, and work passed to them never ends. Rayon's global pool is affected,
//! too. So a pool belongs to one process, and a forked process creates its own.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// The pool, and the id of the process that created it.
static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Runs `work`. Its parallel parts run in the pool of this process, or in the caller's pool if the caller is a thread of
/// one.
///
/// `work` must not wait for other work that runs here, because all threads may then be waiting.
pub fn on_all<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    match pool() {
        Some(pool) => pool.install(work),
        // No thread can be created, so the caller's thread does all the work.
        None => work(),
    }
}

fn pool() -> Option<&'static ThreadPool> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pool.is_none_or(|(owner, _)| owner != process) {
        let fresh = ThreadPoolBuilder::new().build().ok()?;
        // The pool lives as long as the process. A parent's pool is leaked, too: to drop it would mean to wait for its
        // threads.
        *pool = Some((process, Box::leak(Box::new(fresh))));
    }
    pool.map(|(_, pool)| pool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn work_is_done_by_several_threads_and_within_a_pool_by_that() {
        let sum = || (0..1000u64).into_par_iter().sum::<u64>();
        assert_eq!(on_all(sum), 499_500);
        assert_eq!(on_all(|| on_all(sum)), 499_500);
        let own = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(own.install(|| on_all(rayon::current_num_threads)), 3);
    }
}
