//! One pass of a scheme, ready to run: its tests and its rules.
//!
//! A pass has three kinds of tests. They are evaluated in this order, whatever their order in the scheme, and the first one
//! that fails ends the evaluation:
//!
//! 1. On sketches (`~`, `hamming`, `equal`): an estimate computes a fraction of two integers from the stored parts of two
//!    signatures, and `CompiledPass::possible` compares it with the bound. Values of keys that `over=drop` dropped are removed
//!    first.
//! 2. On feature sets (`resemblance`, `containment`): `CompiledPass::holds`, by the exact overlap. Dropped keys count here.
//! 3. On whole texts (`levenshtein`, `cosine`): see `decide::text_tests`.
//!
//! Whichever kind decides, the evidence is the exact overlap of the feature sets: the shared features and both sizes.

pub mod compiled;
pub mod rule;
pub mod test;
