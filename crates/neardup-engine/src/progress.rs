//! Watching a run: its phase, progress and speed, and the request to stop.

use neardup_core::util::control::PhaseControl;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The state of a run. Other threads may read it, and stop the run.
#[derive(Debug, Default)]
pub struct Watch {
    /// Progress of reading, and the flag that stops everything.
    pub corpus: neardup_corpus::JobControl,
    phase: Mutex<Option<OpenPhase>>,
    finished: Mutex<Vec<Phase>>,
    done: AtomicU64,
    pass: AtomicUsize,
    notices: Mutex<Vec<String>>,
}

#[derive(Clone, Copy, Debug)]
struct OpenPhase {
    name: &'static str,
    total: u64,
    unit: ProgressUnit,
    start: Instant,
    bytes_before: u64,
    ended: bool,
}

/// The unit that a phase counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProgressUnit {
    /// Bytes of the corpus.
    Bytes,
    /// Documents.
    Documents,
}

/// A finished phase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Phase {
    /// Name of the phase.
    pub name: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// Number of units that it processed.
    pub amount: u64,
    /// The unit.
    pub unit: ProgressUnit,
}

/// A finished phase as in `run.json`.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseTime {
    /// Name of the phase.
    pub name: String,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The unit: bytes or documents.
    pub unit: &'static str,
    /// Number of units.
    pub amount: u64,
    /// Number of units per second.
    pub rate: f64,
}

impl From<&Phase> for PhaseTime {
    fn from(phase: &Phase) -> Self {
        let unit = if phase.unit == ProgressUnit::Bytes { "bytes" } else { "documents" };
        let rate = if phase.seconds > 0.0 { phase.amount as f64 / phase.seconds } else { 0.0 };
        PhaseTime { name: phase.name.clone(), seconds: phase.seconds, unit, amount: phase.amount, rate }
    }
}

/// The progress of the current phase.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Name of the phase.
    pub phase: &'static str,
    /// Number of units that are done.
    pub done: u64,
    /// Total number of units; 0 if it is not known.
    pub total: u64,
    /// Number of documents read so far.
    pub documents: u64,
}

impl Watch {
    /// Runs `work` as the phase `name`. `total` is in `unit`; 0 if it is not known.
    pub fn phase<R>(&self, name: &'static str, total: u64, unit: ProgressUnit, work: impl FnOnce() -> R) -> R {
        self.done.store(0, Ordering::Relaxed);
        let open =
            OpenPhase { name, total, unit, start: Instant::now(), bytes_before: self.corpus.bytes.load(Ordering::Relaxed), ended: false };
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        let result = work();
        let amount = self.done_in(&open).max(total);
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Some(OpenPhase { ended: true, ..open });
        self.add(&open, amount, &mut self.finished.lock().unwrap_or_else(PoisonError::into_inner));
        result
    }

    /// Adds the time of a phase to the phase of the same name: a phase that runs batch by batch, or that a stop interrupted,
    /// counts as one.
    fn add(&self, open: &OpenPhase, amount: u64, phases: &mut Vec<Phase>) {
        let seconds = open.start.elapsed().as_secs_f64();
        let name = match self.pass.load(Ordering::Relaxed) {
            0 => open.name.to_owned(),
            number => format!("{} {}", open.name, number + 1),
        };
        match phases.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => (phase.seconds, phase.amount) = (phase.seconds + seconds, phase.amount + amount),
            None => phases.push(Phase { name, seconds, amount, unit: open.unit }),
        }
    }

    /// Adds a sentence for the user.
    pub fn notice(&self, sentence: String) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
    }

    /// Takes the sentences that were added.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sets the number of the pass that the next phases belong to. From the second pass on, their names contain the number.
    pub fn start_pass(&self, number: usize) {
        self.pass.store(number, Ordering::Relaxed);
    }

    /// Takes over the phases that an interrupted run had finished.
    pub fn resume(&self, phases: Vec<Phase>) {
        *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = phases;
    }

    /// Returns the progress of the run; `None` before its first phase.
    pub fn progress(&self) -> Option<Progress> {
        let open = (*self.phase.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some(Progress {
            phase: open.name,
            done: self.done_in(&open),
            total: open.total,
            documents: self.corpus.records.load(Ordering::Relaxed),
        })
    }

    /// Returns the phases so far, in order.
    pub fn phases(&self) -> Vec<Phase> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the phases so far, including the time of the open one. Its number of units is added when it ends, because all of
    /// it is known only then.
    pub fn so_far(&self) -> Vec<Phase> {
        let mut phases = self.phases();
        let open = *self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().filter(|open| !open.ended).for_each(|open| self.add(open, 0, &mut phases));
        phases
    }

    /// Returns the time and rate of the phases so far.
    pub fn phase_times(&self) -> Vec<PhaseTime> {
        self.phases().iter().map(PhaseTime::from).collect()
    }

    fn done_in(&self, open: &OpenPhase) -> u64 {
        let bytes = self.corpus.bytes.load(Ordering::Relaxed) - open.bytes_before;
        self.done.load(Ordering::Relaxed) + if open.unit == ProgressUnit::Bytes { bytes } else { 0 }
    }
}

impl PhaseControl for Watch {
    fn check(&self) -> neardup_core::Result<()> {
        if self.corpus.is_cancelled() { Err(neardup_core::Error::Interrupted) } else { Ok(()) }
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }
}
