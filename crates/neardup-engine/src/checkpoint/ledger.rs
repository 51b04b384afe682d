//! The ledger: what finished stages saved, so that the same command resumes after an interruption.
//!
//! Each entry contains the length of the store at that time. A resumed run truncates the store to the length in the last valid
//! entry, and does everything after it again.

use crate::checkpoint::entry::{Durability, LedgerEntry, sync};
use crate::checkpoint::identity;
use crate::checkpoint::journal::{JournalEnd, JournalFile, StageJournal, reach};
use crate::checkpoint::output::{Output, RUN, remove};
use crate::checkpoint::stage::LedgerStage;
use crate::progress::Watch;
use crate::{Error, Result};
use neardup_core::util::store::Store;
use neardup_disk::regular::{self, open_as};
use neardup_text::TokensVersion;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const COLUMNS: &str = "columns";
/// File name extensions of entries and of journals.
const ENTRY: &str = "json";
const JOURNAL: &str = "pieces";

/// The stages of one run, in its work folder.
pub struct Ledger<'a> {
    /// Work folder of the run.
    pub work: &'a Path,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
    /// Decides which entries are lasting.
    pub lasting: Durability,
    /// Identity of the run; `None` if the run cannot be repeated, so nothing is saved.
    key: Option<String>,
    done: Vec<LedgerStage>,
    /// A sentence that an unfinished run of another version of the tokens was there, and that this run does all of its work again.
    pub note: Option<String>,
    /// The first unfinished stage, if some of its pieces are finished.
    begun: Option<(LedgerStage, JournalEnd)>,
}

impl<'a> Ledger<'a> {
    /// Opens the ledger of `stages` and the store in `work`, and resumes what a run of the same `key` saved there. Saved data
    /// that does not fit is not an error: the work is done again.
    pub fn open(key: Option<String>, stages: Vec<LedgerStage>, work: &'a Path, watch: &'a Watch) -> Result<(Self, Arc<Store>)> {
        let path = work.join(COLUMNS);
        let columns =
            open_as(&path, File::options().create(true).truncate(false).read(true).write(true)).map_err(Error::file(&path, "write"))?;
        let there = columns.metadata().map_err(Error::file(&path, "read"))?.len();
        let mut ledger = Ledger { work, watch, lasting: Durability::new(), key, done: Vec::new(), note: None, begun: None };
        ledger.note = ledger.other_version()?.map(|theirs| {
            format!(
                "an unfinished run was there, whose texts were cut by {theirs}, and are cut by {} now: it began anew",
                TokensVersion::current()
            )
        });
        let mut last = None;
        let entry = |stage: &LedgerStage| ledger.read::<IgnoredAny>(*stage).filter(|entry| entry.end <= there);
        let found: Vec<(LedgerStage, LedgerEntry<IgnoredAny>)> = stages.iter().map_while(|stage| Some((*stage, entry(stage)?))).collect();
        // A lasting entry makes all entries before it lasting.
        let holding = found.iter().rposition(|(_, entry)| ledger.lasting.holds(entry)).map_or(0, |at| at + 1);
        if let (Some(&next), Some(key)) = (stages.get(holding), &ledger.key) {
            ledger.begun = reach(&ledger.path(next, JOURNAL), key, there, &ledger.lasting).map(|reach| (next, reach));
        }
        for (stage, entry) in found.into_iter().take(holding) {
            ledger.done.push(stage);
            last = Some(entry);
        }
        // Entries of another job must not be found after the stages of this one.
        ledger.forget_others()?;
        let last = ledger.begun.as_ref().map(|(_, reach)| &reach.last).or(last.as_ref());
        let end = last.map_or(0, |entry| entry.end);
        columns.set_len(end).map_err(Error::file(&path, "write"))?;
        if let Some(entry) = last {
            watch.resume(entry.phases.clone());
        }
        Ok((ledger, Arc::new(Store::new(columns, end))))
    }

    /// Whether an earlier run finished `stage`.
    pub fn is_done(&self, stage: LedgerStage) -> bool {
        self.done.contains(&stage)
    }

    /// Returns the result of `stage`: read from its entry, or made now and saved in an entry.
    pub fn once<T: Serialize + DeserializeOwned>(&self, stage: LedgerStage, store: &Store, make: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some(entry) = self.is_done(stage).then(|| self.read(stage)).flatten() {
            return Ok(entry.left);
        }
        let left = make()?;
        let Some(key) = &self.key else { return Ok(left) };
        let path = self.path(stage, ENTRY);
        let end = store.trim().map_err(neardup_core::Error::from)?;
        let start = self.lasting.start(self.work)?;
        let lasts = start.is_none();
        let entry = LedgerEntry { key: key.clone(), start, end, phases: self.watch.phases(), left };
        let text = serde_json::to_vec(&entry).map_err(Error::file(&path, "write"))?;
        // Renamed when it is complete, so an entry that exists can be trusted.
        let aside = path.with_extension("new");
        let write = || {
            let mut file = File::create(&aside)?;
            file.write_all(&text)?;
            if lasts {
                file.sync_all()?;
            }
            fs::rename(&aside, &path)?;
            if lasts { sync(&file, self.work) } else { Ok(()) }
        };
        write().map_err(Error::file(&path, "write"))?;
        remove(&self.path(stage, JOURNAL))?;
        Ok(entry.left)
    }

    /// Returns the journal of `stage`, which is under way. `cut` says how the stage is cut into pieces.
    pub fn journal<'s>(&'s self, stage: LedgerStage, cut: String, store: &'s Store) -> Result<StageJournal<'s>> {
        let journal_file = self.key.as_ref().map(|key| JournalFile {
            path: self.path(stage, JOURNAL),
            key,
            store,
            work: self.work,
            watch: self.watch,
            lasting: &self.lasting,
        });
        let reach = self.begun.as_ref().filter(|begun| begun.0 == stage).map(|begun| &begun.1);
        StageJournal::open(journal_file, cut, reach)
    }

    /// Returns the version of the tokens of what another run saved in the work folder, if it is not that of this run.
    fn other_version(&self) -> Result<Option<String>> {
        #[derive(Deserialize)]
        struct EntryHead {
            key: String,
        }
        let Some(ours) = self.key.as_deref().map(identity::version_of) else { return Ok(None) };
        for path in self.saved()? {
            let mut line = String::new();
            let head = regular::open(&path).ok().and_then(|file| BufReader::new(file).read_line(&mut line).ok());
            let head = head.and_then(|_| serde_json::from_str::<EntryHead>(&line).ok());
            if let Some(theirs) = head.map(|head| identity::version_of(&head.key)).filter(|theirs| *theirs != ours) {
                return Ok(Some(theirs));
            }
        }
        Ok(None)
    }

    /// Returns the entries and journals in the work folder.
    fn saved(&self) -> Result<Vec<PathBuf>> {
        let fail = || Error::file(self.work, "read");
        let paths: Vec<PathBuf> =
            fs::read_dir(self.work).map_err(fail())?.map(|entry| Ok(entry.map_err(fail())?.path())).collect::<Result<_>>()?;
        Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == ENTRY || end == JOURNAL)).collect())
    }

    /// Removes every entry and journal that this run does not resume.
    fn forget_others(&self) -> Result<()> {
        let done = self.done.iter().map(|&stage| self.path(stage, ENTRY));
        let taken: Vec<PathBuf> = done.chain(self.begun.iter().map(|begun| self.path(begun.0, JOURNAL))).collect();
        self.saved()?.iter().filter(|path| !taken.contains(path)).try_for_each(|path| remove(path))
    }

    fn read<T: DeserializeOwned>(&self, stage: LedgerStage) -> Option<LedgerEntry<T>> {
        read(&self.path(stage, ENTRY), self.key.as_deref()?)
    }

    fn path(&self, stage: LedgerStage, end: &str) -> PathBuf {
        path(self.work, stage, end)
    }
}

/// Returns the entry in the file `path`, if it belongs to `key`.
fn read<T: DeserializeOwned>(path: &Path, key: &str) -> Option<LedgerEntry<T>> {
    let entry: LedgerEntry<T> = serde_json::from_slice(&regular::read(path).ok()?).ok()?;
    (entry.key == key).then_some(entry)
}

fn path(work: &Path, stage: LedgerStage, end: &str) -> PathBuf {
    work.join(stage.name()).with_extension(end)
}

/// Returns the summary of the run of `key`, if it was stopped after all of `output` was written. Everything else in `work` may
/// already be removed.
pub fn ended(key: Option<&str>, work: &Path, output: Option<&Output>) -> Option<String> {
    let entry: LedgerEntry<IgnoredAny> = read(&path(work, LedgerStage::Written, ENTRY), key?)?;
    let summary = || regular::read_to_string(&output?.folder().join(RUN)).ok();
    Durability::new().holds(&entry).then(summary).flatten()
}

/// Removes everything that a finished run no longer needs, except the entry by which [`ended`] recognises it.
pub fn clean_up(work: &Path) -> Result<()> {
    let last = path(work, LedgerStage::Written, ENTRY);
    for entry in fs::read_dir(work).map_err(Error::file(work, "read"))? {
        let path = entry.map_err(Error::file(work, "read"))?.path();
        if path != last {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Whether `work` contains anything to resume.
pub fn has_entries(work: &Path) -> bool {
    let entries = fs::read_dir(work).into_iter().flatten().flatten();
    let is_entry = |path: PathBuf| {
        path.extension().is_some_and(|end| end == ENTRY || end == JOURNAL) && path.metadata().is_ok_and(|file| file.len() > 0)
    };
    entries.map(|entry| entry.path()).any(is_entry)
}
