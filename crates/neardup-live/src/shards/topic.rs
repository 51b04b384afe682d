//! Topics: what a round of the shards is about.

/// What a round is about. Shards that do not mean the same are found out by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Topic {
    /// The first shard has its lock, and the others take theirs.
    Locks = 1,
    /// At which step each of them is, and what it is asked.
    Standing,
    /// Steps that others missed.
    Missed,
    /// Documents, by serial number.
    Documents,
    /// What two documents share.
    Overlap,
    /// What a query found.
    Hits,
    /// A count.
    Count,
    /// The end of a request: each of them has done its part.
    End,
}
