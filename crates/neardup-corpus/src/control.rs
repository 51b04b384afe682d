use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Progress of a running job, and the request to cancel it. Threads share it by reference.
#[derive(Debug, Default)]
pub struct JobControl {
    /// Bytes of the input that are done. If one thread cuts chunks for the others, these are the bytes that it has read. Bytes of
    /// compressed files are counted as compressed.
    pub bytes: AtomicU64,
    /// Number of records that are done.
    pub records: AtomicU64,
    cancelled: AtomicBool,
}

impl JobControl {
    /// Asks the job to stop. It stops at its next chunk with [`crate::Error::Cancelled`].
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
