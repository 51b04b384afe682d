//! What the folders of a split index ask each other.
//!
//! Every shard takes the same steps with the same code, over the keys that belong to it. For a question about matches - the
//! first leader, rivals, links, evidence, hits - each shard adds what the others found, in one round. Documents are named by serial
//! number, so it does not matter which segments each folder has. A round names its topic, and a request ends with a round, so
//! shards that do not know the same find it out and none waits for ever. The answers are written with the step, so a log is
//! replayed without the other shards. `exchange` connects shards by threads of one process or by sockets. A shard that was
//! stopped catches up from the logs of the others, which keep them until all have agreed.

pub mod exchange;
pub mod peers;
pub mod received;
pub mod shard;
pub mod tcp;
pub mod topic;
