//! The findings of a pass: pairs, decisions, clusters.

pub(crate) mod clusters;
pub(crate) mod components;
pub(crate) mod decisions;
pub(crate) mod forest;
pub(crate) mod kept_per_duplicate;
pub(crate) mod leader_groups;
pub(crate) mod near_misses;
pub(crate) mod pairs;
pub(crate) mod pass_context;
pub(crate) mod passages;
pub(crate) mod stored;
