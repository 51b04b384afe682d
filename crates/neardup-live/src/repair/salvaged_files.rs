//! The data that can be read from the files of one folder.

use super::damage::{Damage, LostDocument};
use super::documents::{FoundDocument, of_segment, of_texts};
use super::living_rows::LivingRows;
use super::saved_document::SavedDocument;
use super::state::{self, LivingState};
use super::{log, settings};
use crate::Result;
use crate::format::FORMAT;
use crate::snapshot::folder;
use crate::snapshot::manifest::{MANIFEST, Manifest, Settings};
use crate::snapshot::step::IndexStep;
use crate::storage::file_kind::FileKind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The data that can be read from the files of a folder.
pub struct SalvagedFiles {
    /// The folder.
    pub dir: PathBuf,
    /// The settings of the index and the names of its files.
    pub manifest: Manifest,
    /// The damage of the files.
    pub damages: Vec<Damage>,
    /// Questions that the damage leaves open.
    pub doubts: Vec<String>,
    /// The living documents, by serial number.
    pub saved: BTreeMap<u64, SavedDocument>,
    /// The lost documents.
    pub lost: Vec<LostDocument>,
    /// Whether some texts have no records beside them.
    lacks_records: bool,
    /// Number of steps in the life of the index.
    pub steps: u64,
    /// When the last document arrived, in Unix seconds.
    pub arrived: i64,
    /// Files that are newer than the manifest.
    pub later: Vec<PathBuf>,
}

/// Reads everything that the folder contains. `known` are the settings of the index, for the case that no manifest contains them.
///
/// # Errors
/// The errors of [`settings::manifest`].
pub fn salvage(dir: &Path, known: Option<&Settings>) -> Result<SalvagedFiles> {
    let mut damages = Vec::new();
    let mut manifest = settings::manifest(dir, known, &mut damages)?;
    // A writer removes a log only after it has written a newer manifest.
    if !dir.join(&manifest.log).exists()
        && let Some(newer) = newest(dir, &manifest)?
    {
        // A lost manifest was reported already.
        if damages.iter().all(|damage| damage.file != dir.join(MANIFEST)) {
            damages.push(Damage::of(&dir.join(MANIFEST), "it is older than the files beside it, which were read in its place"));
        }
        manifest = newer;
    }
    let mut of = SalvagedFiles {
        dir: dir.to_path_buf(),
        manifest,
        damages,
        doubts: Vec::new(),
        saved: BTreeMap::new(),
        lost: Vec::new(),
        lacks_records: false,
        steps: 0,
        arrived: 0,
        later: Vec::new(),
    };
    let living = state::read(dir, &of.manifest, &mut of.damages);
    let mut living_rows = of.segments(living);
    of.log(&mut living_rows);
    of.find_later_files()?;
    of.lost.extend(living_rows.lost.into_values());
    of.saved = living_rows.saved;
    of.arrived = of.saved.values().map(|saved| saved.arrived).fold(of.arrived, i64::max);
    Ok(of)
}

/// Returns a manifest of the files in the folder, if some of them are newer than the manifest `old`.
fn newest(dir: &Path, old: &Manifest) -> Result<Option<Manifest>> {
    let files = folder::files(dir)?;
    let of_kind = |kind: FileKind| {
        let mut numbers: Vec<u64> = files.iter().filter_map(|name| kind.number_of(name)).collect();
        numbers.sort_unstable();
        numbers
    };
    let names = |kind: FileKind| of_kind(kind).into_iter().map(|number| kind.file(number)).collect();
    let Some(last) = FileKind::ALL.into_iter().flat_map(of_kind).max().filter(|&last| last >= old.next_number) else { return Ok(None) };
    let (rolls, log) = (of_kind(FileKind::Roll), of_kind(FileKind::Log).pop());
    // A roll is written right before its log.
    let roll = rolls.into_iter().rfind(|&roll| log.is_none_or(|log| roll + 1 == log));
    let next_number = last + 1;
    Ok(Some(Manifest {
        // Higher than any earlier generation, because every manifest has new files.
        generation: old.generation.max(next_number),
        next_number: next_number + 1,
        segments: names(FileKind::Segment),
        texts: names(FileKind::Texts),
        state: None,
        roll: roll.map(|roll| FileKind::Roll.file(roll)),
        log: FileKind::Log.file(log.unwrap_or(next_number)),
        ..old.clone()
    }))
}

impl SalvagedFiles {
    /// Whether the files lack something that files of the current format contain.
    pub fn is_of_older_format(&self) -> bool {
        self.manifest.format < FORMAT || self.lacks_records
    }

    /// Returns the serial numbers of all living documents, including lost ones.
    pub fn living(&self) -> BTreeSet<u64> {
        self.saved.keys().copied().chain(self.lost.iter().filter_map(|lost| lost.serial)).collect()
    }

    /// Returns the living documents of the segments.
    fn segments(&mut self, living: LivingState) -> LivingRows {
        let (mut found, mut is_complete) = (Vec::new(), true);
        let is_shard = self.manifest.settings.shard.is_some();
        let (index, damages) = (&self.manifest.identity, &mut self.damages);
        let mut others: Vec<&String> = self.manifest.texts.iter().collect();
        for name in &self.manifest.segments {
            match of_segment(&self.dir, name, index, is_shard, damages) {
                Some(documents) => {
                    others.retain(|texts| !documents.texts.contains(texts));
                    self.lacks_records |= documents.lacks_records;
                    found.extend(documents.found);
                }
                None => is_complete = false,
            }
        }
        if !is_complete {
            for name in others {
                match of_texts(&self.dir, name, index, is_shard, damages) {
                    Some(documents) => found.extend(documents),
                    // These documents are unknown, unless the roll lists them.
                    None if matches!(living, LivingState::Serials(_)) => {}
                    None => self.lost.push(LostDocument::unknown(&self.dir.join(name))),
                }
            }
        }
        let numbered =
            |living: &LivingState| matches!(living, LivingState::Places { alive, .. } if is_complete && alive.len() == found.len());
        let living = match living {
            LivingState::Places { .. } if !numbered(&living) => LivingState::Unknown,
            living => living,
        };
        self.take(found, living)
    }

    /// Selects the living ones of the documents found.
    fn take(&mut self, mut found: Vec<FoundDocument>, living: LivingState) -> LivingRows {
        match &living {
            LivingState::Serials(roll) => (self.steps, self.arrived) = (roll.steps, roll.arrived),
            &LivingState::Places { steps, arrived, .. } => (self.steps, self.arrived) = (steps, arrived),
            LivingState::Unknown => {
                self.steps = found.iter().map(|found| found.serial).max().unwrap_or(0);
                self.doubts.push("which documents were removed is not known any more: some may be back".to_owned());
            }
        }
        match living {
            LivingState::Serials(roll) => {
                found.retain(|found| roll.serials.binary_search(&found.serial).is_ok());
                found.sort_by_key(|found| found.serial);
                let place = self.manifest.segments.first().map(|name| self.dir.join(name)).unwrap_or_default();
                let missing = roll.serials.iter().filter(|serial| found.binary_search_by_key(serial, |found| &found.serial).is_err());
                let missing: Vec<LostDocument> =
                    missing.map(|&serial| LostDocument { serial: Some(serial), ..LostDocument::unknown(&place) }).collect();
                let mut living_rows = living_rows(found);
                missing.into_iter().for_each(|lost| living_rows.lose(lost.serial.unwrap_or_default(), lost));
                living_rows
            }
            LivingState::Places { alive, .. } => {
                let alive = found.into_iter().zip(alive).filter_map(|(found, alive)| alive.then_some(found));
                living_rows(alive.collect())
            }
            LivingState::Unknown => {
                found.retain(|found| !found.is_dead);
                found.sort_by_key(|found| found.serial);
                found.dedup_by_key(|found| found.serial);
                living_rows(found)
            }
        }
    }

    /// Replays the steps of the log.
    fn log(&mut self, living_rows: &mut LivingRows) {
        let path = self.dir.join(&self.manifest.log);
        let report = log::read(&path, &self.manifest.identity);
        let mut is_removal_lost = false;
        for step in report.steps {
            self.steps += 1;
            match step {
                Some(IndexStep::Add { arrived, document, .. }) => {
                    self.arrived = self.arrived.max(arrived);
                    living_rows.add(self.steps, SavedDocument::new(self.arrived, document.into_owned()));
                }
                Some(IndexStep::Remove { serials, .. }) => serials.into_iter().for_each(|serial| living_rows.remove(serial)),
                None => {
                    is_removal_lost = true;
                    let lost = LostDocument { serial: Some(self.steps), arrived: Some(self.arrived), ..LostDocument::unknown(&path) };
                    living_rows.lose(self.steps, lost);
                }
            }
        }
        if is_removal_lost {
            self.doubts.push(format!("{}: a lost step may be a removal: then the documents that it removed are back", path.display()));
        }
        if let Some(doubt) = report.doubt {
            self.doubts.push(format!("{}: {doubt}: which documents came or went since the last segment is not known", path.display()));
        }
        self.damages.extend(report.damages);
    }

    /// Finds files of this index that its manifest does not know. Then the manifest is an older copy, or a writer was stopped.
    fn find_later_files(&mut self) -> Result<()> {
        let number = |name: &String| FileKind::ALL.into_iter().find_map(|kind| kind.number_of(name));
        let is_later = |name: &String| number(name).is_some_and(|number| number >= self.manifest.next_number);
        self.later = folder::files(&self.dir)?.into_iter().filter(is_later).map(|name| self.dir.join(name)).collect();
        if let (Some(first), false) = (self.later.first(), self.damages.is_empty()) {
            let why = "is later than the manifest, which may be an older copy: what came since is not known";
            self.doubts.push(format!("{}: it {why}", first.display()));
        }
        Ok(())
    }
}

fn living_rows(found: Vec<FoundDocument>) -> LivingRows {
    let mut living_rows = LivingRows::default();
    for FoundDocument { serial, document, .. } in found {
        match document {
            Ok(saved) => living_rows.add(serial, saved),
            Err(lost) => living_rows.lose(serial, lost),
        }
    }
    living_rows
}
