//! What the reports of an evaluation, of sweeps and of repeated passages say, as plain data.

pub(crate) mod evaluation;
pub(crate) mod repeated_passages;
pub(crate) mod sweeps;
