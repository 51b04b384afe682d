//! The threads of a run.

use crate::{Error, Result};

/// Runs `work` with `threads` threads: in the current pool if it has as many, otherwise in a temporary one.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    if rayon::current_thread_index().is_some() && rayon::current_num_threads() == threads {
        return work();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Usage(format!("threads: {error}")))?.install(work)
}
