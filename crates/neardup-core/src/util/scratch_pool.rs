//! Scratch pools: scratch that the next task uses again, so that memory is taken once for every thread and not for every task.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Scratch that is idle.
#[derive(Debug)]
pub struct ScratchPool<T>(Mutex<Vec<T>>);

impl<T> Default for ScratchPool<T> {
    fn default() -> Self {
        ScratchPool(Mutex::default())
    }
}

impl<T> ScratchPool<T> {
    /// Runs `work` with scratch that is idle, or else is made.
    pub fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.idle().pop();
        let mut room = idle.unwrap_or_else(make);
        let result = work(&mut room);
        self.idle().push(room);
        result
    }

    /// All that is idle: everything, while no task runs.
    pub fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
