//! Links between documents that are identified by their ids only.

use super::ReclusterPolicy;
use neardup_core::measures::Overlap;
use neardup_core::util::forest::Forest;
use neardup_core::util::ratio::Ratio;
use std::collections::BTreeMap;

/// A pair of documents that belong to one cluster.
pub struct ClusterLink<'a> {
    /// The id of one document, the first by the order of ids.
    pub left: &'a str,
    /// The id of the other document.
    pub right: &'a str,
    /// Their overlap.
    pub overlap: Overlap,
    /// Whether they are exact copies.
    pub copies: bool,
}

/// All links, ordered by left, then right, as a run lists them.
///
/// The order of ids differs from the order of their bytes if ids are source and row. But among any rows that connect documents,
/// the first row has the first document on its left. So the order of the rows says which document comes first.
#[derive(Default)]
pub struct Links {
    numbers: BTreeMap<String, u32>,
    rows: Vec<LinkRow>,
}

/// A link between document numbers. Documents are numbered in the order in which they are first seen.
#[derive(Clone, Copy)]
struct LinkRow {
    pair: [u32; 2],
    overlap: Overlap,
    copies: bool,
}

/// The clusters that the links at or above a threshold make.
pub struct LinkedClusters<'a> {
    /// Id, cluster (the id that names it) and cluster size of every document in a cluster of two or more, by the bytes of the id.
    pub clusters: Vec<(&'a str, &'a str, u32)>,
    /// Number of links that reach the threshold.
    pub links: u64,
}

impl LinkedClusters<'_> {
    /// Returns the number of clusters, the number of documents in them, and the number of documents in the largest.
    pub fn counts(&self) -> [u64; 3] {
        let clusters = self.clusters.iter().filter(|(id, cluster, _)| id == cluster).count();
        [clusters as u64, self.clusters.len() as u64, self.clusters.iter().map(|row| row.2.into()).max().unwrap_or(0)]
    }
}

impl Links {
    /// Appends a link.
    pub fn add(&mut self, link: ClusterLink<'_>) {
        let pair = [self.number(link.left), self.number(link.right)];
        self.rows.push(LinkRow { pair, overlap: link.overlap, copies: link.copies });
    }

    fn number(&mut self, id: &str) -> u32 {
        if let Some(&number) = self.numbers.get(id) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(id.to_owned(), number);
        number
    }

    /// Returns the clusters that `policy` makes of the links that reach `threshold`.
    pub fn found(&self, policy: ReclusterPolicy, threshold: &Ratio) -> LinkedClusters<'_> {
        let reaching: Vec<LinkRow> = self.rows.iter().filter(|row| policy.holds(row.overlap, threshold)).copied().collect();
        let links = reaching.len() as u64;
        let rows = match policy {
            ReclusterPolicy::Resemblance | ReclusterPolicy::Containment => reaching,
            ReclusterPolicy::ContainedBy => self.containers(&reaching),
        };
        let count = self.numbers.len();
        let mut forest = Forest::new(count);
        rows.iter().for_each(|row| forest.union(row.pair[0], row.pair[1]));
        let (mut names, mut sizes) = (vec![None; count], vec![0; count]);
        rows.iter().for_each(|row| _ = names[forest.find(row.pair[0]) as usize].get_or_insert(row.pair[0]));
        (0..count as u32).for_each(|number| sizes[forest.find(number) as usize] += 1);
        let mut ids = vec![""; count];
        self.numbers.iter().for_each(|(id, &number)| ids[number as usize] = id);
        let cluster = |&number: &u32| {
            let root = forest.find(number) as usize;
            (ids[number as usize], ids[names[root].unwrap_or(number) as usize], sizes[root])
        };
        LinkedClusters { clusters: self.numbers.values().map(cluster).filter(|(_, _, size)| *size > 1).collect(), links }
    }

    /// Returns the links of exact copies and, for every family of copies, the link to the largest document that contains it; the
    /// first of equally large ones. A family may be linked through its first member only: a document that contains the first
    /// contains all copies.
    fn containers(&self, rows: &[LinkRow]) -> Vec<LinkRow> {
        let mut families = Forest::new(self.numbers.len());
        rows.iter().filter(|row| row.copies).for_each(|row| families.union(row.pair[0], row.pair[1]));
        // For every family: the size of its container, and the row that links them.
        let mut best: Vec<Option<(u32, usize)>> = vec![None; self.numbers.len()];
        for (place, row) in rows.iter().enumerate().filter(|(_, row)| !row.copies) {
            let ([left, right], Overlap { left: left_size, right: right_size, .. }) = (row.pair, row.overlap);
            let (inner, size) = if left_size < right_size { (left, right_size) } else { (right, left_size) };
            let largest_inner = &mut best[families.find(inner) as usize];
            if largest_inner.is_none_or(|(largest, _)| largest < size) {
                *largest_inner = Some((size, place));
            }
        }
        let mut chosen: Vec<usize> = best.into_iter().flatten().map(|(_, place)| place).collect();
        chosen.extend((0..rows.len()).filter(|&place| rows[place].copies));
        chosen.sort_unstable();
        chosen.into_iter().map(|place| rows[place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(pairs: &[(&str, u32, &str, u32, bool)]) -> Links {
        let mut links = Links::default();
        let overlap = |left: u32, right| Overlap { shared: left.min(right), left, right };
        pairs.iter().for_each(|&(left, l, right, r, copies)| links.add(ClusterLink { left, right, overlap: overlap(l, r), copies }));
        links
    }

    fn clusters(links: &Links, policy: ReclusterPolicy) -> Vec<(&str, &str, u32)> {
        links.found(policy, &Ratio::ZERO).clusters
    }

    #[test]
    fn components_are_named_by_their_first_id() {
        let links = links(&[("b", 9, "d", 9, false), ("c", 9, "d", 9, true), ("x", 5, "y", 5, false)]);
        let expected = [("b", "b", 3), ("c", "b", 3), ("d", "b", 3), ("x", "x", 2), ("y", "x", 2)];
        assert_eq!(clusters(&links, ReclusterPolicy::Resemblance), expected);
    }

    #[test]
    fn which_id_is_first_the_rows_say() {
        let links = links(&[("f:2", 9, "f:10", 9, false), ("f:9", 5, "f:30", 5, false), ("f:10", 9, "f:11", 9, false)]);
        let expected = [("f:10", "f:2", 3), ("f:11", "f:2", 3), ("f:2", "f:2", 3), ("f:30", "f:9", 2), ("f:9", "f:9", 2)];
        assert_eq!(clusters(&links, ReclusterPolicy::Resemblance), expected);
        assert_eq!(clusters(&links, ReclusterPolicy::ContainedBy), expected);
    }

    #[test]
    fn a_part_of_two_does_not_join_them() {
        // p is part of both a and b; b is the larger of the two.
        let links = links(&[("a", 50, "p", 5, false), ("a", 50, "q", 7, false), ("b", 60, "p", 5, false)]);
        assert_eq!(clusters(&links, ReclusterPolicy::Containment).iter().map(|row| row.2).collect::<Vec<_>>(), [4, 4, 4, 4]);
        assert_eq!(clusters(&links, ReclusterPolicy::ContainedBy), [("a", "a", 2), ("b", "b", 2), ("p", "b", 2), ("q", "a", 2)]);
        // Of two containers of equal size, the first takes it.
        let links = self::links(&[("a", 9, "p", 5, false), ("b", 9, "p", 5, false)]);
        assert_eq!(clusters(&links, ReclusterPolicy::ContainedBy), [("a", "a", 2), ("p", "a", 2)]);
    }

    #[test]
    fn a_star_of_copies_stays_whole() {
        // d, e, g are copies, listed as a star from e. x and z contain them, and z is larger than x.
        let star = [("d", 5, "e", 5, true), ("e", 5, "g", 5, true), ("e", 5, "x", 8, false), ("e", 5, "z", 9, false)];
        let all = [
            ("d", 5, "e", 5, true),
            ("d", 5, "g", 5, true),
            ("d", 5, "x", 8, false),
            ("d", 5, "z", 9, false),
            ("e", 5, "g", 5, true),
            ("e", 5, "x", 8, false),
            ("e", 5, "z", 9, false),
            ("g", 5, "x", 8, false),
            ("g", 5, "z", 9, false),
        ];
        for policy in [ReclusterPolicy::Resemblance, ReclusterPolicy::Containment, ReclusterPolicy::ContainedBy] {
            assert_eq!(clusters(&links(&star), policy), clusters(&links(&all), policy));
        }
        let expected = [("d", "d", 4), ("e", "d", 4), ("g", "d", 4), ("z", "d", 4)];
        assert_eq!(clusters(&links(&star), ReclusterPolicy::ContainedBy), expected);
    }
}
