//! Certifying: what of the documents is drawn while a verb is at work, and what it tells of the recall.

use crate::job::{Job, Verb};
use neardup_core::certificate::{Basis, Certificate, Drawing, Sighting};
use neardup_core::scheme;

/// How many documents of a batch were drawn, and what was seen of their pairs.
pub type Seen = (u64, Vec<Sighting>);

/// What a run's certificate is made of, batch by batch.
pub struct Certifier {
    basis: Basis,
    pairs: String,
    /// Whether only pairs of an input and a reference count.
    pub cross: bool,
    drawing: Drawing,
    drawn: u64,
    sightings: Vec<Sighting>,
}

impl Certifier {
    /// That of a job.
    pub fn new(job: &Job<'_>) -> Self {
        let condition = job.scheme.passes().iter().map(scheme::Pass::condition).collect::<Vec<_>>().join(" ; ");
        let cross = job.verb == Verb::Pairs;
        let pairs = match (&job.against, cross) {
            (None, _) => format!("pairs of different texts with {condition}"),
            (Some(_), true) => format!("pairs of a text of the input and another one of the reference with {condition}"),
            (Some(_), false) => format!("pairs of different texts, one at least of the input, with {condition}"),
        };
        Certifier { basis: Basis::of(&job.scheme), pairs, cross, drawing: Drawing { candidates: 0 }, drawn: 0, sightings: Vec::new() }
    }

    /// How documents are drawn when there are so many candidates in all batches; None when nothing is left to be seen.
    pub fn drawing(&mut self, candidates: usize) -> Option<Drawing> {
        self.drawing.candidates = candidates as u64;
        matches!(self.basis, Basis::Bands { .. }).then_some(self.drawing)
    }

    /// Takes what was drawn and seen of a batch.
    pub fn take(&mut self, (drawn, mut sightings): Seen) {
        self.drawn += drawn;
        self.sightings.append(&mut sightings);
    }

    /// The certificate; `capped` is the number of keys above the cap.
    pub fn finish(self, capped: usize) -> Certificate {
        let certificate = match self.basis {
            Basis::Proven => Certificate::proven(self.pairs),
            Basis::Nothing(reason) => Certificate::without(reason, self.pairs),
            Basis::Bands { grid, least } => Certificate::estimate(self.sightings, &self.drawing, self.drawn, grid, least, self.pairs),
        };
        certificate.told(capped)
    }
}
