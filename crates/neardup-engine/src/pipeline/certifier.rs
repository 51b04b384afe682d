//! Certifying: what of the documents is drawn while a verb is at work, and what it speaks of the recall.

use crate::job::{Job, Verb};
use neardup_core::certificate::{Basis, CapMeetings, Certificate, DocumentDraw, SampledPair};
use neardup_core::keys::OverCap;
use neardup_core::scheme;

/// How many documents of a batch were drawn, and what was seen of their pairs.
pub type SampledPairs = (u64, Vec<SampledPair>);

/// What a run's certificate is made of, batch by batch.
pub struct Certifier {
    basis: Basis,
    pairs: String,
    /// Whether only pairs of an input and a reference count.
    pub cross: bool,
    /// Whether the scheme states a cap.
    states_cap: bool,
    /// Which documents a document meets by a key above the cap.
    meets: CapMeetings,
    drawing: DocumentDraw,
    drawn: u64,
    sightings: Vec<SampledPair>,
}

impl Certifier {
    /// That of a job.
    pub fn new(job: &Job<'_>) -> Self {
        let condition = job.scheme.passes().iter().map(scheme::Pass::condition_in_words).collect::<Vec<_>>().join(" ; ");
        let cross = job.verb == Verb::Pairs;
        let pairs = match (&job.against, cross) {
            (None, _) => format!("pairs of different texts with {condition}"),
            (Some(_), true) => format!("pairs of a text of the input and another one of the reference with {condition}"),
            (Some(_), false) => format!("pairs of different texts, one at least of the input, with {condition}"),
        };
        let keys = || job.scheme.passes().iter().flat_map(scheme::Pass::keys).map(scheme::Stage::options);
        let states_cap = keys().any(|options| options.cap().is_some());
        let drops = keys().filter(|options| options.cap().is_some() && options.over() == OverCap::Drop).count();
        let meets = match (drops, job.scheme.passes()) {
            (0, [_]) if cross => CapMeetings::First,
            (0, _) if !cross => CapMeetings::Kept,
            (drops, [pass]) if drops == pass.keys().len() => CapMeetings::Nobody,
            _ => CapMeetings::Some,
        };
        Certifier {
            basis: Basis::of(&job.scheme),
            pairs,
            cross,
            states_cap,
            meets,
            drawing: DocumentDraw { candidates: 0 },
            drawn: 0,
            sightings: Vec::new(),
        }
    }

    /// How documents are drawn when there are this many candidates in all batches; None when nothing is left to be seen.
    pub fn drawing(&mut self, candidates: usize) -> Option<DocumentDraw> {
        self.drawing.candidates = candidates as u64;
        matches!(self.basis, Basis::Bands { .. }).then_some(self.drawing)
    }

    /// Takes what was drawn and seen of a batch.
    pub fn take(&mut self, (drawn, mut sightings): SampledPairs) {
        self.drawn += drawn;
        self.sightings.append(&mut sightings);
    }

    /// The certificate; `capped` is the number of keys above the cap, `starred` that of others of which pairs with the first
    /// document alone are listed.
    pub fn finish(self, capped: usize, starred: usize) -> Certificate {
        // What `cluster` lists is more than what it decides from; of `pairs` it is all.
        let bounded = capped + if self.cross { starred } else { 0 };
        let certificate = match self.basis {
            Basis::Nothing(reason) => Certificate::without(reason, self.pairs),
            Basis::Proven | Basis::Own(_) if bounded > 0 => Certificate::bounded(bounded, self.meets, self.pairs),
            Basis::Proven => Certificate::proven(self.pairs),
            Basis::Own(judges_by) => Certificate::of_own_test(judges_by, self.pairs),
            Basis::Bands { .. } if bounded > 0 && self.states_cap => {
                Certificate::without("capped keys do not propose all their pairs", self.pairs)
            }
            Basis::Bands { grid, least } => Certificate::estimate(self.sightings, &self.drawing, self.drawn, grid, least, self.pairs),
        };
        certificate.told(capped, starred)
    }
}
