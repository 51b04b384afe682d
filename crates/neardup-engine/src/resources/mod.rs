//! What a run may take of memory, disk and threads, and what it will take.

pub(crate) mod budget;
pub(crate) mod family;
pub(crate) mod forecast;
pub(crate) mod longest;
pub(crate) mod machine;
pub(crate) mod sample_stats;
pub(crate) mod threads;
