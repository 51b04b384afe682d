//! The content of the reports of an evaluation, of sweeps and their changes, and of repeated passages, as plain data.

pub(crate) mod changes;
pub(crate) mod evaluation;
pub(crate) mod repeated_passages;
pub(crate) mod sweeps;
