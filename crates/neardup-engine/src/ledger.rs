//! The ledger: what finished phases left, so that the same command goes on after an interruption.

use crate::job::{Input, Job};
use crate::lexicons;
use crate::output::remove;
use crate::sign::Inputs;
use crate::watch::{Phase, Watch};
use crate::{Error, Result};
use neardup_core::pass::Pass;
use neardup_core::scheme::Scheme;
use neardup_core::store::Store;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const COLUMNS: &str = "columns";
/// How the names of entries end.
const ENTRY: &str = "json";

/// What can be taken up again; those of a pass carry its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Every document read and its terms counted, by passes that say so.
    Counted(usize),
    /// Every document read and signed.
    Signed(usize),
    /// Copies set aside, keys arranged.
    Arranged(usize),
    /// Decisions, components or pairs, of this pass and those before.
    Found(usize),
    /// Tables and kept documents.
    Written,
}

impl Stage {
    /// Those of a scheme, in the order they are made.
    fn all(scheme: &Scheme) -> Result<Vec<Stage>> {
        let mut stages = Vec::new();
        for (number, pass) in scheme.passes().iter().enumerate() {
            stages.extend(lexicons::to_count(pass)?.map(|_| Stage::Counted(number)));
            stages.extend([Stage::Signed(number), Stage::Arranged(number), Stage::Found(number)]);
        }
        stages.push(Stage::Written);
        Ok(stages)
    }

    fn file(self) -> String {
        let (name, number) = match self {
            Stage::Counted(number) => ("counted", number),
            Stage::Signed(number) => ("signed", number),
            Stage::Arranged(number) => ("arranged", number),
            Stage::Found(number) => ("found", number),
            Stage::Written => ("written", 0),
        };
        if number == 0 { format!("{name}.{ENTRY}") } else { format!("{name}-{}.{ENTRY}", number + 1) }
    }
}

/// The stages of one run, in its work folder.
pub struct Ledger<'a> {
    work: &'a Path,
    watch: &'a Watch,
    /// What decides the outcome; None when it cannot be had twice, and nothing is left.
    key: Option<String>,
    done: Vec<Stage>,
}

/// What a stage left, beside the columns in the store.
#[derive(Serialize, Deserialize)]
struct Entry<T> {
    key: String,
    /// How much of the store is in use.
    end: u64,
    phases: Vec<Phase>,
    left: T,
}

impl<'a> Ledger<'a> {
    /// Opens the ledger and the store in `work`, and takes up what the same job left there. Whatever does not fit is
    /// not an error: the work is done again.
    pub fn open(job: &Job<'_>, passes: &[Pass], inputs: &Inputs<'a>, watch: &'a Watch) -> Result<(Self, Arc<Store>)> {
        let work = inputs.work;
        let path = work.join(COLUMNS);
        let columns =
            File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(Error::file(&path, "write"))?;
        let there = columns.metadata().map_err(Error::file(&path, "read"))?.len();
        let mut ledger = Ledger { work, watch, key: key(job, passes, inputs)?, done: Vec::new() };
        let mut last: Option<Entry<IgnoredAny>> = None;
        for stage in Stage::all(&job.scheme)? {
            let Some(entry) = ledger.read(stage).filter(|entry| entry.end <= there) else { break };
            ledger.done.push(stage);
            last = Some(entry);
        }
        // What another job left must not be found behind the stages of this one.
        ledger.forget_others()?;
        let end = last.as_ref().map_or(0, |entry| entry.end);
        columns.set_len(end).map_err(Error::file(&path, "write"))?;
        if let Some(entry) = last {
            watch.go_on(entry.phases);
        }
        Ok((ledger, Arc::new(Store::new(columns, end))))
    }

    /// What `stage` left: taken up, or made now and left for the next time.
    pub fn once<T: Serialize + DeserializeOwned>(&self, stage: Stage, store: &Store, make: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some(entry) = self.done.contains(&stage).then(|| self.read(stage)).flatten() {
            return Ok(entry.left);
        }
        let left = make()?;
        let Some(key) = &self.key else { return Ok(left) };
        let path = self.path(stage);
        let end = store.trim().map_err(neardup_core::Error::from)?;
        let entry = Entry { key: key.clone(), end, phases: self.watch.phases(), left };
        let text = serde_json::to_vec(&entry).map_err(Error::file(&path, "write"))?;
        // Named when it is whole: an entry that is there can be trusted.
        let aside = path.with_extension("new");
        fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path)).map_err(Error::file(&path, "write"))?;
        Ok(entry.left)
    }

    /// Removes every entry that is not one of those taken up.
    fn forget_others(&self) -> Result<()> {
        let done: Vec<PathBuf> = self.done.iter().map(|&stage| self.path(stage)).collect();
        for entry in fs::read_dir(self.work).map_err(Error::file(self.work, "read"))? {
            let path = entry.map_err(Error::file(self.work, "read"))?.path();
            if path.extension().is_some_and(|end| end == ENTRY) && !done.contains(&path) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, stage: Stage) -> Option<Entry<T>> {
        let key = self.key.as_deref()?;
        let entry: Entry<T> = serde_json::from_slice(&fs::read(self.path(stage)).ok()?).ok()?;
        (entry.key == key).then_some(entry)
    }

    fn path(&self, stage: Stage) -> PathBuf {
        self.work.join(stage.file())
    }
}

/// Everything that decides the outcome of a job, as one digest: of the scheme also what stands in the files that it names.
/// Threads, chunks and memory do not.
fn key(job: &Job<'_>, passes: &[Pass], inputs: &Inputs<'_>) -> Result<Option<String>> {
    let Inputs { sources, against, .. } = *inputs;
    let streams = |input: &Input| matches!(input, Input::Streams(_));
    let stdin = sources.iter().chain(against).any(|source| source.name == "-");
    if job.output.is_none() || stdin || streams(&job.input) || job.against.as_ref().is_some_and(streams) {
        return Ok(None);
    }
    let mut key = format!(
        "{} {} {:?} {} {passes:?} {:?} {} {:?} {:?} {} {} {} {} {:?} {} {}\n",
        env!("CARGO_PKG_VERSION"),
        neardup_text::UNICODE_VERSION,
        job.verb,
        job.scheme,
        job.fields,
        job.main_content,
        job.on_error,
        job.keep,
        job.kept,
        job.pairs,
        job.max_family,
        job.passages,
        job.cutting,
        job.index,
        sources.len()
    );
    for source in sources.iter().chain(against) {
        let changed = fs::metadata(&source.path).and_then(|data| data.modified()).map_err(Error::file(&source.path, "read"))?;
        key += &format!("{} {} {changed:?}\n", source.path.display(), source.bytes);
    }
    Ok(Some(blake3::hash(key.as_bytes()).to_hex().to_string()))
}
