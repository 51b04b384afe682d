//! Scratch pool: buffers that the next task uses again. Memory is allocated once per thread, not once per task.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Idle buffers.
#[derive(Debug)]
pub struct ScratchPool<T>(Mutex<Vec<T>>);

impl<T> Default for ScratchPool<T> {
    fn default() -> Self {
        ScratchPool(Mutex::default())
    }
}

impl<T> ScratchPool<T> {
    /// Runs `work` with an idle buffer, or with one from `make` if none is idle.
    pub fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.idle().pop();
        let mut room = idle.unwrap_or_else(make);
        let result = work(&mut room);
        self.idle().push(room);
        result
    }

    /// Locks and returns the idle buffers: all of them, while no task runs.
    pub fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
