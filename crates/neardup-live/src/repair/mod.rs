//! Repair: an index with wrong bytes is rebuilt from what its files still contain.
//!
//! Texts are in files of texts and in the log. The record of a document is beside its text and in its segment. The living documents
//! are listed in the roll and in the state. The manifest has a copy. So one damaged file loses only documents whose text it
//! contained. One wrong byte in a text, a record of the log, a head or a table of sections is found by their checksums and
//! corrected.
//!
//! The documents are signed and decided again. A new manifest makes all new files valid at once, as for every other change of an
//! index. A repair that is interrupted leaves the index unchanged.

mod damage;
mod documents;
mod living_rows;
mod log;
mod opened;
mod rebuild;
mod salvaged_files;
mod saved_document;
mod settings;
mod state;
mod text_file;

pub use damage::{Damage, LostDocument};

use crate::decide::passes::IndexPasses;
use crate::documents::document::{Document, serial_of};
use crate::format::FORMAT;
use crate::index::sharded::ShardSet;
use crate::shards::exchange::{Exchange, LocalExchange};
use crate::shards::peers::Shards;
use crate::shards::shard::Shard;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::folder::{self, is_split, of_shard, sweep_leftovers};
use crate::snapshot::manifest::{COPY, MANIFEST, Manifest, Settings};
use crate::storage::identity::Identity;
use crate::storage::lock::Lock;
use crate::{Error, Result};
use neardup_text::{Text, TokensVersion};
use rebuild::RebuildPlan;
use salvaged_files::{SalvagedFiles, salvage};
use saved_document::SavedDocument;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Suffix of a damaged file that is kept because some of its contents are lost.
const DAMAGED: &str = ".damaged";

/// An index under repair. No other process writes it meanwhile.
pub struct Repair {
    dir: PathBuf,
    folders: Vec<SalvagedFiles>,
    /// The passes that sign all texts.
    passes: IndexPasses,
    saved: BTreeMap<u64, SavedDocument>,
    lost: Vec<LostDocument>,
    steps: u64,
    arrived: i64,
    /// Reasons to rebuild the index although no byte of it is wrong.
    outdated: Vec<String>,
    _locks: Vec<Lock>,
}

impl Repair {
    /// Reads everything that the index in `dir` contains. Nothing is written yet. `passes` compiles its schemes, or refuses them.
    /// `known` are the settings of the index, for the case that no
    /// manifest contains them.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the settings of the index are unknown.
    pub fn begin(dir: &Path, known: Option<&Settings>, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<Repair> {
        Repair::open(dir, known, &passes, true)
    }

    /// Does the same for reading only, without blocking writers.
    pub fn look(dir: &Path, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<Repair> {
        Repair::open(dir, None, &passes, false)
    }

    fn open(dir: &Path, known: Option<&Settings>, passes: &impl Fn(&Settings) -> Result<IndexPasses>, is_locked: bool) -> Result<Repair> {
        let shards: Vec<PathBuf> = (0..).map(|number| of_shard(dir, number)).take_while(|shard| shard.is_dir()).collect();
        let dirs = if any_has_manifest(&shards) || has_remains(&shards) { shards } else { vec![dir.to_path_buf()] };
        // Checked before the locks are taken, because these create files: a folder without an index must stay unchanged.
        let known = known_of_shards(dir, &dirs, known)?;
        let known = |number: usize| known.get(number).and_then(Option::as_ref);
        (0..).zip(&dirs).try_for_each(|(number, dir)| settings::manifest(dir, known(number), &mut Vec::new()).map(drop))?;
        let locks = if is_locked { dirs.iter().map(|dir| Lock::wait(dir)).collect::<Result<_>>()? } else { Vec::new() };
        let folders: Vec<SalvagedFiles> = (0..).zip(&dirs).map(|(number, dir)| salvage(dir, known(number))).collect::<Result<_>>()?;
        refuse_foreign(dir, &folders)?;
        let mut outdated = Vec::new();
        let now = TokensVersion::current();
        let old = folders.iter().map(|folder| folder.manifest.settings.version()).find(|version| *version != now);
        outdated.extend(old.map(|old| format!("its texts were cut by {old}, and are cut by {now} now")));
        if let Some(old) = folders.iter().find(|folder| folder.is_of_older_format()) {
            outdated.push(format!("it is of format {}, and {FORMAT} can be repaired better", old.manifest.format));
        }
        let passes = IndexPasses { shard: None, ..passes(&folders[0].manifest.settings.renewed())? };
        let steps = folders.iter().map(|folder| folder.steps).max().unwrap_or(0);
        let arrived = folders.iter().map(|folder| folder.arrived).max().unwrap_or(0);
        let (dir, saved, lost) = (dir.to_path_buf(), BTreeMap::new(), Vec::new());
        let mut repair = Repair { dir, folders, passes, saved, lost, steps, arrived, outdated, _locks: locks };
        repair.unite();
        if is_locked && repair.damages().next().is_none() && repair.outdated.is_empty() {
            repair.verify();
        }
        Ok(repair)
    }

    /// Whether `dir` contains an index, however damaged.
    pub fn exists_in(dir: &Path) -> bool {
        has_manifest(dir) || any_has_manifest(&[of_shard(dir, 0), of_shard(dir, 1)])
    }

    /// Whether `dir` contains files of an index whose manifest is lost.
    pub fn remains_in(dir: &Path) -> bool {
        !Repair::exists_in(dir) && has_remains(&[dir.to_path_buf(), of_shard(dir, 0)])
    }

    /// Combines the contents of the folders of a split index. Each folder has all documents and some of the texts.
    fn unite(&mut self) {
        let furthest = self.folders.iter().filter(|folder| folder.damages.is_empty()).max_by_key(|folder| folder.steps);
        let living: Option<BTreeSet<u64>> = furthest.filter(|_| self.folders.len() > 1).map(SalvagedFiles::living);
        for folder in &mut self.folders {
            // A shard that was stopped is one request behind.
            for (serial, saved) in std::mem::take(&mut folder.saved) {
                match self.saved.get(&serial).is_some_and(|there| there.missing().is_none()) {
                    true => {}
                    false => drop(self.saved.insert(serial, saved)),
                }
            }
        }
        if let Some(living) = living {
            self.saved.retain(|serial, _| living.contains(serial));
            self.folders
                .iter_mut()
                .for_each(|folder| folder.lost.retain(|lost| lost.serial.is_some_and(|serial| living.contains(&serial))));
        }
        for folder in &mut self.folders {
            for lost in std::mem::take(&mut folder.lost) {
                let is_saved = |serial: &u64| self.saved.get(serial).is_some_and(|saved| saved.missing().is_none());
                let is_told = |other: &LostDocument| other.serial.is_some() && other.serial == lost.serial;
                if !lost.serial.as_ref().is_some_and(is_saved) && !self.lost.iter().any(is_told) {
                    self.lost.push(lost);
                }
            }
        }
        let missing: Vec<u64> = self.saved.iter().filter(|(_, saved)| saved.missing().is_some()).map(|(&serial, _)| serial).collect();
        for serial in missing {
            let Some(saved) = self.saved.remove(&serial) else { continue };
            let some = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
            if !self.lost.iter().any(|lost| lost.serial == Some(serial)) {
                let (id, url, raw, arrived) = (some(saved.id()), some(saved.url()), saved.missing(), Some(saved.arrived));
                self.lost.push(LostDocument { serial: Some(serial), id, url, file: self.dir.clone(), raw, arrived });
            }
        }
        self.lost.retain(|lost| lost.serial.is_none_or(|serial| !self.saved.contains_key(&serial)));
        self.lost.sort_by_key(|lost| (lost.serial.unwrap_or(u64::MAX), lost.file.clone()));
    }

    /// Opens the index as usual, and checks that every verdict follows from the texts.
    fn verify(&mut self) {
        let passes = |_: &Settings| Ok(self.passes.clone());
        let opened = match is_split(&self.dir) {
            Ok(true) => ShardSet::open(&self.dir, passes),
            _ => crate::index::Index::open(&self.dir, passes).map(ShardSet::of),
        };
        if let Err(error) = opened.and_then(|index| index.verify()) {
            let damage = Damage::of_error(&self.dir, error);
            self.folders[0].damages.push(damage);
        }
    }

    /// The damaged files.
    pub fn damages(&self) -> impl Iterator<Item = &Damage> {
        self.folders.iter().flat_map(|folder| &folder.damages)
    }

    /// Reasons to rebuild the index although no byte of it is wrong.
    pub fn outdated(&self) -> &[String] {
        &self.outdated
    }

    /// Questions that the damage leaves open.
    pub fn doubts(&self) -> impl Iterator<Item = &String> {
        self.folders.iter().flat_map(|folder| &folder.doubts)
    }

    /// The documents that are lost, except those restored by [`Repair::restore`].
    pub fn lost(&self) -> &[LostDocument] {
        &self.lost
    }

    /// Number of documents that were read or restored.
    pub fn count(&self) -> usize {
        self.saved.len()
    }

    /// The identity of the index.
    pub fn identity(&self) -> &Identity {
        &self.folders[0].manifest.identity
    }

    /// Number of steps in the life of the index.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether nothing needs repair.
    pub fn is_whole(&self) -> bool {
        self.damages().next().is_none() && self.outdated.is_empty()
    }

    /// Raises the number of steps to at least `steps`, which a store that follows the index has seen.
    pub fn reach(&mut self, steps: u64) {
        self.steps = self.steps.max(steps);
    }

    /// The names of all documents that were read or restored.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.saved.iter().map(|(&serial, saved)| named(serial, Some(saved.id())))
    }

    /// Restores a lost document from elsewhere, under the name that it had. Returns whether it was one of the lost. If no lost
    /// document has this name, it replaces the first one of which neither id nor digest is known.
    pub fn restore(&mut self, name: &str, document: Document) -> bool {
        let is_it = |lost: &LostDocument| lost.serial.is_some_and(|serial| named(serial, lost.id.as_deref()) == name);
        let is_nameless = |lost: &LostDocument| lost.id.is_none() && lost.raw.is_none();
        let place = self.lost.iter().position(is_it).or_else(|| self.lost.iter().position(is_nameless));
        let Some(lost) = place.map(|place| self.lost[place].clone()) else { return false };
        if lost.raw.is_some_and(|raw| raw != Text::Plain(document.text.as_bytes()).digest()) {
            return false;
        }
        let serial = lost.serial.unwrap_or(self.steps + 1);
        self.steps = self.steps.max(serial);
        let before = self.saved.range(..serial).next_back().map(|(_, saved)| saved.arrived);
        let arrived = lost.arrived.or(before).unwrap_or(self.arrived);
        self.saved.insert(serial, SavedDocument::new(arrived, document));
        // An entry without a serial number represents a file of texts whose documents are unknown. Others of it may be lost, too.
        self.lost.retain(|other| *other != lost || lost.serial.is_none());
        true
    }

    /// Adds a document of which the index has no trace, as if it arrived now. Without an id, it keeps the serial number in its
    /// name.
    pub fn add(&mut self, name: &str, document: Document) {
        let serial = serial_of(name).filter(|serial| !self.saved.contains_key(serial)).unwrap_or(self.steps + 1);
        self.steps = self.steps.max(serial);
        self.saved.insert(serial, SavedDocument::new(self.arrived, document));
    }

    /// Removes all documents except those with these names.
    pub fn keep_only(&mut self, names: &HashSet<String>) {
        self.saved.retain(|&serial, saved| names.contains(&named(serial, Some(saved.id()))));
        self.lost.retain(|lost| lost.serial.is_none_or(|serial| names.contains(&named(serial, lost.id.as_deref()))));
    }

    /// Records a damage of the index as a whole.
    pub fn note(&mut self, what: &str) {
        let damage = Damage::of(&self.dir, what);
        self.folders[0].damages.push(damage);
    }

    /// Writes the index anew, without the documents that are still lost. If any are lost or in doubt, keeps the damaged files
    /// beside it, under names that end in `.damaged`, and returns their paths.
    pub fn finish(mut self) -> Result<Vec<PathBuf>> {
        // The additional step makes stores that follow the index compare themselves with it.
        self.steps += 1;
        let kept: Vec<PathBuf> = if self.lost.is_empty() && self.doubts().next().is_none() { Vec::new() } else { self.damaged_files() };
        let made = self.each(|folder, plan, shards| plan.files(&folder.dir, self.next(folder), shards))?;
        let mut aside = Vec::new();
        for path in kept {
            let name = free_name(&path);
            fs::hard_link(&path, &name).or_else(|_| fs::copy(&path, &name).map(drop)).map_err(Error::file(&name, "write"))?;
            aside.push(name);
        }
        for (folder, manifest) in self.folders.iter().zip(&made) {
            manifest.write(&folder.dir)?;
            folder::adopt(&folder.dir)?;
            sweep_leftovers(&folder.dir, manifest)?;
        }
        if self.folders.len() > 1 {
            folder::adopt_shards(&self.dir, self.folders.len() as u32)?;
        }
        Ok(aside)
    }

    /// Returns the rebuilt contents, in memory only.
    pub fn contents(&self) -> Result<Vec<Snapshot>> {
        self.each(|folder, plan, shards| plan.contents(&folder.dir, self.next(folder), shards))
    }

    /// The passes by which its texts are signed.
    pub fn passes(&self) -> &IndexPasses {
        &self.passes
    }

    fn next(&self, folder: &SalvagedFiles) -> Manifest {
        let mut manifest = folder.manifest.next();
        manifest.settings = manifest.settings.renewed();
        manifest
    }

    fn damaged_files(&self) -> Vec<PathBuf> {
        let later = self.folders.iter().flat_map(|folder| folder.later.iter().cloned());
        let mut files: Vec<PathBuf> = self.damages().map(|damage| damage.file.clone()).filter(|file| file.is_file()).chain(later).collect();
        files.sort();
        files.dedup();
        files
    }

    /// Applies `make` to every folder. The folders of a split index decide together.
    fn each<T: Send>(&self, make: impl Fn(&SalvagedFiles, &RebuildPlan<'_>, &Arc<Shards>) -> Result<T> + Sync) -> Result<Vec<T>> {
        let seats = LocalExchange::all(self.folders.len()).into_iter().map(|seat| Arc::new(seat) as Arc<dyn Exchange>);
        let make = |folder: &SalvagedFiles, seat: Arc<dyn Exchange>| {
            let shard = folder.manifest.settings.shard.clone();
            let passes = IndexPasses { shard: shard.clone(), ..self.passes.clone() };
            let plan = RebuildPlan { saved: &self.saved, steps: self.steps, arrived: self.arrived, passes: &passes };
            let shards = Arc::new(Shards::new(shard.clone(), shard.is_some().then(|| Arc::clone(&seat))));
            make(folder, &plan, &shards).inspect_err(|_| seat.leave())
        };
        thread::scope(|scope| {
            let made: Vec<_> = self.folders.iter().zip(seats).map(|(folder, seat)| scope.spawn(|| make(folder, seat))).collect();
            let made: Vec<Result<T>> =
                made.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect();
            // If one shard fails, the others only report that it left. So its error comes first.
            let is_left = |made: &Result<T>| matches!(made, Err(Error::Left(_)));
            let (left, others): (Vec<_>, Vec<_>) = made.into_iter().partition(is_left);
            others.into_iter().chain(left).collect()
        })
    }
}

/// Returns an unused name beside a damaged file.
fn free_name(path: &Path) -> PathBuf {
    let name = |end: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let numbered = (2..).map(|number| format!("{DAMAGED}.{number}"));
    let mut names = std::iter::once(DAMAGED.to_owned()).chain(numbered).map(name);
    names.find(|name| fs::symlink_metadata(name).is_err()).unwrap_or_else(|| path.to_path_buf())
}

/// Whether any of these folders contains a manifest of an index.
fn any_has_manifest(shards: &[PathBuf]) -> bool {
    shards.iter().any(|shard| has_manifest(shard))
}

/// Returns the settings for each of these folders, from the manifest of any shard, or from `known`.
fn known_of_shards(dir: &Path, dirs: &[PathBuf], known: Option<&Settings>) -> Result<Vec<Option<Settings>>> {
    if dirs == [dir] {
        return Ok(vec![known.cloned()]);
    }
    let found = dirs.iter().find_map(|dir| settings::manifest(dir, None, &mut Vec::new()).ok()).map(|manifest| manifest.settings);
    let Some(known) = found.or_else(|| known.cloned()) else { return Ok(Vec::new()) };
    let index = known.shard.as_ref().map_or_else(|| Identity::draw(dir), |shard| Ok(shard.index.clone()))?;
    let shard = |number: u32| Some(Shard { index: index.clone(), number, of: dirs.len() as u32 });
    Ok((0..dirs.len() as u32).map(|number| Some(Settings { shard: shard(number), ..known.clone() })).collect())
}

fn has_manifest(dir: &Path) -> bool {
    dir.join(MANIFEST).exists() || dir.join(COPY).exists()
}

/// Whether any of these folders contains files of an index.
fn has_remains(shards: &[PathBuf]) -> bool {
    shards.iter().any(|shard| settings::identity(shard).is_ok_and(|identity| identity.is_some()))
}

/// Refuses folders that are not the shards of one index.
fn refuse_foreign(dir: &Path, folders: &[SalvagedFiles]) -> Result<()> {
    let shard = |folder: &SalvagedFiles| folder.manifest.settings.shard.clone();
    let first = shard(&folders[0]);
    let fits = |(number, folder): (u32, &SalvagedFiles)| match (shard(folder), &first) {
        (None, None) => true,
        (Some(shard), Some(first)) => (shard.number, shard.of as usize) == (number, folders.len()) && shard.index == first.index,
        _ => false,
    };
    match (0..).zip(folders).all(fits) {
        true => Ok(()),
        false => Err(Error::Usage(format!(
            "{}: all shards of one index are repaired together: the folder must contain shard-0 and all that follow",
            dir.display()
        ))),
    }
}

/// Returns the name of a document with this serial number and id.
fn named(serial: u64, id: Option<&str>) -> String {
    id.filter(|id| !id.is_empty()).map_or_else(|| crate::documents::document::unnamed(serial), str::to_owned)
}
