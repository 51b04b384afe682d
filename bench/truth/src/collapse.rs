//! Documents with equal shingle sets become one group before the join.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A document, with its group.
pub struct Document {
    /// Id of the document.
    pub id: String,
    /// Index of its group in the sets; `None` for a blank text.
    pub group: Option<usize>,
    /// Number of its shingles.
    pub size: usize,
}

/// All documents, and the distinct shingle sets among them.
pub struct Corpus {
    /// In input order.
    pub documents: Vec<Document>,
    /// Shingle sets in order of first appearance. Each contains ranks in ascending order, the rarest shingle first. A group
    /// of documents without shingles has an empty set.
    pub sets: Vec<Vec<u32>>,
    /// Number of distinct shingles.
    pub distinct: usize,
}

/// Collects documents and groups those with equal sets.
#[derive(Default)]
pub struct Gather {
    documents: Vec<Document>,
    sets: Vec<Vec<u32>>,
    numbers: HashMap<u128, u32, BuildHasherDefault<Fold>>,
    groups: HashMap<u128, Vec<usize>>,
    bare: HashMap<String, usize>,
}

impl Gather {
    /// Adds a document with the ascending fingerprints of its shingles.
    pub fn push(&mut self, id: &str, text: &str, fingerprints: &[u128]) {
        let mut set: Vec<u32> = Vec::with_capacity(fingerprints.len());
        for &fingerprint in fingerprints {
            let next = self.numbers.len() as u32;
            set.push(*self.numbers.entry(fingerprint).or_insert(next));
        }
        let size = set.len();
        let group = if size > 0 {
            // A cheap key finds the few sets that may be equal; then the sets themselves are compared.
            let key = fingerprints.iter().fold(size as u128, |sum, &one| sum.wrapping_add(one));
            let members = self.groups.entry(key).or_default();
            let known = members.iter().copied().find(|&group| self.sets[group] == set);
            Some(known.unwrap_or_else(|| {
                members.push(self.sets.len());
                self.sets.push(set);
                self.sets.len() - 1
            }))
        } else if text.trim().is_empty() {
            None
        } else {
            Some(*self.bare.entry(text.to_owned()).or_insert_with(|| {
                self.sets.push(Vec::new());
                self.sets.len() - 1
            }))
        };
        self.documents.push(Document { id: id.to_owned(), group, size });
    }

    /// Renumbers shingles by rank: those in the fewest groups first, ties by first appearance.
    pub fn finish(mut self) -> Corpus {
        let distinct = self.numbers.len();
        let mut holders = vec![0_u32; distinct];
        for &shingle in self.sets.iter().flatten() {
            holders[shingle as usize] += 1;
        }
        let mut order: Vec<u32> = (0..distinct as u32).collect();
        order.sort_by_key(|&shingle| holders[shingle as usize]);
        let mut ranks = holders;
        for (rank, &shingle) in order.iter().enumerate() {
            ranks[shingle as usize] = rank as u32;
        }
        for set in &mut self.sets {
            set.iter_mut().for_each(|shingle| *shingle = ranks[*shingle as usize]);
            set.sort_unstable();
        }
        Corpus { documents: self.documents, sets: self.sets, distinct }
    }
}

/// Takes 64 bits of a fingerprint, which is uniformly distributed already.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_share_a_group() {
        let mut gather = Gather::default();
        for (id, text, set) in [
            ("a", "x", vec![1, 2, 3]),
            ("b", "y", vec![2, 3, 4]),
            ("c", "x", vec![1, 2, 3]),
            ("d", "??", vec![]),
            ("e", "??", vec![]),
            ("f", "!", vec![]),
            ("g", " \n", vec![]),
        ] {
            gather.push(id, text, &set);
        }
        let corpus = gather.finish();
        let groups: Vec<Option<usize>> = corpus.documents.iter().map(|document| document.group).collect();
        assert_eq!(groups, [Some(0), Some(1), Some(0), Some(2), Some(2), Some(3), None]);
        // 1 and 4 occur in one group each and get the lowest ranks
        assert_eq!(corpus.sets, [vec![0, 2, 3], vec![1, 2, 3], vec![], vec![]]);
    }
}
