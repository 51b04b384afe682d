//! Blocks of bits: fingerprints that differ in few bits are equal in some blocks (Manku, Jain, Das Sarma 2007).

mod cost;
mod places;
mod plan;

use super::bands::fold;

pub use cost::BlockCost;
pub use places::BitRuns;
pub use plan::TablePlan;

/// One key per table: the bits of a fingerprint at the places of the table. Two fingerprints that differ in at most
/// `distance` bits share a key.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// m.
    pub distance: u32,
    /// Number of 64-bit words in a fingerprint.
    pub words: usize,
    tables: Vec<BitRuns>,
    all: BitRuns,
}

impl Blocks {
    /// Creates the tables of `plan` for fingerprints of `bits` bits, at least `distance` + 2.
    pub fn new(bits: usize, distance: usize, plan: TablePlan) -> Self {
        Blocks { distance: distance as u32, words: bits.div_ceil(64), tables: plan.tables(bits, distance), all: BitRuns::all(bits) }
    }

    /// Returns the number of tables.
    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// Appends one key per table.
    pub fn keys(&self, fingerprint: &[u64], out: &mut Vec<u32>) {
        out.extend(self.tables.iter().map(|places| places.key(fingerprint)));
    }

    /// Returns the keys in full width, each hashed with the number of its table, ascending.
    pub fn whole(&self, fingerprint: &[u64]) -> Vec<u64> {
        let keys = (1..).zip(&self.tables).map(|(table, places)| fold(places.hash(fingerprint), table));
        let mut whole: Vec<u64> = keys.collect();
        whole.sort_unstable();
        whole
    }

    /// Returns the bits that are not in the keys of a table.
    pub fn beside(&self, table: usize) -> BitRuns {
        self.all.without(&self.tables[table])
    }
}
