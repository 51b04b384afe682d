//! Certifying: documents are drawn while a verb runs, and their pairs give an estimate of the recall.

use crate::job::{Job, Verb};
use neardup_core::certificate::{Basis, CapMeetings, Certificate, DocumentDraw, SampledPair};
use neardup_core::scheme;

/// Number of documents that were drawn from a batch, and their verified pairs.
pub type SampledPairs = (u64, Vec<SampledPair>);

/// Collects the data of a run's certificate, batch by batch.
pub struct Certifier {
    basis: Basis,
    pairs: String,
    /// Whether only pairs of an input document and a reference document count, if there is a reference.
    pub cross: bool,
    /// Whether the scheme states a cap.
    states_cap: bool,
    /// Documents with which a document is compared in a bucket above the cap.
    meets: CapMeetings,
    drawing: DocumentDraw,
    drawn: u64,
    sightings: Vec<SampledPair>,
}

impl Certifier {
    /// Creates the certifier of a job.
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
        let drops = keys().filter(|options| options.drops_capped()).count();
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

    /// Returns how documents are drawn when all batches have `candidates` candidates; `None` if the certificate needs no sample.
    pub fn drawing(&mut self, candidates: usize) -> Option<DocumentDraw> {
        self.drawing.candidates = candidates as u64;
        matches!(self.basis, Basis::Bands { .. }).then_some(self.drawing)
    }

    /// Adds the sample of a batch.
    pub fn take(&mut self, (drawn, mut sightings): SampledPairs) {
        self.drawn += drawn;
        self.sightings.append(&mut sightings);
    }

    /// Returns the certificate. `capped` is the number of keys above the cap. `starred` is the number of other keys for which
    /// only pairs with the first document are listed.
    pub fn finish(self, capped: usize, starred: usize) -> Certificate {
        // Starred keys limit only the list of pairs. That is the whole result of `pairs`, but `cluster` decides without it.
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
        certificate.with_capped(capped, starred)
    }
}
