//! Mutexes of this crate: what stands behind one is sound after a panic, too, and is used on.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for a mutex, whatever became of whoever had it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
