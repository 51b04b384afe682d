//! The whole feature set as its own signature, for exact joins.

/// Sorted distinct features.
#[derive(Clone, Debug)]
pub struct Whole;

impl Whole {
    /// Writes the distinct `features` in ascending order.
    pub fn sign(&self, features: &[u64], values: &mut Vec<u64>) {
        values.clear();
        values.extend(features.iter().map(|&feature| feature.max(1)));
        values.sort_unstable();
        values.dedup();
    }
}
