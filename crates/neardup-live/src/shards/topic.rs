//! Topics of the rounds between shards.

/// The topic of a round. It reveals shards whose states or requests differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Topic {
    /// The first shard has its lock, and the others take theirs.
    Locks = 1,
    /// The step and the requests of each shard.
    Position,
    /// Steps that other shards missed.
    Missed,
    /// Documents, by serial number.
    Documents,
    /// The features that two documents share.
    Overlap,
    /// The texts that a query found.
    Hits,
    /// A count.
    Count,
    /// The end of a request: every shard has completed its part.
    End,
}
