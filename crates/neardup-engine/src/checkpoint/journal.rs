//! Journals: the finished pieces of an unfinished stage. A stop loses only the latest of them.
//!
//! Each line of the file is an entry for the pieces since the previous line. Lines are written at intervals, not for every
//! piece, and never changed. An incomplete last line is ignored.

use crate::checkpoint::entry::{Durability, LedgerEntry, sync};
use crate::progress::Watch;
use crate::{Error, Result};
use neardup_core::util::store::Store;
use neardup_disk::regular::{self, open_as};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Minimum time between two lines.
const EVERY: Duration = Duration::from_millis(250);

/// The pieces of one line.
#[derive(Serialize, Deserialize)]
struct JournalPieces {
    /// How the stage is cut into pieces; pieces of another cut cannot be resumed.
    cut: String,
    pieces: Vec<Value>,
}

/// The end of the valid part of a journal file.
pub struct JournalEnd {
    /// Number of bytes up to the end of the last valid entry.
    length: u64,
    /// The last valid entry.
    pub last: LedgerEntry<IgnoredAny>,
}

/// Returns the end of the valid part of the journal in `path`, for `key` and a store of `there` bytes; `None` if no entry is
/// valid.
pub fn reach(path: &Path, key: &str, there: u64, lasting: &Durability) -> Option<JournalEnd> {
    let mut lines = BufReader::new(regular::open(path).ok()?);
    let (mut line, mut length, mut reach) = (Vec::new(), 0, None);
    loop {
        line.clear();
        length += lines.read_until(b'\n', &mut line).ok()? as u64;
        let entry = line.ends_with(b"\n").then(|| serde_json::from_slice::<LedgerEntry<IgnoredAny>>(&line).ok()).flatten();
        let Some(last) = entry.filter(|entry| entry.key == key && entry.end <= there) else { return reach };
        // A lasting entry makes all entries before it lasting.
        if lasting.holds(&last) {
            reach = Some(JournalEnd { length, last });
        }
    }
}

/// The journal of the stage under way.
pub struct StageJournal<'a> {
    /// `None` if the run cannot be repeated, so nothing is saved.
    journal_file: Option<JournalFile<'a>>,
    cut: String,
    state: Mutex<JournalState>,
}

/// The file of a journal, and what its entries need.
pub struct JournalFile<'a> {
    /// Path of the file.
    pub path: PathBuf,
    /// Identity of the run, which every entry contains.
    pub key: &'a str,
    /// The store that contains the columns of the pieces.
    pub store: &'a Store,
    /// Work folder of the run.
    pub work: &'a Path,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
    /// Decides which entries are lasting.
    pub lasting: &'a Durability,
}

struct JournalState {
    file: Option<File>,
    /// Pieces that an earlier run finished and that are not yet taken.
    left: VecDeque<Value>,
    /// Finished pieces that are not yet in a line.
    new: Vec<Value>,
    written: Instant,
}

impl<'a> StageJournal<'a> {
    /// Opens the journal of `journal_file`. Resumes its valid part if the pieces have the same `cut`; otherwise begins it anew.
    pub fn open(journal_file: Option<JournalFile<'a>>, cut: String, reach: Option<&JournalEnd>) -> Result<Self> {
        let (mut left, mut file) = (VecDeque::new(), None);
        if let Some(journal_file) = &journal_file {
            let fail = || Error::file(&journal_file.path, "write");
            let mut open =
                open_as(&journal_file.path, File::options().create(true).truncate(false).read(true).write(true)).map_err(fail())?;
            let mut length = reach.map_or(0, |reach| reach.length);
            for line in BufReader::new((&open).take(length)).lines() {
                let entry = line.ok().and_then(|line| serde_json::from_str::<LedgerEntry<JournalPieces>>(&line).ok());
                let Some(entry) = entry.filter(|entry| entry.left.cut == cut) else {
                    (left, length) = (VecDeque::new(), 0);
                    break;
                };
                left.extend(entry.left.pieces);
            }
            open.set_len(length).and_then(|()| open.seek(SeekFrom::End(0))).map_err(fail())?;
            file = Some(open);
        }
        Ok(StageJournal { journal_file, cut, state: Mutex::new(JournalState { file, left, new: Vec::new(), written: Instant::now() }) })
    }

    /// Returns all pieces that an earlier run finished, in the order in which they were added.
    pub fn take<T: DeserializeOwned>(&self) -> Result<Vec<T>> {
        self.state().left.drain(..).map(|piece| self.read(piece)).collect()
    }

    /// Returns the next piece of a stage with pieces in a fixed order: resumed, or made now and added.
    pub fn piece<T: Serialize + DeserializeOwned>(&self, make: impl FnOnce() -> Result<T>) -> Result<T> {
        let taken = self.state().left.pop_front();
        if let Some(piece) = taken {
            return self.read(piece);
        }
        let piece = make()?;
        self.add(&piece)?;
        Ok(piece)
    }

    /// Adds a finished piece, whose columns are in the store.
    pub fn add<T: Serialize>(&self, piece: &T) -> Result<()> {
        let Some(journal_file) = &self.journal_file else { return Ok(()) };
        let piece = serde_json::to_value(piece).map_err(Error::file(&journal_file.path, "write"))?;
        let mut state = self.state();
        state.new.push(piece);
        if state.written.elapsed() < EVERY { Ok(()) } else { self.write(journal_file, &mut state) }
    }

    /// Writes a line with the pieces that are in none.
    fn write(&self, journal_file: &JournalFile<'_>, state: &mut JournalState) -> Result<()> {
        let JournalFile { path, key, store, work, watch, lasting } = journal_file;
        let end = store.flush().map_err(neardup_core::Error::from)?;
        let start = lasting.start(work)?;
        let lasts = start.is_none();
        let pieces = JournalPieces { cut: self.cut.clone(), pieces: std::mem::take(&mut state.new) };
        let entry = LedgerEntry { key: (*key).to_owned(), start, end, phases: watch.so_far(), left: pieces };
        let mut line = serde_json::to_vec(&entry).map_err(Error::file(path, "write"))?;
        line.push(b'\n');
        if let Some(file) = &mut state.file {
            let written = file.write_all(&line).and_then(|()| if lasts { sync(file, work) } else { Ok(()) });
            written.map_err(Error::file(path, "write"))?;
        }
        state.written = Instant::now();
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self, piece: Value) -> Result<T> {
        let path = self.journal_file.as_ref().map_or(Path::new(""), |journal_file| &journal_file.path);
        serde_json::from_value(piece).map_err(Error::file(path, "read"))
    }

    fn state(&self) -> MutexGuard<'_, JournalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StageJournal<'_> {
    /// Writes the finished pieces, if it can, when the run is stopped by an error or from outside.
    fn drop(&mut self) {
        let mut state = self.state();
        if let Some(journal_file) = self.journal_file.as_ref().filter(|_| !state.new.is_empty()) {
            let _ = self.write(journal_file, &mut state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::ledger::Ledger;
    use crate::checkpoint::stage::LedgerStage;
    use neardup_core::util::store::StoredColumn;
    use std::fs::{self, OpenOptions};

    const STAGES: [LedgerStage; 2] = [LedgerStage::Signed(0), LedgerStage::Written];
    const COLUMN: [u64; 5] = [5, 4, 3, 2, 1];

    /// Opens the ledger of `key`. Returns the number of finished stages and the numbers of the pieces of the first unfinished
    /// one, and checks the columns of these.
    fn taken(work: &Path, key: &str, cut: &str) -> (usize, Vec<usize>) {
        let watch = Watch::default();
        let (ledger, store) = Ledger::open(Some(key.to_owned()), STAGES.to_vec(), work, &watch).unwrap();
        let done = STAGES.iter().filter(|&&stage| ledger.once(stage, &store, || Err::<u32, _>(Error::Usage(String::new()))).is_ok());
        let done = done.count();
        let stage = STAGES[done.min(1)];
        let pieces: Vec<(usize, StoredColumn<u64>)> = ledger.journal(stage, cut.to_owned(), &store).unwrap().take().unwrap();
        pieces.iter().for_each(|&(_, column)| assert_eq!(store.all(column).unwrap(), COLUMN));
        (done, pieces.iter().map(|piece| piece.0).collect())
    }

    /// Returns a folder with a journal of two lines, as a stop leaves it, and the path of the journal.
    fn stopped() -> (tempfile::TempDir, PathBuf) {
        let (folder, watch) = (tempfile::tempdir().unwrap(), Watch::default());
        for numbers in [0..3, 3..4] {
            let (ledger, store) = Ledger::open(Some("key".to_owned()), STAGES.to_vec(), folder.path(), &watch).unwrap();
            let journal = ledger.journal(STAGES[0], "cut".to_owned(), &store).unwrap();
            numbers.for_each(|number: usize| journal.add(&(number, store.append(&COLUMN).unwrap())).unwrap());
        }
        let path = folder.path().join("signed.pieces");
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
        (folder, path)
    }

    #[test]
    fn pieces_come_back() {
        let (folder, _) = stopped();
        assert_eq!(taken(folder.path(), "key", "cut"), (0, vec![0, 1, 2, 3]));
        assert_eq!(taken(folder.path(), "key", "cut"), (0, vec![0, 1, 2, 3]));
        assert_eq!(taken(folder.path(), "key", "another cut"), (0, vec![]));
        assert_eq!(taken(folder.path(), "key", "cut"), (0, vec![]));
    }

    #[test]
    fn another_job_finds_nothing() {
        let (folder, path) = stopped();
        assert_eq!(taken(folder.path(), "another key", "cut"), (0, vec![]));
        assert_eq!(fs::read(path).unwrap(), b"");
    }

    #[test]
    fn a_line_that_is_not_whole_is_none() {
        let (folder, path) = stopped();
        let whole = fs::read(&path).unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for (length, expected) in [(whole.len() - 1, 3), (first + 9, 3), (first, 3), (first - 1, 0), (1, 0)] {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(taken(folder.path(), "key", "cut").1.len(), expected, "{length}");
            fs::write(&path, &whole).unwrap();
            OpenOptions::new().write(true).open(folder.path().join("columns")).unwrap().set_len(1 << 10).unwrap();
        }
    }

    #[test]
    fn a_line_names_nothing_that_is_not_there() {
        let (folder, path) = stopped();
        let ends: Vec<u64> = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<LedgerEntry<IgnoredAny>>(line).unwrap().end)
            .collect();
        let columns = OpenOptions::new().write(true).open(folder.path().join("columns")).unwrap();
        columns.set_len(ends[1] - 1).unwrap();
        assert_eq!(taken(folder.path(), "key", "cut"), (0, vec![0, 1, 2]));
        columns.set_len(ends[0] - 1).unwrap();
        assert_eq!(taken(folder.path(), "key", "cut"), (0, vec![]));
    }

    #[test]
    fn only_what_lasts_holds_when_the_machine_was_started_anew() {
        for (starts, expected) in [([Some("before"), Some("before")], 0), ([None, Some("before")], 3), ([Some("before"), None], 4)] {
            let (folder, path) = stopped();
            let with = |(line, start): (&str, Option<&str>)| {
                let mut line: Value = serde_json::from_str(line).unwrap();
                line["start"] = start.map_or(Value::Null, Value::from);
                format!("{line}\n")
            };
            let lines = fs::read_to_string(&path).unwrap();
            fs::write(&path, lines.lines().zip(starts).map(with).collect::<String>()).unwrap();
            assert_eq!(taken(folder.path(), "key", "cut").1.len(), expected);
        }
    }

    #[test]
    fn a_finished_stage_needs_no_journal() {
        let (folder, path) = stopped();
        let watch = Watch::default();
        let (ledger, store) = Ledger::open(Some("key".to_owned()), STAGES.to_vec(), folder.path(), &watch).unwrap();
        assert_eq!(ledger.once(STAGES[0], &store, || Ok(7)).unwrap(), 7);
        assert!(!path.exists());
        assert_eq!(taken(folder.path(), "key", "cut"), (1, vec![]));
    }
}
