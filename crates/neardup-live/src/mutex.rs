//! Mutexes of this crate: what follows one is sound after a panic, too, and is used on.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for a mutex, whatever became of the thread that had it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
