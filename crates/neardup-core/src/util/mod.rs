//! Data structures and algorithms that know nothing of documents.

pub mod control;
pub mod external_sort;
pub mod forest;
pub mod group;
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
