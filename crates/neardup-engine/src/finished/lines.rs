//! Lines: what the passages of pairs say, and what differs, as JSON lines for people and programs.

use crate::checkpoint::journal::StageJournal;
use crate::checkpoint::output::Output;
use crate::explain::explanation::{DiffStep, EQUAL, changes};
use crate::findings::pairs::ScoredPair;
use crate::findings::passages::{PassageRow, PassageRows, PreviousSides};
use crate::progress::Watch;
use crate::tables::names::TableNames;
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::control::PhaseControl;
use neardup_disk::regular::open_as;
use neardup_report::texts::diff;
use serde::Serialize;
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

const EVIDENCE: &str = "evidence.jsonl";
/// Pairs whose lines are made together.
const BLOCK: usize = 1 << 6;
/// Words compared of each text; the time that takes must not decide what is written.
const WORDS: usize = 10_000;

/// The lines of all pairs.
pub struct EvidenceLines<'a> {
    /// Their passages.
    pub table: &'a PassageRows<'a>,
    /// The passes that found the pairs.
    pub passes: &'a [CompiledPass],
    /// About the memory there is.
    pub room: usize,
    /// Blocks that are written.
    pub journal: &'a StageJournal<'a>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

/// What is said of a pair.
#[derive(Serialize)]
struct EvidenceLine<'a> {
    left: Cow<'a, str>,
    right: Cow<'a, str>,
    passages: Vec<SharedText<'a>>,
    changes: Vec<DiffStep>,
    /// Whether the texts were too long to be compared word by word to their ends.
    changes_cut: bool,
}

/// A passage, by its bytes in both texts, and as the left one has it.
#[derive(Serialize)]
struct SharedText<'a> {
    tokens: u32,
    left: [u32; 2],
    right: [u32; 2],
    text: &'a str,
}

impl EvidenceLines<'_> {
    /// Writes them to a file in `work`, and resumes those that a stop left there.
    pub fn write(&self, work: &Path) -> Result<()> {
        let path = work.join(EVIDENCE);
        let mut file = open_as(&path, File::options().create(true).truncate(false).write(true)).map_err(Error::file(&path, "write"))?;
        let PassageRows { names, pairs, rows } = *self.table;
        let mut rows = rows.parts(pairs.store).flat_map(one_by_one).peekable();
        let mut end = 0;
        for start in (0..pairs.len()).step_by(BLOCK) {
            self.watch.check()?;
            let range = start..(start + BLOCK).min(pairs.len());
            self.watch.advance(range.len() as u64);
            let mut said = vec![Vec::new(); range.len()];
            while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, |row| range.contains(&(row[0] as usize)))) {
                let row = row.map_err(neardup_core::Error::from)?;
                said[row[0] as usize - start].push(row);
            }
            end = self.journal.piece(|| {
                let numbered: Vec<(u32, ScoredPair)> = (start as u32..).zip(pairs.read(range)?).collect();
                let line = |_: &mut PreviousSides, number: u32, pair: &ScoredPair| line(names, pair, &said[number as usize - start]);
                let lines = names.signed.each_pair(&numbered, self.passes, self.room, line)?.concat();
                let write = file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).and_then(|_| file.write_all(&lines));
                write.map_err(Error::file(&path, "write"))?;
                Ok(end + lines.len() as u64)
            })?;
        }
        Ok(())
    }
}

/// Puts the written lines among the results.
pub fn put(work: &Path, output: &Output) -> Result<()> {
    let (from, to) = (work.join(EVIDENCE), output.file(EVIDENCE)?);
    if from.exists() { fs::rename(&from, &to).map_err(Error::file(&to, "put into place")) } else { Ok(()) }
}

fn line(names: &TableNames<'_>, pair: &ScoredPair, rows: &[PassageRow]) -> Result<Vec<u8>> {
    let (left, right) = (names.signed.read(pair.left)?, names.signed.read(pair.right)?);
    let said = |row: &PassageRow| {
        let [_, tokens, left_start, left_end, right_start, right_end, ..] = *row;
        let text = left.get(left_start as usize..left_end as usize).unwrap_or_default();
        SharedText { tokens, left: [left_start, left_end], right: [right_start, right_end], text }
    };
    let (mut changes, changes_cut) = changes(&diff::words_within(&left, &right, WORDS, None));
    changes.retain(|step| step.kind != EQUAL);
    let passages = rows.iter().map(said).collect();
    let line = EvidenceLine { left: names.ids.get(pair.left), right: names.ids.get(pair.right), passages, changes, changes_cut };
    // Strings and numbers only: nothing in a line can fail to be written.
    let mut line = serde_json::to_vec(&line).unwrap_or_default();
    line.push(b'\n');
    Ok(line)
}

/// The rows of a part, or why it cannot be read.
fn one_by_one(rows: io::Result<Vec<PassageRow>>) -> Vec<io::Result<PassageRow>> {
    rows.map_or_else(|error| vec![Err(error)], |rows| rows.into_iter().map(Ok).collect())
}
