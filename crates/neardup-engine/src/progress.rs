//! Watching a run: which phase it is in, how far, how fast, and whether it is to stop.

use neardup_core::util::control::PhaseControl;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The state of a run that other threads may look at, and stop.
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

/// What a phase counts.
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
    /// Its name.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// How much it did.
    pub amount: u64,
    /// In what.
    pub unit: ProgressUnit,
}

/// A finished phase as `run.json` has it.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseTime {
    /// Its name.
    pub name: String,
    /// Wall time.
    pub seconds: f64,
    /// What it counts: bytes or documents.
    pub unit: &'static str,
    /// How many.
    pub amount: u64,
    /// How many a second.
    pub rate: f64,
}

impl From<&Phase> for PhaseTime {
    fn from(phase: &Phase) -> Self {
        let unit = if phase.unit == ProgressUnit::Bytes { "bytes" } else { "documents" };
        let rate = if phase.seconds > 0.0 { phase.amount as f64 / phase.seconds } else { 0.0 };
        PhaseTime { name: phase.name.clone(), seconds: phase.seconds, unit, amount: phase.amount, rate }
    }
}

/// How far the running phase is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The phase.
    pub phase: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is; 0 when that is not known.
    pub total: u64,
    /// Documents read so far.
    pub documents: u64,
}

impl Watch {
    /// Runs one phase under its name. `total` is in `unit`; 0 when it is not known.
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

    /// Adds the time of a phase to those of its name: one that is done batch by batch, or with a stop between, counts as one.
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

    /// Leaves a sentence for the user.
    pub fn notice(&self, sentence: String) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
    }

    /// Takes what was left.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Phases from now on are those of the pass of this number; from the second on their names carry it.
    pub fn turn(&self, number: usize) {
        self.pass.store(number, Ordering::Relaxed);
    }

    /// Takes over the phases that an interrupted run had finished.
    pub fn go_on(&self, phases: Vec<Phase>) {
        *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = phases;
    }

    /// How far the run is; None before its first phase.
    pub fn progress(&self) -> Option<Progress> {
        let open = (*self.phase.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some(Progress {
            phase: open.name,
            done: self.done_in(&open),
            total: open.total,
            documents: self.corpus.records.load(Ordering::Relaxed),
        })
    }

    /// The phases so far, in order.
    pub fn phases(&self) -> Vec<Phase> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The phases so far, with the time of the open one. What that has done is reported when it ends: then all of it is known.
    pub fn so_far(&self) -> Vec<Phase> {
        let mut phases = self.phases();
        let open = *self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().filter(|open| !open.ended).for_each(|open| self.add(open, 0, &mut phases));
        phases
    }

    /// Time and rate of the phases so far.
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
