use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Progress of a running job, and the request to cancel it. Threads share it by reference.
#[derive(Debug)]
pub struct JobControl {
    /// Bytes of the input that are done. If one thread cuts chunks for the others, these are the bytes that it has read. Bytes of
    /// compressed files are counted as compressed.
    pub bytes: AtomicU64,
    /// Number of records that are done.
    pub records: AtomicU64,
    cancelled: AtomicBool,
    /// Maximum number of bytes of the window of a compressed stream.
    window: AtomicU64,
}

impl Default for JobControl {
    fn default() -> Self {
        let (bytes, records) = (AtomicU64::new(0), AtomicU64::new(0));
        JobControl { bytes, records, cancelled: AtomicBool::new(false), window: AtomicU64::new(u64::MAX) }
    }
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

    /// Limits the memory that a compressed stream may use for the bytes that it refers to. By default there is no limit.
    pub fn limit_window(&self, bytes: u64) {
        self.window.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn window(&self) -> u64 {
        self.window.load(Ordering::Relaxed)
    }

    pub(crate) fn add_bytes(&self, count: u64) {
        self.bytes.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn add_records(&self, count: u64) {
        self.records.fetch_add(count, Ordering::Relaxed);
    }
}
