//! Costs of plans: the formulae by which a plan is chosen (Manku, Jain, Das Sarma 2007, section 3).

use super::plan::TablePlan;

/// Number of comparisons of two fingerprints that take as long as arranging one key. Measured by the example
/// `fingerprints`.
const COMPARES_PER_KEY: u128 = 100;

/// Cost of finding all pairs of `documents` random fingerprints of f bits within m bits of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCost {
    /// The plan.
    pub plan: TablePlan,
    /// T, the number of tables: m + 1; (m + 2)(m + 1) / 2; (m + 1)^2.
    pub tables: u64,
    /// p, the number of bits in the shortest key.
    pub prefix: u64,
    /// N / 2^p, rounded: the number of fingerprints that share the shortest key with a given one by chance.
    pub candidates: u128,
    /// Number of pairs that share a key by chance: the sum over the tables of N (N - 1) / 2 / 2^p, each with its own p.
    pub compares: u128,
    /// Size of all keys, at 4 bytes each.
    pub bytes: u128,
}

impl BlockCost {
    /// Returns the cost of a plan for fingerprints of `bits` bits within `distance`, which is at most `bits` - 2.
    pub fn of(plan: TablePlan, documents: u64, bits: usize, distance: usize) -> BlockCost {
        let widths: Vec<u32> = plan.tables(bits, distance).iter().map(|places| places.count() as u32).collect();
        let (tables, prefix) = (widths.len() as u64, widths.iter().copied().min().unwrap_or(0));
        let count = u128::from(documents);
        let pairs = count * count.saturating_sub(1) / 2;
        BlockCost {
            plan,
            tables,
            prefix: u64::from(prefix),
            candidates: share(count, prefix),
            compares: widths.iter().map(|&width| share(pairs, width)).sum(),
            bytes: 4 * count * u128::from(tables),
        }
    }

    /// Returns the costs of all plans.
    pub fn all(documents: u64, bits: usize, distance: usize) -> [BlockCost; 3] {
        TablePlan::ALL.map(|plan| BlockCost::of(plan, documents, bits, distance))
    }

    /// Returns the plan of lowest cost. Of equal ones, it returns the one with the fewest tables.
    pub fn choose(documents: u64, bits: usize, distance: usize) -> TablePlan {
        let [first, rest @ ..] = BlockCost::all(documents, bits, distance);
        rest.into_iter().fold(first, |best, cost| if cost.work() < best.work() { cost } else { best }).plan
    }

    /// Returns the work as a number of comparisons. Each key counts as `COMPARES_PER_KEY` of them.
    fn work(&self) -> u128 {
        self.compares.saturating_add(self.bytes / 4 * COMPARES_PER_KEY)
    }
}

/// Returns `count` / 2^`bits`, rounded to the nearest integer.
fn share(count: u128, bits: u32) -> u128 {
    match bits {
        0 => count,
        1..128 => (count >> bits) + (count >> (bits - 1) & 1),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_paper() {
        let row = |plan, documents| {
            let cost = BlockCost::of(plan, documents, 64, 4);
            (cost.tables, cost.prefix, cost.candidates)
        };
        assert_eq!(row(TablePlan::Double, 100_000_000), (15, 20, 95));
        assert_eq!(row(TablePlan::Single, 100_000_000), (5, 12, 24_414));
        assert_eq!(row(TablePlan::Double, 10_000_000_000), (15, 20, 9_537));
        assert_eq!(row(TablePlan::Single, 10_000_000_000), (5, 12, 2_441_406));
        assert_eq!(row(TablePlan::Nested, 100_000_000), (25, 22, 24));
    }

    #[test]
    fn compares_are_what_random_fingerprints_share() {
        // 3,000 random fingerprints, and every pair in every table.
        let random = |number: u64| bytemuck::pod_read_unaligned::<u64>(&blake3::hash(&number.to_le_bytes()).as_bytes()[..8]);
        let fingerprints: Vec<u64> = (0..3000).map(random).collect();
        for plan in TablePlan::ALL {
            let shared: usize = plan
                .tables(64, 8)
                .iter()
                .map(|places| {
                    let mut keys: Vec<u32> = fingerprints.iter().map(|&fingerprint| places.key(&[fingerprint])).collect();
                    keys.sort_unstable();
                    keys.chunk_by(|left, right| left == right).map(|run| run.len() * (run.len() - 1) / 2).sum::<usize>()
                })
                .sum();
            let expected = BlockCost::of(plan, 3000, 64, 8).compares as f64;
            assert!((shared as f64 / expected - 1.0).abs() < 0.02, "{plan:?}: {shared} {expected}");
        }
    }

    #[test]
    fn more_documents_take_more_tables() {
        let chosen =
            [1_000, 1_000_000, 10_000_000, 1_000_000_000, 100_000_000_000].map(|documents| BlockCost::choose(documents, 64, 3).name());
        assert_eq!(chosen, ["single", "single", "single", "double", "nested"]);
        assert_eq!(BlockCost::choose(u64::MAX, 64, 0), TablePlan::Single);
        // With keys of 32 bits or more there is next to nothing to compare.
        assert_eq!(BlockCost::choose(10_000_000, 384, 10), TablePlan::Single);
    }

    #[test]
    fn bytes_are_those_of_the_keys() {
        assert_eq!(BlockCost::of(TablePlan::Double, 1_000_000, 64, 3).bytes, 10 * 4 * 1_000_000);
    }
}
