//! One pass of a scheme, ready to run: its tests and its rules.

pub mod compiled;
pub mod rule;
pub mod test;
