//! The pages, rendered from templates.

pub(crate) mod changes;
pub(crate) mod evaluation;
pub(crate) mod repeated_passages;
pub(crate) mod report;
pub(crate) mod style;
pub(crate) mod sweeps;
pub(crate) mod view;
