//! Drawing: which documents a certificate looks at, and what is seen of their pairs.

use crate::Result;
use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::decide::pairs::PairFilter;
use crate::util::ids::{BucketId, CandidateId, DocId};
use crate::util::splitmix::SplitMix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// One document of this many is drawn, but no fewer than the first of these, while there are as many, and no more than the other.
const EVERY: u64 = 16;
const DOCUMENTS: [u64; 2] = [1 << 11, 1 << 14];
/// About this many pairs are compared, and of one drawn document at least [`PARTNERS`].
const PAIRS: u64 = 1 << 15;
const PARTNERS: u64 = 8;
/// How many members of buckets are looked at for every partner that is compared.
const LOOKS: u64 = 32;
/// Of the members of one drawn document's buckets about this many are looked at where there are more candidates, so that what it
/// meets fits into any memory.
const MEMBERS: u64 = 1 << 12;
/// Groups that drawn documents fall into, for the jackknife over them.
pub(super) const GROUPS: usize = 64;

/// How documents are drawn: by a hash of their ids, so that the draw is the same for any threads, batches and order.
///
/// A document that meets many others is drawn more seldom, and of its pairs no more than some are compared, again by hash; each
/// pair counts for as many as it represents. So a family of n near-copies costs no n^2.
#[derive(Clone, Copy, Debug)]
pub struct DocumentDraw {
    /// Documents that share a key with another.
    pub candidates: u64,
}

/// A candidate that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnCandidate {
    /// Its number.
    pub candidate: CandidateId,
    /// How many members its buckets have together, except for those above the cap; itself among them, as often as they are.
    pub members: u64,
}

/// A verified pair, as it was met from a document that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledPair {
    /// The two documents, the smaller first.
    pub pair: [DocId; 2],
    /// What they share, of what they have together.
    pub resemblance: [u64; 2],
    /// The bands they share.
    pub shared: SharedBands,
    /// The group of the drawn document.
    pub group: u8,
    /// See [`DrawnCandidate::members`].
    pub members: u64,
    /// How many it could be compared with, and with how many it was.
    pub partners: [u32; 2],
}

/// The bands that a pair shares, as far as they say anything about other pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SharedBands {
    /// This one and no other: without it the pair would be missed.
    Alone(u32),
    /// Two; by chance other pairs share the same.
    Few,
    /// None need be shared: both have a common key, and so would be found in any case ([`crate::candidates::common_keys`]).
    Surely,
    /// More, by their hash: two pairs of one component that share the same are found together.
    Same(u64),
}

impl SharedBands {
    /// Of bands in order, one at least.
    pub fn of(bands: &[u32]) -> SharedBands {
        match bands {
            [band] => SharedBands::Alone(*band),
            [_, _] => SharedBands::Few,
            bands => SharedBands::Same(bands.iter().fold(0, |hash, &band| SplitMix::new(hash ^ u64::from(band + 1)).draw())),
        }
    }

    /// The only band.
    pub(super) fn alone(self) -> Option<u32> {
        if let SharedBands::Alone(band) = self { Some(band) } else { None }
    }
}

impl DocumentDraw {
    /// The share of the documents that is drawn, of those that meet few others.
    pub fn share(&self) -> f64 {
        self.drawn() as f64 / self.candidates.max(1) as f64
    }

    fn drawn(&self) -> u64 {
        (self.candidates / EVERY).clamp(DOCUMENTS[0], DOCUMENTS[1]).min(self.candidates.max(1))
    }

    fn partners(&self) -> u64 {
        (PAIRS / self.drawn()).max(PARTNERS)
    }

    fn looks(&self) -> u64 {
        self.partners() * LOOKS
    }

    /// Whether a document of this hash is drawn, whose uncapped buckets have this many members.
    pub fn draws(&self, hash: u64, members: u64) -> bool {
        let often = u128::from(self.candidates.max(1)) * u128::from(members.max(self.looks()));
        (u128::from(hash) * often) >> 64 < u128::from(self.drawn()) * u128::from(self.looks())
    }

    /// Whether a drawn document of this many members looks at another one, or at itself, by the hashes of both; the `other` is
    /// asked for where it matters.
    pub fn looks_at(&self, hash: u64, members: u64, other: impl FnOnce() -> u64) -> bool {
        let most = self.members();
        members <= most || {
            let other = other();
            hash == other || (u128::from(order(hash, other)) * u128::from(members)) >> 64 < u128::from(most)
        }
    }

    fn members(&self) -> u64 {
        if self.candidates > MEMBERS { MEMBERS } else { u64::MAX }
    }

    /// How many pairs of such documents a sighting represents; half of them are met from its other side.
    pub(super) fn weight(&self, sighting: &SampledPair) -> f64 {
        let [partners, compared] = sighting.partners.map(f64::from);
        let above = |most: u64| (sighting.members as f64 / most as f64).max(1.0);
        above(self.looks()) * above(self.members()) * (partners / compared) / 2.0
    }

    /// Whether all that meets a drawn document counts, and each document is drawn by the same chance.
    pub(super) fn is_even(&self, sighting: &SampledPair) -> bool {
        sighting.members <= self.looks().min(self.members()) && sighting.partners[0] == sighting.partners[1]
    }

    /// Whether a document of this hash can be drawn at all: members make it no likelier, and to count those of all documents
    /// would cost more than all that is seen of the drawn ones.
    pub fn can_draw(&self, hash: u64) -> bool {
        self.draws(hash, 0)
    }

    /// Draws candidates of which all buckets are here, but none whose buckets are all above the cap: nothing is to be seen of
    /// it. `hash` is that of the id of a candidate.
    pub fn draw(
        &self,
        candidates: &Candidates,
        comparer: &Comparer<'_>,
        hash: &(dyn Fn(CandidateId) -> u64 + Sync),
    ) -> Vec<DrawnCandidate> {
        let drawn = |candidate: CandidateId| {
            let hash = hash(candidate);
            let members = if self.can_draw(hash) { members(candidates, comparer, candidate) } else { 0 };
            (members > 0 && self.draws(hash, members)).then_some(DrawnCandidate { candidate, members })
        };
        (0..candidates.len() as u32).into_par_iter().map(CandidateId).filter_map(drawn).collect()
    }

    /// Verifies the pairs of `drawn` candidates, of those that are `wanted`. `hash` is that of the id of a candidate. Buckets
    /// above the cap are passed over, since the chance of their pairs is another.
    pub fn sight(
        &self,
        candidates: &Candidates,
        comparer: &Comparer<'_>,
        drawn: &[DrawnCandidate],
        hash: &(dyn Fn(CandidateId) -> u64 + Sync),
        wanted: &PairFilter<'_>,
    ) -> Result<Vec<SampledPair>> {
        comparer.forget_sights();
        let sightings = comparer.each(drawn, |&DrawnCandidate { candidate, members }, scratch| {
            let own = hash(candidate);
            let is_met = |other: CandidateId| other != candidate && self.looks_at(own, members, || hash(other)) && wanted(candidate, other);
            let mut partners = Vec::new();
            for bucket in uncapped(candidates, comparer, candidate) {
                let fresh = |other: &CandidateId| is_met(*other) && scratch.first_sight(candidate, *other);
                partners.extend(candidates.bucket(bucket).iter().copied().filter(fresh));
            }
            partners.retain(|&other| comparer.possible(candidate, other));
            let all = partners.len() as u32;
            let most = self.partners() as usize;
            if partners.len() > most {
                let mut ordered: Vec<(u64, CandidateId)> = partners.drain(..).map(|other| (order(own, hash(other)), other)).collect();
                ordered.select_nth_unstable(most);
                partners.extend(ordered[..most].iter().map(|&(_, other)| other));
            }
            let sighting = SampledPair {
                pair: [DocId::FIRST; 2],
                resemblance: [0; 2],
                shared: SharedBands::Few,
                group: (own % GROUPS as u64) as u8,
                members,
                partners: [all, partners.len() as u32],
            };
            verified(candidates, comparer, candidate, &partners, sighting, scratch)
        })?;
        Ok(sightings.into_iter().flatten().collect())
    }
}

/// Chooses the documents that a drawn one looks at, and is compared with: the least.
fn order(hash: u64, other: u64) -> u64 {
    SplitMix::new(hash ^ other.rotate_left(32)).draw()
}

/// The buckets of a candidate that are not above the cap.
fn uncapped(candidates: &Candidates, comparer: &Comparer<'_>, candidate: CandidateId) -> impl Iterator<Item = BucketId> {
    candidates.buckets_of(candidate).iter().copied().filter(|&bucket| !comparer.is_capped(bucket))
}

/// How many members they have.
fn members(candidates: &Candidates, comparer: &Comparer<'_>, candidate: CandidateId) -> u64 {
    uncapped(candidates, comparer, candidate).map(|bucket| candidates.size(bucket) as u64).sum()
}

/// What is seen of those `partners` that meet the measure with a candidate.
fn verified(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    candidate: CandidateId,
    partners: &[CandidateId],
    sighting: SampledPair,
    scratch: &mut CompareScratch,
) -> Result<Vec<SampledPair>> {
    let mut sightings = Vec::new();
    for &other in partners {
        if let Some(overlap) = comparer.compare(candidate, other, scratch)? {
            let (one, two) = (candidates.documents[candidate.index()], candidates.documents[other.index()]);
            let theirs = candidates.buckets_of(other);
            let shared = || candidates.buckets_of(candidate).iter().copied().filter(|bucket| theirs.binary_search(bucket).is_ok());
            let bands: Vec<u32> = shared().map(|bucket| candidates.table_of(bucket) as u32).collect();
            sightings.push(SampledPair {
                pair: [one.min(two), one.max(two)],
                resemblance: [overlap.shared.into(), overlap.union()],
                shared: if shared().any(|bucket| comparer.is_sure(bucket)) { SharedBands::Surely } else { SharedBands::of(&bands) },
                ..sighting
            });
        }
    }
    Ok(sightings)
}
