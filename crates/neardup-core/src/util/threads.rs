//! Threads for work that is not a run of its own, such as signing documents for an index.
//!
//! A process that was forked has none of the threads of its parent, and work that is given to those never ends: rayon's own
//! pool is such a pool. So the threads are those of a process, and a forked one gets others.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// The pool, and the process that it belongs to.
static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Does `work`, whose parallel parts are done by the threads of this process, or by those of the pool that the caller is of.
///
/// The work must not wait for other work that is done here: all threads may be waiting then.
pub fn on_all<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    match pool() {
        Some(pool) => pool.install(work),
        // No thread can be made: the caller's own does it all.
        None => work(),
    }
}

fn pool() -> Option<&'static ThreadPool> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pool.is_none_or(|(owner, _)| owner != process) {
        let fresh = ThreadPoolBuilder::new().build().ok()?;
        // It lasts as long as the process. That of a parent is left alone: to end it would be to wait for its threads.
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
