use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a running job shows to the outside and hears from it; shared between threads by reference.
#[derive(Debug, Default)]
pub struct JobControl {
    /// Bytes of the input that have been worked on so far; where one thread cuts for others, that have been read (of compressed
    /// files: their compressed bytes).
    pub bytes: AtomicU64,
    /// Records that have been worked on so far.
    pub records: AtomicU64,
    cancelled: AtomicBool,
}

impl JobControl {
    /// Asks the job to stop; it does so at its next chunk with [`crate::Error::Cancelled`].
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the job was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn add_bytes(&self, count: u64) {
        self.bytes.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn add_records(&self, count: u64) {
        self.records.fetch_add(count, Ordering::Relaxed);
    }
}
