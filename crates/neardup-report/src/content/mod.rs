//! The content of the report of a run, as plain data.

pub(crate) mod capped;
pub(crate) mod cluster;
pub(crate) mod cluster_table;
pub(crate) mod counts;
pub(crate) mod document;
pub(crate) mod evidence;
pub(crate) mod fraction;
pub(crate) mod group;
pub(crate) mod histogram;
pub(crate) mod input;
pub(crate) mod limits;
pub(crate) mod member;
pub(crate) mod pair;
pub(crate) mod phase;
pub(crate) mod recall;
pub(crate) mod report;
pub(crate) mod step;
