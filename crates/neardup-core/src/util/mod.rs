//! Data structures and algorithms that do not depend on documents.
//!
//! The larger the corpus, the more time random reads of memory take, so data that is read at random is kept small.
//! `rank_bitmap` finds the place of a document in a list by a bit and a count. `radix_partition` distributes values by
//! their highest bits before they are sorted. `scratch_pool` passes buffers from one task to the next, because the first
//! use of fresh memory is expensive. `store` keeps columns in one work file, and `external_sort` sorts pairs that do not
//! fit in memory.

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
