//! Lines: the text of the passages of pairs, and the differences, as JSON lines for people and programs.

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
/// Number of pairs whose lines are made together.
const BLOCK: usize = 1 << 6;
/// Maximum number of words that are compared in each text. A time limit would make the output depend on the speed of the
/// machine.
const WORDS: usize = 10_000;

/// The lines of all pairs.
pub struct EvidenceLines<'a> {
    /// Passages of the pairs.
    pub table: &'a PassageRows<'a>,
    /// The passes that found the pairs.
    pub passes: &'a [CompiledPass],
    /// Approximate number of bytes of available memory.
    pub room: usize,
    /// Journal of the blocks that are written.
    pub journal: &'a StageJournal<'a>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

/// The line of a pair.
#[derive(Serialize)]
struct EvidenceLine<'a> {
    left: Cow<'a, str>,
    right: Cow<'a, str>,
    passages: Vec<SharedText<'a>>,
    changes: Vec<DiffStep>,
    /// Whether the texts were too long to be compared word by word to their ends.
    changes_cut: bool,
}

/// A passage: its bytes in both texts, and its text on the left.
#[derive(Serialize)]
struct SharedText<'a> {
    tokens: u32,
    left: [u32; 2],
    right: [u32; 2],
    text: &'a str,
}

impl EvidenceLines<'_> {
    /// Writes the lines to a file in `work`, and resumes after those that a stopped run wrote there.
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
            let mut listed = vec![Vec::new(); range.len()];
            while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, |row| range.contains(&(row[0] as usize)))) {
                let row = row.map_err(neardup_core::Error::from)?;
                listed[row[0] as usize - start].push(row);
            }
            end = self.journal.piece(|| {
                let numbered: Vec<(u32, ScoredPair)> = (start as u32..).zip(pairs.read(range)?).collect();
                let line = |_: &mut PreviousSides, number: u32, pair: &ScoredPair| line(names, pair, &listed[number as usize - start]);
                let lines = names.signed.each_pair(&numbered, self.passes, self.room, line)?.concat();
                let write = file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).and_then(|_| file.write_all(&lines));
                write.map_err(Error::file(&path, "write"))?;
                Ok(end + lines.len() as u64)
            })?;
        }
        Ok(())
    }
}

/// Moves the written lines to the results.
pub fn put(work: &Path, output: &Output) -> Result<()> {
    let (from, to) = (work.join(EVIDENCE), output.file(EVIDENCE)?);
    if from.exists() { fs::rename(&from, &to).map_err(Error::file(&to, "put into place")) } else { Ok(()) }
}

fn line(names: &TableNames<'_>, pair: &ScoredPair, rows: &[PassageRow]) -> Result<Vec<u8>> {
    let (left, right) = (names.signed.read(pair.left)?, names.signed.read(pair.right)?);
    let shared_text = |row: &PassageRow| {
        let [_, tokens, left_start, left_end, right_start, right_end, ..] = *row;
        let text = left.get(left_start as usize..left_end as usize).unwrap_or_default();
        SharedText { tokens, left: [left_start, left_end], right: [right_start, right_end], text }
    };
    let (mut changes, changes_cut) = changes(&diff::words_within(&left, &right, WORDS, None));
    changes.retain(|step| step.kind != EQUAL);
    let passages = rows.iter().map(shared_text).collect();
    let line = EvidenceLine { left: names.ids.get(pair.left), right: names.ids.get(pair.right), passages, changes, changes_cut };
    // A line contains only strings and numbers, so serialisation cannot fail.
    let mut line = serde_json::to_vec(&line).unwrap_or_default();
    line.push(b'\n');
    Ok(line)
}

/// Returns the rows of a part, or the error of reading it.
fn one_by_one(rows: io::Result<Vec<PassageRow>>) -> Vec<io::Result<PassageRow>> {
    rows.map_or_else(|error| vec![Err(error)], |rows| rows.into_iter().map(Ok).collect())
}
