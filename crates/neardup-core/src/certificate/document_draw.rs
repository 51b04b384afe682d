//! Drawing: the documents that a certificate examines, and the pairs that are seen from them.

use crate::Result;
use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::decide::pairs::PairFilter;
use crate::util::ids::{BucketId, CandidateId, DocId};
use crate::util::splitmix::SplitMix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// One in this many documents is drawn, but at least the first of `DOCUMENTS` (or all, if there are fewer) and at most the
/// second.
const EVERY: u64 = 16;
const DOCUMENTS: [u64; 2] = [1 << 11, 1 << 14];
/// Approximate number of pairs that are compared. For one drawn document, at least [`PARTNERS`] are.
const PAIRS: u64 = 1 << 15;
const PARTNERS: u64 = 8;
/// Number of members of buckets that are looked at for every partner that is compared.
const LOOKS: u64 = 32;
/// Approximate maximum number of members examined in the buckets of one drawn document, if there are more candidates. It
/// keeps memory bounded.
const MEMBERS: u64 = 1 << 12;
/// Number of groups of drawn documents, for the jackknife over them.
pub(super) const GROUPS: usize = 64;

/// A draw of documents by a hash of their ids, so that it is the same for any threads, batches and order.
///
/// A document that meets many others is drawn less often, and at most some of its pairs are compared, again chosen by hash.
/// Each pair is weighted by the number of pairs that it represents. So a family of n near-copies does not cost n^2.
#[derive(Clone, Copy, Debug)]
pub struct DocumentDraw {
    /// Number of documents that share a key with another.
    pub candidates: u64,
}

/// A drawn candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnCandidate {
    /// Its number.
    pub candidate: CandidateId,
    /// Number of members of its buckets together, without capped buckets. The candidate itself counts once per bucket.
    pub members: u64,
}

/// A verified pair, as met from a drawn document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledPair {
    /// The two documents, the smaller first.
    pub pair: [DocId; 2],
    /// Number of features that both share, and number of features of both together.
    pub resemblance: [u64; 2],
    /// Bands that they share.
    pub shared: SharedBands,
    /// The group of the drawn document.
    pub group: u8,
    /// See [`DrawnCandidate::members`].
    pub members: u64,
    /// Number of candidates with which it could be compared, and number with which it was.
    pub partners: [u32; 2],
}

/// The bands that a pair shares, as far as they are evidence about other pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SharedBands {
    /// Only this one: without it, the pair would be missed.
    Alone(u32),
    /// Two. Other pairs share the same ones by chance.
    Few,
    /// No band is needed: both documents contain a common key, so the pair is found in any case
    /// ([`crate::candidates::common_keys`]).
    Surely,
    /// More, as a hash: two pairs of one component that share the same bands are found together.
    Same(u64),
}

impl SharedBands {
    /// Classifies bands in ascending order, at least one.
    pub fn of(bands: &[u32]) -> SharedBands {
        match bands {
            [band] => SharedBands::Alone(*band),
            [_, _] => SharedBands::Few,
            bands => SharedBands::Same(bands.iter().fold(0, |hash, &band| SplitMix::new(hash ^ u64::from(band + 1)).draw())),
        }
    }

    /// Returns the band, if it is the only one.
    pub(super) fn alone(self) -> Option<u32> {
        if let SharedBands::Alone(band) = self { Some(band) } else { None }
    }
}

impl DocumentDraw {
    /// Returns the share of documents that is drawn, among those that meet few others.
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

    /// Whether a document with this hash is drawn, if its uncapped buckets have `members` members.
    pub fn draws(&self, hash: u64, members: u64) -> bool {
        let often = u128::from(self.candidates.max(1)) * u128::from(members.max(self.looks()));
        (u128::from(hash) * often) >> 64 < u128::from(self.drawn()) * u128::from(self.looks())
    }

    /// Whether a drawn document with `members` members looks at another one, or at itself, by the hashes of both. `other`
    /// is called only if its hash matters.
    pub fn compares(&self, hash: u64, members: u64, other: impl FnOnce() -> u64) -> bool {
        let most = self.members();
        members <= most || {
            let other = other();
            hash == other || (u128::from(order(hash, other)) * u128::from(members)) >> 64 < u128::from(most)
        }
    }

    fn members(&self) -> u64 {
        if self.candidates > MEMBERS { MEMBERS } else { u64::MAX }
    }

    /// Returns the number of pairs that a sighting represents. Half of them are met from the other side.
    pub(super) fn weight(&self, sighting: &SampledPair) -> f64 {
        let [partners, compared] = sighting.partners.map(f64::from);
        let above = |most: u64| (sighting.members as f64 / most as f64).max(1.0);
        above(self.looks()) * above(self.members()) * (partners / compared) / 2.0
    }

    /// Whether everything that meets the drawn document counts, and each document is drawn with the same probability.
    pub(super) fn is_even(&self, sighting: &SampledPair) -> bool {
        sighting.members <= self.looks().min(self.members()) && sighting.partners[0] == sighting.partners[1]
    }

    /// Whether a document with this hash can be drawn at all. Members do not make it more likely, and counting the members
    /// of all documents would cost more than everything that is done for the drawn ones.
    pub fn can_draw(&self, hash: u64) -> bool {
        self.draws(hash, 0)
    }

    /// Draws candidates whose buckets are all present. Excludes candidates whose buckets are all capped, because nothing
    /// can be seen of them. `hash` returns the hash of a candidate's id.
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

    /// Verifies the pairs of `drawn` candidates that are `wanted`. `hash` returns the hash of a candidate's id. Capped
    /// buckets are skipped, because their pairs have another probability.
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
            let is_compared =
                |other: CandidateId| other != candidate && self.compares(own, members, || hash(other)) && wanted(candidate, other);
            let mut partners = Vec::new();
            for bucket in uncapped(candidates, comparer, candidate) {
                let fresh = |other: &CandidateId| is_compared(*other) && scratch.first_sight(candidate, *other);
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

/// Returns the order in which a drawn document looks at others and is compared with them. The smallest come first.
fn order(hash: u64, other: u64) -> u64 {
    SplitMix::new(hash ^ other.rotate_left(32)).draw()
}

/// Returns the buckets of a candidate that are not capped.
fn uncapped(candidates: &Candidates, comparer: &Comparer<'_>, candidate: CandidateId) -> impl Iterator<Item = BucketId> {
    candidates.buckets_of(candidate).iter().copied().filter(|&bucket| !comparer.is_capped(bucket))
}

/// Returns the number of members of these buckets together.
fn members(candidates: &Candidates, comparer: &Comparer<'_>, candidate: CandidateId) -> u64 {
    uncapped(candidates, comparer, candidate).map(|bucket| candidates.size(bucket) as u64).sum()
}

/// Returns the sightings of those `partners` that meet the measure with a candidate.
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
