//! Slices: a component that does not fit in memory is decided some documents at a time.
//!
//! A slice contains the next documents in policy order, which look for candidates, and the other documents that they meet
//! ([`KeyScope`]). The documents that a document meets depend on earlier documents, which are decided by then. So the
//! result is that of the whole component, wherever slices end. The memory limit decides where the next slice ends. To find
//! that out, the buckets are read twice; only the slice's own are kept.

use crate::Result;
use crate::candidates::batches::MemoryWeights;
use crate::candidates::buckets::{Buckets, StoredBuckets};
use crate::keys::KeyKind;
use crate::util::ids::{DocId, Rank};
use crate::util::store::Store;
use std::collections::HashMap;
use std::ops::Range;

/// A predicate on documents.
type DocumentFilter<'a> = &'a dyn Fn(DocId) -> bool;

/// The documents that the documents of a slice meet by one key.
pub enum KeyScope<'a> {
    /// To be led: a document meets the leaders that precede it; for a key with a cap, the first of them
    /// ([`crate::decide::leaders`]).
    Leaders {
        /// Whether a document that precedes the slice leads.
        leads: DocumentFilter<'a>,
    },
    /// To be scored: a document meets all that precede it; for a star, its first member ([`crate::decide::pairs`]).
    Earlier {
        /// Maximum number of members of a key; a key of more is a star.
        max_family: usize,
    },
    /// To be connected: a document meets all that precede it and are not connected with it; for a capped key, its first
    /// leaders, before or after it ([`crate::decide::components`]).
    Unconnected {
        /// Whether a document follows another.
        follows: DocumentFilter<'a>,
        /// Root of the documents with which a document is connected.
        root: &'a dyn Fn(DocId) -> DocId,
    },
    /// To be certified: a drawn document meets those that it looks at, by keys that are not capped
    /// ([`crate::certificate`]).
    Certified {
        /// Whether a document is drawn.
        drawn: DocumentFilter<'a>,
        /// Whether a drawn document looks at another one, or at itself.
        compares: &'a dyn Fn(DocId, DocId) -> bool,
    },
}

/// A component in slices.
pub struct Slices<'a> {
    /// The store of its buckets.
    pub store: &'a Store,
    /// Its buckets.
    pub parts: &'a [StoredBuckets],
    /// The kinds of keys of the pass.
    pub kinds: &'a [KeyKind],
    /// Number of documents of the run.
    pub documents: usize,
    /// Returns the place of a document in policy order.
    pub position: &'a dyn Fn(DocId) -> Rank,
    /// Weights of the data of a slice in memory.
    pub weights: &'a MemoryWeights<'a>,
    /// Maximum weight of a slice, in bytes. It is doubled if one document, with those it meets, takes more than half of it,
    /// so that these are present for many documents. A slice weighs more than that only if one document alone does.
    pub limit: usize,
}

/// Data that is in memory together.
#[derive(Debug)]
pub struct Slice {
    /// Its buckets, with the documents that are present.
    pub buckets: Buckets,
    /// Places in policy order of the documents that look for candidates.
    pub positions: Range<Rank>,
    /// Its weight, in bytes.
    pub weight: usize,
}

/// A bucket in memory.
struct Bucket<'b> {
    kind: &'b KeyKind,
    /// Its documents in policy order, each with its place.
    members: &'b [PolicyMember],
    /// Number of documents that precede the slice.
    before: usize,
}

/// A place in policy order and a document. The place is the document's own, or that of the document for which it is
/// present.
type PolicyMember = (Rank, DocId);

/// Unit in which costs are summed, so that the largest fits in 32 bits.
const UNIT: usize = 16;

impl Slices<'_> {
    /// Returns the slice that begins at the place `start` of policy order.
    pub fn next(&self, start: Rank, scope: &KeyScope<'_>) -> Result<Slice> {
        // For each document, the place from which on it is present; for each place, the cost of everything that is present
        // because of its document.
        let (mut since, mut costs) = (vec![Rank::NONE; self.documents], vec![0u32; self.documents]);
        let mut add = |place: Rank, bytes: usize| {
            let cost = &mut costs[place.index()];
            *cost = cost.saturating_add(bytes.div_ceil(UNIT) as u32);
        };
        self.each(start, scope, &|_| false, |_, _, present| {
            for &(place, document) in present {
                since[document.index()] = since[document.index()].min(place);
                add(place, self.weights.membership);
            }
        })?;
        DocId::FIRST
            .onwards()
            .zip(&since)
            .filter(|(_, place)| **place < Rank::NONE)
            .for_each(|(document, &place)| add(place, (self.weights.document)(document)));
        let end = self.end(start, &costs);
        drop(costs);
        let is_here = |document: DocId| since[document.index()] < end;
        let here = DocId::first(self.documents).filter(|&document| is_here(document));
        let weight = here.map(|document| (self.weights.document)(document)).sum();
        let mut slice = Slice { buckets: Buckets::default(), positions: start..end, weight };
        let mut here: Vec<DocId> = Vec::new();
        self.each(start, scope, &is_here, |part, size, present| {
            here.clear();
            here.extend(present.iter().filter(|(place, _)| *place < end).map(|(_, document)| document));
            here.sort_unstable();
            here.dedup();
            if here.len() > 1 {
                slice.weight += here.len() * self.weights.membership;
                slice.buckets.push_some(&here, size);
                slice.buckets.are_of(part.kind, part.table);
            }
        })?;
        Ok(slice)
    }

    /// Returns, for each document that is `wanted`, the number of members of its buckets that are not capped, all together
    /// ([`crate::certificate::DrawnCandidate::members`]).
    pub fn members(&self, wanted: DocumentFilter<'_>) -> Result<HashMap<DocId, u64>> {
        let (mut members, mut is_wanted) = (HashMap::new(), vec![None; self.documents]);
        for part in self.parts {
            for bucket in Buckets::load(self.store, [part])?.iter().filter(|bucket| !self.kinds[part.kind].caps(bucket.len())) {
                for &document in bucket {
                    if *is_wanted[document.index()].get_or_insert_with(|| wanted(document)) {
                        *members.entry(document).or_default() += bucket.len() as u64;
                    }
                }
            }
        }
        Ok(members)
    }

    /// Returns the end of a slice that is not too heavy.
    fn end(&self, start: Rank, costs: &[u32]) -> Rank {
        let (mut weight, mut limit, half) = (0, self.limit / UNIT, self.limit / UNIT / 2);
        for (place, &cost) in Rank::FIRST.onwards().zip(costs).skip(start.index()).filter(|(_, cost)| **cost > 0) {
            let cost = cost as usize;
            if weight + cost > limit && weight <= half {
                limit = 4 * half;
            }
            if weight > 0 && weight + cost > limit {
                return place;
            }
            weight += cost;
        }
        Rank(self.documents as u32)
    }

    /// Calls `take` for every bucket by which a document from the place `start` on meets another one. Passes the size of
    /// the bucket and the documents that must be present.
    fn each(
        &self,
        start: Rank,
        scope: &KeyScope<'_>,
        is_here: DocumentFilter<'_>,
        mut take: impl FnMut(&StoredBuckets, usize, &[PolicyMember]),
    ) -> Result<()> {
        let (mut members, mut present) = (Vec::new(), Vec::new());
        for part in self.parts {
            for documents in Buckets::load(self.store, [part])?.iter() {
                members.clear();
                members.extend(documents.iter().map(|&document| ((self.position)(document), document)));
                members.sort_unstable();
                let before = members.partition_point(|member| member.0 < start);
                present.clear();
                scope.select(&Bucket { kind: &self.kinds[part.kind], members: &members, before }, is_here, &mut present);
                if present.len() > 1 {
                    take(part, members.len(), &present);
                }
            }
        }
        Ok(())
    }
}

impl KeyScope<'_> {
    /// Lists the documents of a bucket that must be present, each with the place from which on; some occur twice. `is_here`
    /// is whether a document is present because of other buckets.
    fn select(&self, bucket: &Bucket<'_>, is_here: DocumentFilter<'_>, present: &mut Vec<PolicyMember>) {
        let Bucket { kind, members, before } = *bucket;
        let (earlier, asking) = members.split_at(before);
        let is_capped = kind.caps(members.len());
        let most = kind.most_leaders();
        let Some(&(first, _)) = asking.first() else { return };
        match self {
            KeyScope::Leaders { leads } => {
                present.extend(earlier.iter().filter(|member| leads(member.1)).take(most).map(|member| (first, member.1)));
                present.extend(asking);
            }
            KeyScope::Earlier { max_family } => {
                let is_star = kind.is_star(members.len(), *max_family);
                present.extend(earlier.iter().take(if is_star { 1 } else { before }).map(|member| (first, member.1)));
                present.extend(asking);
            }
            KeyScope::Unconnected { follows, root } if is_capped => {
                let roots = root(members[0].1);
                if members.iter().any(|member| root(member.1) != roots) {
                    present.extend(members.iter().filter(|member| !follows(member.1)).take(most).map(|member| (first, member.1)));
                    present.extend(asking);
                }
            }
            KeyScope::Unconnected { root, .. } => unconnected(members, before, root, present),
            KeyScope::Certified { drawn, compares } => {
                for &(place, document) in asking.iter().filter(|member| drawn(member.1)) {
                    // A pair that shares a capped key is reported, but not proposed by it.
                    let is_selected = |member: &&PolicyMember| if is_capped { is_here(member.1) } else { compares(document, member.1) };
                    let alone = present.len();
                    present.extend(members.iter().filter(is_selected).map(|member| (place, member.1)));
                    if is_capped || present.len() - alone == members.len() {
                        // All members of the bucket are present already.
                        break;
                    }
                }
            }
        }
    }
}

/// Lists the `members` that meet an earlier one with which they are not connected, and the earlier ones that they meet.
/// `before` is the number of members that precede those that look for candidates.
fn unconnected(members: &[PolicyMember], before: usize, root: &dyn Fn(DocId) -> DocId, present: &mut Vec<PolicyMember>) {
    let first = root(members[0].1);
    let Some(alike) = members.iter().position(|member| root(member.1) != first) else { return };
    // Among the following members that look for candidates: the next one with its root, and the next one with another root.
    let (mut next, mut another): (Option<(Rank, DocId)>, Option<Rank>) = (None, None);
    for (at, &(place, document)) in members.iter().enumerate().rev() {
        let own = root(document);
        let neighbours = match next {
            Some((place, root)) if root != own => Some(place),
            _ => another,
        };
        present.extend(neighbours.map(|place| (place, document)));
        if at >= before {
            if at >= alike {
                present.push((place, document));
            }
            if next.is_some_and(|(_, root)| root != own) {
                another = next.map(|(place, _)| place);
            }
            next = Some((place, own));
        }
    }
}
