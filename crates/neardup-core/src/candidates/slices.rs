//! Slices: a component that outgrows the memory, some of its documents after another.
//!
//! A slice holds the documents that come next in policy order, which look for candidates, and of all others those that they meet ([`KeyScope`]).
//! What a document meets is decided by what came before it, which is known by then, so the outcome is that of the whole,
//! wherever slices end. What would be in memory decides where the next one ends: two readings of the buckets, none of
//! which is kept beside them.

use crate::Result;
use crate::candidates::batches::MemoryWeights;
use crate::candidates::buckets::{Buckets, StoredBuckets};
use crate::keys::KeyKind;
use crate::util::ids::{DocId, Rank};
use crate::util::store::Store;
use std::collections::HashMap;
use std::ops::Range;

/// Something that is known of documents.
type DocumentFilter<'a> = &'a dyn Fn(DocId) -> bool;

/// Which documents the documents of a slice meet by one key.
pub enum KeyScope<'a> {
    /// To be led: the leaders that come before it, of a key with a cap the first of them ([`crate::decide::leaders`]).
    Leaders {
        /// Whether a document that came before leads.
        leads: DocumentFilter<'a>,
    },
    /// To be scored: all that come before it, of a star its first ([`crate::decide::pairs`]).
    Earlier {
        /// From more members on a key is a star.
        max_family: usize,
    },
    /// To be connected: all that come before it and are not connected with it, of a capped key its first leaders, wherever they
    /// are ([`crate::decide::components`]).
    Unconnected {
        /// Whether a document follows another.
        follows: DocumentFilter<'a>,
        /// What represents all that a document is connected with.
        root: &'a dyn Fn(DocId) -> DocId,
    },
    /// To be certified: those it looks at, if it is drawn, by keys that are not capped ([`crate::certificate`]).
    Looked {
        /// Whether a document is drawn.
        drawn: DocumentFilter<'a>,
        /// Whether one that is drawn looks at another, or at itself, as it does.
        looks_at: &'a dyn Fn(DocId, DocId) -> bool,
    },
}

/// A component in slices.
pub struct Slices<'a> {
    /// Where its buckets are.
    pub store: &'a Store,
    /// Its buckets.
    pub parts: &'a [StoredBuckets],
    /// The kinds of keys of the pass.
    pub kinds: &'a [KeyKind],
    /// How many documents the run has.
    pub documents: usize,
    /// The place of a document in policy order.
    pub position: &'a dyn Fn(DocId) -> Rank,
    /// What is in memory of a slice.
    pub weights: &'a MemoryWeights<'a>,
    /// What a slice weighs at most; twice as much where one document with those it meets takes more than half of it, so that those
    /// are here for many. It weighs more only where one document alone does.
    pub limit: usize,
}

/// What is in memory together.
#[derive(Debug)]
pub struct Slice {
    /// Its buckets, as far as they are here.
    pub buckets: Buckets,
    /// The places in policy order of the documents that look for candidates.
    pub positions: Range<Rank>,
    /// What it weighs, in bytes.
    pub weight: usize,
}

/// A bucket at hand.
struct Bucket<'b> {
    kind: &'b KeyKind,
    /// Its documents in policy order, each behind its place in it.
    members: &'b [PolicyMember],
    /// How many of them come before the slice.
    before: usize,
}

/// A document behind a place in policy order: its own, or that of the document it comes with.
type PolicyMember = (Rank, DocId);

/// Costs are summed in these, so that 32 bits hold the largest.
const UNIT: usize = 16;

impl Slices<'_> {
    /// The slice that begins at the place `start` of policy order.
    pub fn next(&self, start: Rank, whom: &KeyScope<'_>) -> Result<Slice> {
        // From which place on a document is here, and what comes with the one at a place.
        let (mut since, mut costs) = (vec![Rank::NONE; self.documents], vec![0u32; self.documents]);
        let mut add = |place: Rank, bytes: usize| {
            let cost = &mut costs[place.index()];
            *cost = cost.saturating_add(bytes.div_ceil(UNIT) as u32);
        };
        self.each(start, whom, &|_| false, |_, _, present| {
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
        self.each(start, whom, &is_here, |part, size, present| {
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

    /// How many members the buckets that are not capped have together, for each of their documents that is `wanted`
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

    /// Where a slice ends that is not too heavy.
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

    /// Hands every bucket to `take` by which a document meets another from the place `start` on: how large it is, and which documents have to be
    /// present.
    fn each(
        &self,
        start: Rank,
        whom: &KeyScope<'_>,
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
                whom.come(&Bucket { kind: &self.kinds[part.kind], members: &members, before }, is_here, &mut present);
                if present.len() > 1 {
                    take(part, members.len(), &present);
                }
            }
        }
        Ok(())
    }
}

impl KeyScope<'_> {
    /// Which documents of a bucket have to be present, since which place: some twice. `is_here` says which come by other buckets.
    fn come(&self, bucket: &Bucket<'_>, is_here: DocumentFilter<'_>, present: &mut Vec<PolicyMember>) {
        let Bucket { kind, members, before } = *bucket;
        let (earlier, asking) = members.split_at(before);
        let is_capped = kind.caps(members.len());
        let most = kind.cap.map_or(usize::MAX, |cap| cap as usize);
        let Some(&(first, _)) = asking.first() else { return };
        match self {
            KeyScope::Leaders { leads } => {
                present.extend(earlier.iter().filter(|member| leads(member.1)).take(most).map(|member| (first, member.1)));
                present.extend(asking);
            }
            KeyScope::Earlier { max_family } => {
                let is_star = is_capped || members.len() > *max_family;
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
            KeyScope::Looked { drawn, looks_at } => {
                for &(place, document) in asking.iter().filter(|member| drawn(member.1)) {
                    // A pair that shares a capped key is reported, but not proposed for it.
                    let comes = |member: &&PolicyMember| if is_capped { is_here(member.1) } else { looks_at(document, member.1) };
                    let alone = present.len();
                    present.extend(members.iter().filter(comes).map(|member| (place, member.1)));
                    if is_capped || present.len() - alone == members.len() {
                        // No document is left to come.
                        break;
                    }
                }
            }
        }
    }
}

/// Those of `members` that meet one before them with which they are not connected, and those that they meet; this many come `before`
/// those that look for candidates.
fn unconnected(members: &[PolicyMember], before: usize, root: &dyn Fn(DocId) -> DocId, present: &mut Vec<PolicyMember>) {
    let first = root(members[0].1);
    let Some(alike) = members.iter().position(|member| root(member.1) != first) else { return };
    // Of those behind that look for candidates the next one, with its root, and the next of another root.
    let (mut next, mut another): (Option<(Rank, DocId)>, Option<Rank>) = (None, None);
    for (at, &(place, document)) in members.iter().enumerate().rev() {
        let own = root(document);
        let met = match next {
            Some((place, root)) if root != own => Some(place),
            _ => another,
        };
        present.extend(met.map(|place| (place, document)));
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
