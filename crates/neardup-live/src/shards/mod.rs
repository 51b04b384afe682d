//! The communication between the folders of a split index.
//!
//! Every shard takes the same steps with the same code, over the keys that belong to it. A question about matches concerns the
//! first leader, rivals, links, evidence or hits. For each, the shards share what they found, in one round. Documents are
//! identified by serial number, so the folders may have different segments. A round contains its topic, and a request ends with a
//! round. So shards whose states differ notice it, and none waits for ever. The answers are written with the step, so a log can be
//! replayed without the other shards. `exchange` connects shards by threads of one process, `tcp` by sockets. A shard that was
//! stopped catches up from the logs of the others, which keep them until all shards agree.

pub mod exchange;
pub mod peers;
pub mod received;
pub mod shard;
pub mod tcp;
pub mod topic;
