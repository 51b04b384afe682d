//! A batch: candidates that are in memory together, and the steps applied to them.

use crate::Result;
use crate::documents::signed::CandidateTexts;
use crate::findings::decisions::{self, DroppedDocument};
use crate::findings::near_misses::NearMisses;
use crate::findings::pairs::{self, PairRow, ScoredPair};
use crate::pipeline::batch_result::BatchResult;
use crate::pipeline::certifier::SampledPairs;
use crate::pipeline::pass_run::PassRun;
use crate::progress::ProgressUnit;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::certificate::{DocumentDraw, DrawnCandidate};
use neardup_core::decide::compare::{CandidateScope, CompareScratch, Comparer};
use neardup_core::decide::components::{LeaderOutcome, connect};
use neardup_core::decide::forest_search::span;
use neardup_core::decide::leaders::{Follower, ReferenceLeaders, lead};
use neardup_core::decide::pairs::{Pair, proposed, score, starred};
use neardup_core::pass::rule::Rule;
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{CandidateId, DocId};
use neardup_core::util::store::List;
use std::collections::HashMap;

/// A step that is applied to the candidates of a batch.
#[derive(Clone, Copy)]
pub enum BatchStep {
    /// Applies the leader rule.
    Lead,
    /// Connects the candidates that meet the measure; builds the maximum spanning forest if it `spans`.
    Connect { spans: bool },
    /// Scores pairs. If more than `max_family` candidates share a key, only pairs with the first of them are scored.
    Score { max_family: usize },
    /// Draws candidates and verifies their pairs. With `cross`, a run with a reference verifies only pairs of an input document
    /// and a reference document.
    Certify { drawing: DocumentDraw, cross: bool },
}

/// State from the slices that were processed before this one.
pub struct EarlierSlices<'a> {
    /// Whether each document follows another.
    pub follows: &'a [bool],
    /// Components found so far; `None` if the run does not connect documents.
    pub forest: Option<&'a Forest<DocId>>,
    /// Documents drawn for the certificate, each with its [`DrawnCandidate::members`].
    pub drawn: &'a HashMap<DocId, u64>,
}

/// Candidates that are in memory together.
pub struct Batch<'a> {
    /// Candidates of the batch. Those of `asking` look for candidates; the others are present to be found.
    pub candidates: Candidates,
    pub texts: CandidateTexts<'a>,
    pub pass_run: &'a PassRun<'a>,
    /// `None` if every document that the candidates meet is in this batch.
    pub before: Option<EarlierSlices<'a>>,
    /// Bytes available for the feature sets of the candidates.
    pub room: usize,
}

impl Batch<'_> {
    /// Applies all `steps`, one after another.
    pub fn take(&self, steps: &[BatchStep]) -> Result<BatchResult> {
        let copies = |document: DocId| self.pass_run.groups.kin_of(document);
        let scope = self.pass_run.context.signed.partial_scope().map(|pairs| CandidateScope { pairs, copies: &copies });
        let comparer = Comparer::new(&self.candidates, self.pass_run.context.pass, &self.texts, self.room).within(scope);
        let mut left = BatchResult::default();
        let mut followers = Vec::new();
        for &step in steps {
            match step {
                BatchStep::Lead => {
                    followers = self.followers(&comparer)?;
                    left.dropped = self.dropped(&comparer, &followers)?;
                }
                BatchStep::Connect { spans: true } => left.edges = self.spanned(&comparer, &followers)?,
                BatchStep::Connect { spans: false } => left.links = self.linked(&comparer, &followers)?,
                BatchStep::Score { max_family } => {
                    left.scored = self.all_scored(&comparer, max_family)?;
                    let families = starred(&self.candidates, &comparer, max_family);
                    left.families = families.map(|(first, size)| (self.document(first), size)).collect();
                }
                BatchStep::Certify { drawing, cross } => {
                    left.drawn = Some(self.certify(&comparer, &drawing, cross)?);
                    // The comparisons of the certificate are not part of the result, so they do not count as near-misses.
                    continue;
                }
            }
            left.misses = self.misses(&comparer)?;
        }
        Ok(left)
    }

    fn document(&self, candidate: CandidateId) -> DocId {
        self.candidates.documents[candidate.index()]
    }

    fn followers(&self, comparer: &Comparer<'_>) -> Result<Vec<Follower>> {
        let asking = &self.candidates.asking;
        let references =
            self.candidates.documents.iter().take_while(|&&document| self.pass_run.context.signed.is_reference(document)).count();
        let pinned = asking.start.max(references as u32);
        let represents_others = |candidate: CandidateId| candidate.0 >= asking.start && self.pass_run.sides(self.document(candidate)).0;
        let total = u64::from(asking.end - pinned);
        let pinned = ReferenceLeaders { count: pinned, represents_others: &represents_others };
        let watch = self.pass_run.context.watch;
        Ok(watch.phase("lead", total, ProgressUnit::Documents, || lead(&self.candidates, comparer, &pinned, watch))?)
    }

    fn dropped(&self, comparer: &Comparer<'_>, followers: &[Follower]) -> Result<List<PairRow>> {
        let pair = |&Follower { candidate, leader, overlap }: &Follower| Pair { left: candidate, right: leader, overlap };
        let pairs: Vec<Pair> = followers.iter().map(pair).collect();
        let dropped: Vec<DroppedDocument> = self.scored(comparer, &pairs)?.into_iter().map(DroppedDocument::from).collect();
        decisions::store(&dropped, self.pass_run.context.store())
    }

    /// Returns each document that is connected with others, with the first document of its component; the first itself is left
    /// out.
    fn linked(&self, comparer: &Comparer<'_>, followers: &[Follower]) -> Result<List<[DocId; 2]>> {
        let (watch, total) = (self.pass_run.context.watch, self.candidates.asking.len() as u64);
        let led = self.before.as_ref().map_or_else(|| LeaderOutcome::new(self.candidates.len(), followers), |before| self.led(before));
        let mut components = watch.phase("connect", total, ProgressUnit::Documents, || connect(&self.candidates, comparer, led, watch))?;
        let links = CandidateId::first(self.candidates.len()).map(|candidate| [candidate, components.find(candidate)]);
        let links: Vec<[DocId; 2]> =
            links.filter(|[from, to]| from != to).map(|link| link.map(|candidate| self.document(candidate))).collect();
        let mut list = List::default();
        list.append(self.pass_run.context.store(), &links).map_err(neardup_core::Error::from)?;
        Ok(list)
    }

    /// Returns the leader outcome of candidates that were led in different slices.
    fn led(&self, before: &EarlierSlices<'_>) -> LeaderOutcome {
        let documents = &self.candidates.documents;
        let mut forest = Forest::new(documents.len());
        if let Some(all) = before.forest {
            let mut roots: Vec<(DocId, CandidateId)> =
                CandidateId::first(documents.len()).zip(documents).map(|(candidate, &document)| (all.root(document), candidate)).collect();
            roots.sort_unstable();
            roots.chunk_by(|one, other| one.0 == other.0).for_each(|same| same.iter().for_each(|one| forest.union(same[0].1, one.1)));
        }
        LeaderOutcome { follows: documents.iter().map(|&document| before.follows[document.index()]).collect(), forest }
    }

    fn spanned(&self, comparer: &Comparer<'_>, followers: &[Follower]) -> Result<List<PairRow>> {
        let (watch, total) = (self.pass_run.context.watch, self.candidates.len() as u64);
        let forest = watch.phase("connect", total, ProgressUnit::Documents, || span(&self.candidates, comparer, followers, watch))?;
        let edges: Vec<Pair> = forest.edges().map(|edge| Pair { left: edge.left, right: edge.right, overlap: edge.overlap }).collect();
        let edges: Vec<PairRow> = self.scored(comparer, &edges)?.into_iter().map(PairRow::from).collect();
        let mut list = List::default();
        list.append(self.pass_run.context.store(), &edges).map_err(neardup_core::Error::from)?;
        Ok(list)
    }

    fn all_scored(&self, comparer: &Comparer<'_>, max_family: usize) -> Result<List<PairRow>> {
        let context = &self.pass_run.context;
        let (watch, total) = (context.watch, self.candidates.asking.len() as u64);
        let (wanted, mut scored) = (self.wanted(true), List::default());
        let room = context.budget.room() / 2;
        let mut course = context.forecast.is_of_much().then(|| ScoringProgress::new(self, comparer, max_family));
        let mut take = |pairs: Vec<Pair>| {
            let rows: Vec<PairRow> = self.scored(comparer, &pairs)?.into_iter().map(PairRow::from).collect();
            scored.append(context.store(), &rows).map_err(neardup_core::Error::from)?;
            // The pairs found now are sorted and written later. If the disk has no room for that, the run stops here.
            let found = scored.len() as u64;
            context.forecast.leaves(pairs::disk(found, room))?;
            let last = pairs.last().map(|pair| pair.right);
            let Some(all) = course.as_mut().zip(last).and_then(|(course, last)| course.all(last, found)) else { return Ok(()) };
            context.forecast.foresee("the pairs", (all - found) * size_of::<PairRow>() as u64 + pairs::disk(all, room), watch)
        };
        watch.phase("score", total, ProgressUnit::Documents, || {
            score::<crate::Error>(&self.candidates, comparer, &wanted, max_family, watch, &mut take)
        })?;
        Ok(scored)
    }

    /// Returns a filter for the pairs of candidates that can represent a wanted pair. Without a reference every pair passes. With
    /// one, a pair of an input document and a reference document passes; unless `cross` is set, a pair of two input documents
    /// passes, too.
    fn wanted(&self, cross: bool) -> impl Fn(CandidateId, CandidateId) -> bool + Sync {
        let signed = self.pass_run.context.signed;
        let against = (signed.reference as usize) < signed.len();
        let documents = if against { &self.candidates.documents[..] } else { &[] };
        let sides: Vec<(bool, bool)> = documents.iter().map(|&document| self.pass_run.sides(document)).collect();
        move |left: CandidateId, right: CandidateId| {
            !against || {
                let (left, right) = (sides[left.index()], sides[right.index()]);
                (left.0 && right.1) || (left.1 && right.0) || (!cross && left.0 && right.0)
            }
        }
    }

    /// Draws documents, and verifies their pairs for the certificate.
    fn certify(&self, comparer: &Comparer<'_>, drawing: &DocumentDraw, cross: bool) -> Result<SampledPairs> {
        let hash = |candidate: CandidateId| self.pass_run.context.ids.hash(self.document(candidate));
        let (wanted, watch) = (self.wanted(cross), self.pass_run.context.watch);
        let sighted = watch.phase("certify", self.candidates.len() as u64, ProgressUnit::Documents, || {
            let drawn = match &self.before {
                None => drawing.draw(&self.candidates, comparer, &hash),
                Some(before) => {
                    let members = |candidate: CandidateId| before.drawn.get(&self.document(candidate)).copied();
                    let asking = self.candidates.asking_ids();
                    asking.filter_map(|candidate| Some(DrawnCandidate { candidate, members: members(candidate)? })).collect()
                }
            };
            Ok::<_, neardup_core::Error>((drawn.len() as u64, drawing.sight(&self.candidates, comparer, &drawn, &hash, &wanted)?))
        });
        Ok(sighted?)
    }

    fn misses(&self, comparer: &Comparer<'_>) -> Result<NearMisses> {
        let (misses, effort) = (comparer.misses(), comparer.effort());
        let nearest: Vec<Pair> =
            misses.nearest.iter().map(|miss| Pair { left: miss.left, right: miss.right, overlap: miss.overlap }).collect();
        Ok(NearMisses { histogram: misses.histogram.to_vec(), nearest: self.scored(comparer, &nearest)?, effort })
    }

    /// Converts pairs of candidates to pairs of documents, with the rule, the pass and the value that decided.
    fn scored(&self, comparer: &Comparer<'_>, pairs: &[Pair]) -> Result<Vec<ScoredPair>> {
        let scored = |&Pair { left, right, overlap }: &Pair, worker: &mut CompareScratch| {
            let value = comparer.value(left, right, worker)?;
            let (left, right) = (self.document(left), self.document(right));
            let kin = self.pass_run.groups.rule_of_kin((left, left), (right, right));
            let (rule, pass) = (kin.unwrap_or_else(|| Rule::of(overlap)), self.pass_run.context.number as u32);
            Ok(ScoredPair { left, right, rule, pass, overlap, value })
        };
        Ok(comparer.each(pairs, scored)?)
    }
}

/// Progress of scoring, which estimates the total number of pairs once.
struct ScoringProgress<'a> {
    batch: &'a Batch<'a>,
    comparer: &'a Comparer<'a>,
    max_family: usize,
    /// Number of pairs that are proposed to all asking candidates, and to those before `end`.
    proposed: [u64; 2],
    end: u32,
    is_reported: bool,
}

/// Scoring estimates the total when it has passed one in this many of the proposed pairs.
const SHARE: u64 = 16;

impl<'a> ScoringProgress<'a> {
    fn new(batch: &'a Batch<'a>, comparer: &'a Comparer<'a>, max_family: usize) -> Self {
        let asking = batch.candidates.asking.clone();
        let end = asking.start;
        let all = proposed(&batch.candidates, comparer, asking, max_family);
        ScoringProgress { batch, comparer, max_family, proposed: [all, 0], end, is_reported: false }
    }

    /// Returns an estimate of the total number of pairs, once, as soon as it is possible. `found` pairs were found up to the
    /// candidate `last`.
    fn all(&mut self, last: CandidateId, found: u64) -> Option<u64> {
        if self.is_reported {
            return None;
        }
        self.proposed[1] += proposed(&self.batch.candidates, self.comparer, self.end..last.next().0, self.max_family);
        self.end = last.next().0;
        let [all, past] = self.proposed;
        self.is_reported = past >= all / SHARE;
        self.is_reported.then(|| (u128::from(found) * u128::from(all) / u128::from(past.max(1))) as u64)
    }
}
