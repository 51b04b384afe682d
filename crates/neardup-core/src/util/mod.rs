//! Data structures and algorithms that know nothing of documents.
//!
//! What grows with the corpus is the distance to memory, so data that is read at random is small. `rank_bitmap` finds the
//! place of a document in a list by a bit and a count. `radix_partition` distributes values by their highest bits before they
//! are sorted. `scratch_pool` passes scratch from one task to the next, because memory that was never touched is expensive.
//! `store` keeps columns in one work file, and `external_sort` sorts pairs outside memory.

pub mod control;
pub mod external_sort;
pub mod forest;
pub mod group;
pub mod ids;
pub(crate) mod index;
pub mod numbering;
pub(crate) mod product;
pub(crate) mod radix_partition;
pub mod rank_bitmap;
pub mod ratio;
pub mod scratch_pool;
pub(crate) mod shared_forest;
pub(crate) mod sort_dedup;
pub mod splitmix;
pub mod store;
pub mod threads;
