//! Links between documents that are known by their ids alone.

use super::Policy;
use neardup_core::components::Forest;
use std::collections::BTreeMap;

/// A pair that belongs together.
pub struct Link<'a> {
    /// The id of one document.
    pub left: &'a str,
    /// The id of the other.
    pub right: &'a str,
    /// Their features.
    pub sizes: [u32; 2],
}

/// All links, by numbers in the order in which ids were seen.
#[derive(Default)]
pub struct Links {
    numbers: BTreeMap<String, u32>,
    sizes: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl Links {
    /// Adds a link.
    pub fn add(&mut self, link: Link<'_>) {
        let pair = [self.number(link.left, link.sizes[0]), self.number(link.right, link.sizes[1])];
        self.pairs.push(pair);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.pairs.len() as u64
    }

    fn number(&mut self, id: &str, size: u32) -> u32 {
        if let Some(&number) = self.numbers.get(id) {
            return number;
        }
        let number = self.sizes.len() as u32;
        self.sizes.push(size);
        self.numbers.insert(id.to_owned(), number);
        number
    }

    /// The id, the cluster (the id that names it) and its size for every linked document, by id.
    pub fn clusters(&self, policy: Policy) -> Vec<(&str, &str, u32)> {
        let ids: Vec<&str> = self.numbers.keys().map(String::as_str).collect();
        // From here on a document's number is its place among the ids, so that the smallest number is the smallest id.
        let mut rank = vec![0; ids.len()];
        (0..).zip(self.numbers.values()).for_each(|(place, &number)| rank[number as usize] = place);
        let mut forest = Forest::new(ids.len());
        match policy {
            Policy::Resemblance | Policy::Containment => {
                self.pairs.iter().for_each(|pair| forest.union(rank[pair[0] as usize], rank[pair[1] as usize]));
            }
            Policy::ContainedBy => self.containers(&rank).iter().for_each(|&(inner, outer)| forest.union(inner, outer)),
        }
        let roots: Vec<u32> = (0..ids.len() as u32).map(|place| forest.find(place)).collect();
        let mut sizes = vec![0; ids.len()];
        roots.iter().for_each(|&root| sizes[root as usize] += 1);
        ids.iter().zip(roots).map(|(&id, root)| (id, ids[root as usize], sizes[root as usize])).collect()
    }

    /// Every document that another contains, with the largest that does; of equally large ones the first by id.
    fn containers(&self, rank: &[u32]) -> Vec<(u32, u32)> {
        let mut outer: BTreeMap<u32, (u32, std::cmp::Reverse<u32>)> = BTreeMap::new();
        for &[left, right] in &self.pairs {
            let key = |number: u32| (self.sizes[number as usize], std::cmp::Reverse(rank[number as usize]));
            let (inner, container) = if key(left) < key(right) { (left, right) } else { (right, left) };
            let best = outer.entry(rank[inner as usize]).or_insert(key(container));
            *best = (*best).max(key(container));
        }
        outer.into_iter().map(|(inner, (_, container))| (inner, container.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(pairs: &[(&str, u32, &str, u32)]) -> Links {
        let mut links = Links::default();
        pairs.iter().for_each(|&(left, l, right, r)| links.add(Link { left, right, sizes: [l, r] }));
        links
    }

    #[test]
    fn components_are_named_by_their_smallest_id() {
        let links = links(&[("d", 9, "c", 9), ("b", 9, "d", 9), ("x", 5, "y", 5)]);
        let expected = [("b", "b", 3), ("c", "b", 3), ("d", "b", 3), ("x", "x", 2), ("y", "x", 2)];
        assert_eq!(links.clusters(Policy::Resemblance), expected);
    }

    #[test]
    fn a_part_of_two_does_not_join_them() {
        // p is part of both a and b; b is the larger one.
        let links = links(&[("a", 50, "p", 5), ("b", 60, "p", 5), ("q", 7, "a", 50)]);
        assert_eq!(links.clusters(Policy::Containment).iter().map(|row| row.2).collect::<Vec<_>>(), [4, 4, 4, 4]);
        assert_eq!(links.clusters(Policy::ContainedBy), [("a", "a", 2), ("b", "b", 2), ("p", "b", 2), ("q", "a", 2)]);
    }
}
