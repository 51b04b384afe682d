//! Plans: which bits of a fingerprint are the key of each table (Manku, Jain, Das Sarma 2007).

use super::places::BitRuns;

/// Ways to cut a fingerprint, so that two within m bits are equal in all bits of at least one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablePlan {
    /// m + 1 blocks: m differences leave at least one block equal.
    Single,
    /// m + 2 blocks: m differences leave at least two equal, which together are a longer key.
    Double,
    /// m + 1 blocks. For each, the other bits are again cut into m + 1 blocks.
    Nested,
}

impl TablePlan {
    /// All plans, the one with the fewest tables first.
    pub const ALL: [TablePlan; 3] = [TablePlan::Single, TablePlan::Double, TablePlan::Nested];

    /// Returns the name in a scheme.
    pub const fn name(self) -> &'static str {
        match self {
            TablePlan::Single => "single",
            TablePlan::Double => "double",
            TablePlan::Nested => "nested",
        }
    }

    /// Returns the plan of this name.
    pub fn find(name: &str) -> Option<TablePlan> {
        TablePlan::ALL.into_iter().find(|plan| plan.name() == name)
    }

    /// Returns the places of every table, for fingerprints of `bits` bits, at least `distance` + 2.
    pub fn tables(self, bits: usize, distance: usize) -> Vec<BitRuns> {
        let all = BitRuns::all(bits);
        match self {
            TablePlan::Single => all.cut(distance + 1),
            TablePlan::Double => {
                let blocks = all.cut(distance + 2);
                let pairs = (0..blocks.len()).flat_map(|left| (left + 1..blocks.len()).map(move |right| (left, right)));
                pairs.map(|(left, right)| blocks[left].and(&blocks[right])).collect()
            }
            TablePlan::Nested => {
                let inside =
                    |block: &BitRuns| all.without(block).cut(distance + 1).iter().map(|inner| block.and(inner)).collect::<Vec<_>>();
                all.cut(distance + 1).iter().flat_map(inside).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_prefixes() {
        // m, tables, bits in the narrowest key.
        let table = [
            (TablePlan::Single, 4, 5, 12),
            (TablePlan::Double, 4, 15, 20),
            (TablePlan::Nested, 4, 25, 22),
            (TablePlan::Single, 3, 4, 16),
            (TablePlan::Double, 3, 10, 25),
            (TablePlan::Nested, 3, 16, 28),
            (TablePlan::Double, 0, 1, 64),
            (TablePlan::Nested, 0, 1, 64),
        ];
        for (plan, distance, tables, prefix) in table {
            let places = plan.tables(64, distance);
            assert_eq!((places.len(), places.iter().map(BitRuns::count).min().unwrap()), (tables, prefix), "{plan:?} {distance}");
        }
    }

    #[test]
    fn differences_always_leave_a_table_untouched() {
        // All ways to change up to `distance` of nine bits.
        for plan in TablePlan::ALL {
            for distance in 0..=3u32 {
                let tables = plan.tables(9, distance as usize);
                for changed in (0..1u64 << 9).filter(|changed| changed.count_ones() <= distance) {
                    assert!(tables.iter().any(|places| places.key(&[changed]) == places.key(&[0])), "{plan:?} {changed:b}");
                }
            }
        }
    }
}
