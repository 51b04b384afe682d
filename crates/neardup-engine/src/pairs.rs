//! Pairs of documents: what was scored, with exact copies brought back.

use crate::Result;
use crate::groups::Groups;
use crate::rule::Rule;
use crate::signed::Signed;
use neardup_core::measures::Overlap;
use neardup_core::pass::Pass;

/// Two documents that are near-duplicates, with the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The document whose id comes first; of a cross pair the one of the input.
    pub left: u32,
    /// The other.
    pub right: u32,
    /// Why.
    pub rule: Rule,
    /// What they share.
    pub overlap: Overlap,
}

/// A family of exact copies too large to be written as all its pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Star {
    /// Its first member, with which every other is paired.
    pub first: u32,
    /// How many members it has.
    pub size: usize,
}

/// Expands `near`, pairs of firsts, by their copies; adds the pairs inside every group of copies. Groups of more than
/// `max_family` members are tied to their first only. Ordered by the ids of left and right.
pub fn expand(
    signed: &Signed,
    pass: &Pass,
    groups: &Groups,
    near: &[Scored],
    id_rank: &[u32],
    max_family: usize,
) -> Result<(Vec<Scored>, Vec<Star>)> {
    let mut expansion = Expansion { signed, id_rank, pairs: Vec::new() };
    let mut stars = Vec::new();
    let family = |first: u32| {
        let copies = groups.copies.of(first);
        let copies = if copies.len() < max_family { copies } else { &[] };
        std::iter::once(first).chain(copies.iter().map(|pair| pair.1)).collect::<Vec<u32>>()
    };
    for pair in near {
        let rights = family(pair.right);
        for left in family(pair.left) {
            rights.iter().for_each(|&right| expansion.push(Scored { left, right, ..*pair }));
        }
    }
    let firsts: Vec<u32> = groups.copies.pairs.chunk_by(|left, right| left.0 == right.0).map(|group| group[0].0).collect();
    for (&first, size) in firsts.iter().zip(signed.sizes(pass, &firsts)?) {
        let members: Vec<u32> = std::iter::once(first).chain(groups.copies.of(first).iter().map(|pair| pair.1)).collect();
        let overlap = Overlap { shared: size, left: size, right: size };
        let star = members.len() > max_family;
        for (at, &left) in members[..if star { 1 } else { members.len() }].iter().enumerate() {
            for &right in &members[at + 1..] {
                expansion.push(Scored { left, right, rule: groups.rule(first, left, right), overlap });
            }
        }
        if star {
            stars.push(Star { first, size: members.len() });
        }
    }
    let mut pairs = expansion.pairs;
    pairs.sort_unstable_by_key(|pair| (id_rank[pair.left as usize], id_rank[pair.right as usize]));
    Ok((pairs, stars))
}

struct Expansion<'a> {
    signed: &'a Signed,
    id_rank: &'a [u32],
    pairs: Vec<Scored>,
}

impl Expansion<'_> {
    // With a reference only cross pairs count, the input's document on the left; else the smaller id is left.
    fn push(&mut self, pair: Scored) {
        let reference = |document| self.signed.is_reference(document);
        let against = (self.signed.reference as usize) < self.signed.len();
        if against && reference(pair.left) == reference(pair.right) {
            return;
        }
        let turned = if against { reference(pair.left) } else { self.id_rank[pair.left as usize] > self.id_rank[pair.right as usize] };
        self.pairs.push(if turned {
            Scored { left: pair.right, right: pair.left, overlap: pair.overlap.reversed(), ..pair }
        } else {
            pair
        });
    }
}
