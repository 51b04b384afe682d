//! Repair: an index, some of whose bytes are wrong, is made anew from what its files still contain.
//!
//! Texts are in files of texts and in the log. What a document says of itself is beside its text and in its segment; who lives
//! is in the roll and in the state; the manifest has a copy. So one damaged file takes away no document but those whose own text
//! it held. One wrong byte in a text, a record of the log, a head or a table of sections is found by their checksums.
//!
//! The documents are signed and decided again. The new files get their manifest at once, as in all other changes of an index; a
//! repair that is stopped leaves the index as it was.

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
use neardup_text::Text;
use rebuild::RebuildPlan;
use salvaged_files::{SalvagedFiles, salvage};
use saved_document::SavedDocument;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// How the name of a damaged file ends that is kept, since something of it is lost.
const DAMAGED: &str = ".damaged";

/// An index under repair. No other process writes it meanwhile.
pub struct Repair {
    dir: PathBuf,
    folders: Vec<SalvagedFiles>,
    /// What every text is signed by, and how.
    passes: IndexPasses,
    unicode: String,
    saved: BTreeMap<u64, SavedDocument>,
    lost: Vec<LostDocument>,
    steps: u64,
    arrived: i64,
    /// Why it is made anew though no byte of it is wrong.
    outdated: Vec<String>,
    _locks: Vec<Lock>,
}

impl Repair {
    /// Reads all that the index in `dir` has; nothing is written yet. `passes` makes its schemes ready to run, or refuses them;
    /// texts are cut by the version `unicode` of Unicode. `known` is how the index was made, where no manifest says so.
    ///
    /// # Errors
    /// [`Error::Damaged`] when nothing says what the index is.
    pub fn begin(dir: &Path, unicode: &str, known: Option<&Settings>, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<Repair> {
        Repair::open(dir, unicode, known, &passes, true)
    }

    /// The same for reading only: writers are not blocked.
    pub fn look(dir: &Path, unicode: &str, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<Repair> {
        Repair::open(dir, unicode, None, &passes, false)
    }

    fn open(
        dir: &Path,
        unicode: &str,
        known: Option<&Settings>,
        passes: &impl Fn(&Settings) -> Result<IndexPasses>,
        is_locked: bool,
    ) -> Result<Repair> {
        let shards: Vec<PathBuf> = (0..).map(|number| of_shard(dir, number)).take_while(|shard| shard.is_dir()).collect();
        let dirs = if stand_in(&shards) || has_remains(&shards) { shards } else { vec![dir.to_path_buf()] };
        // Before the locks, which are files: what is no index stays as it is.
        let known = known_of_shards(dir, &dirs, known)?;
        let known = |number: usize| known.get(number).and_then(Option::as_ref);
        (0..).zip(&dirs).try_for_each(|(number, dir)| settings::manifest(dir, known(number), &mut Vec::new()).map(drop))?;
        let locks = if is_locked { dirs.iter().map(|dir| Lock::wait(dir)).collect::<Result<_>>()? } else { Vec::new() };
        let folders: Vec<SalvagedFiles> = (0..).zip(&dirs).map(|(number, dir)| salvage(dir, known(number))).collect::<Result<_>>()?;
        refuse_strangers(dir, &folders)?;
        let mut settings = folders[0].manifest.settings.clone();
        let mut outdated = Vec::new();
        if folders.iter().any(|folder| folder.manifest.settings.unicode != unicode) {
            outdated.push(format!("its texts were cut by Unicode {}, and are cut by {unicode} now", settings.unicode));
        }
        if let Some(old) = folders.iter().find(|folder| folder.is_of_older_format()) {
            outdated.push(format!("it is of format {}, and {FORMAT} can be repaired better", old.manifest.format));
        }
        unicode.clone_into(&mut settings.unicode);
        let passes = IndexPasses { shard: None, ..passes(&settings)? };
        let steps = folders.iter().map(|folder| folder.steps).max().unwrap_or(0);
        let arrived = folders.iter().map(|folder| folder.arrived).max().unwrap_or(0);
        let (dir, unicode) = (dir.to_path_buf(), unicode.to_owned());
        let (saved, lost) = (BTreeMap::new(), Vec::new());
        let mut repair = Repair { dir, folders, passes, unicode, saved, lost, steps, arrived, outdated, _locks: locks };
        repair.unite();
        if is_locked && repair.damages().next().is_none() && repair.outdated.is_empty() {
            repair.verify();
        }
        Ok(repair)
    }

    /// Whether an index is in `dir`, however damaged.
    pub fn stands_in(dir: &Path) -> bool {
        has_manifest(dir) || stand_in(&[of_shard(dir, 0), of_shard(dir, 1)])
    }

    /// Whether files of an index whose manifest is lost are in `dir`.
    pub fn remains_in(dir: &Path) -> bool {
        !Repair::stands_in(dir) && has_remains(&[dir.to_path_buf(), of_shard(dir, 0)])
    }

    /// Brings together the contents of the folders of a split index: each knows all documents, and has some of the texts.
    fn unite(&mut self) {
        let furthest = self.folders.iter().filter(|folder| folder.damages.is_empty()).max_by_key(|folder| folder.steps);
        let living: Option<BTreeSet<u64>> = furthest.filter(|_| self.folders.len() > 1).map(SalvagedFiles::living);
        for folder in &mut self.folders {
            // A folder that was stopped is one request behind.
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

    /// Opens the index as usual, and sees that every verdict is what the texts make of it.
    fn verify(&mut self) {
        let passes = |_: &Settings| Ok(self.passes.clone());
        let opened = match is_split(&self.dir) {
            Ok(true) => ShardSet::open(&self.dir, passes),
            _ => crate::index::Index::open(&self.dir, passes).map(ShardSet::of),
        };
        if let Err(error) = opened.and_then(|index| index.verify()) {
            let damage = Damage::told(&self.dir, error);
            self.folders[0].damages.push(damage);
        }
    }

    /// What is wrong with its files.
    pub fn damages(&self) -> impl Iterator<Item = &Damage> {
        self.folders.iter().flat_map(|folder| &folder.damages)
    }

    /// Why it is made anew though no byte of it is wrong.
    pub fn outdated(&self) -> &[String] {
        &self.outdated
    }

    /// What the damage leaves open.
    pub fn doubts(&self) -> impl Iterator<Item = &String> {
        self.folders.iter().flat_map(|folder| &folder.doubts)
    }

    /// The documents that are lost, unless [`Repair::restore`] brings them.
    pub fn lost(&self) -> &[LostDocument] {
        &self.lost
    }

    /// How many documents there are.
    pub fn count(&self) -> usize {
        self.saved.len()
    }

    /// Which index it is.
    pub fn identity(&self) -> &Identity {
        &self.folders[0].manifest.identity
    }

    /// How many steps it has taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether nothing has to be done.
    pub fn is_whole(&self) -> bool {
        self.damages().next().is_none() && self.outdated.is_empty()
    }

    /// Takes this many steps for taken, at least: what follows the index has heard of them.
    pub fn reach(&mut self, steps: u64) {
        self.steps = self.steps.max(steps);
    }

    /// The ids of all documents that are there.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.saved.iter().map(|(&serial, saved)| named(serial, Some(saved.id())))
    }

    /// Brings back a lost document from elsewhere, under the name that it had; whether it was one of the lost. Where it is not known
    /// which number it had, it gets the first one of those that lost theirs.
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
        // Of a file of texts whose documents are not known others may be lost, too.
        self.lost.retain(|other| *other != lost || lost.serial.is_none());
        true
    }

    /// Adds a document that the index has lost every trace of, as one that comes now; under the number of its name where it has no id.
    pub fn add(&mut self, name: &str, document: Document) {
        let serial = serial_of(name).filter(|serial| !self.saved.contains_key(serial)).unwrap_or(self.steps + 1);
        self.steps = self.steps.max(serial);
        self.saved.insert(serial, SavedDocument::new(self.arrived, document));
    }

    /// Removes all documents but those of these names.
    pub fn keep_only(&mut self, names: &HashSet<String>) {
        self.saved.retain(|&serial, saved| names.contains(&named(serial, Some(saved.id()))));
        self.lost.retain(|lost| lost.serial.is_none_or(|serial| names.contains(&named(serial, lost.id.as_deref()))));
    }

    /// Notes what is wrong with the index as a whole.
    pub fn note(&mut self, what: &str) {
        let damage = Damage::of(&self.dir, what);
        self.folders[0].damages.push(damage);
    }

    /// Makes the index anew; the documents that are still lost are gone from it. Damaged files that held something of them are kept
    /// beside it, with `.damaged` behind their names, and are given.
    pub fn finish(mut self) -> Result<Vec<PathBuf>> {
        // What follows the index compares itself with it when it has missed a step.
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

    /// The contents of what is there, in memory alone.
    pub fn contents(&self) -> Result<Vec<Snapshot>> {
        self.each(|folder, plan, shards| plan.contents(&folder.dir, self.next(folder), shards))
    }

    /// What its texts are signed by.
    pub fn passes(&self) -> &IndexPasses {
        &self.passes
    }

    fn next(&self, folder: &SalvagedFiles) -> Manifest {
        let mut manifest = folder.manifest.next();
        self.unicode.clone_into(&mut manifest.settings.unicode);
        manifest
    }

    fn damaged_files(&self) -> Vec<PathBuf> {
        let later = self.folders.iter().flat_map(|folder| folder.later.iter().cloned());
        let mut files: Vec<PathBuf> = self.damages().map(|damage| damage.file.clone()).filter(|file| file.is_file()).chain(later).collect();
        files.sort();
        files.dedup();
        files
    }

    /// Makes something of every folder; those of a split index decide together.
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
            // Where one fails, the others miss it.
            let is_left = |made: &Result<T>| matches!(made, Err(Error::Left(_)));
            let (left, told): (Vec<_>, Vec<_>) = made.into_iter().partition(is_left);
            told.into_iter().chain(left).collect()
        })
    }
}

/// The name beside a damaged file that nothing has yet.
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

/// Whether an index has its shards in these folders.
fn stand_in(shards: &[PathBuf]) -> bool {
    shards.iter().any(|shard| has_manifest(shard))
}

/// How the index of each of these folders was made, as the manifest of another shard says, or `known`.
fn known_of_shards(dir: &Path, dirs: &[PathBuf], known: Option<&Settings>) -> Result<Vec<Option<Settings>>> {
    if dirs == [dir] {
        return Ok(vec![known.cloned()]);
    }
    let told = dirs.iter().find_map(|dir| settings::manifest(dir, None, &mut Vec::new()).ok()).map(|manifest| manifest.settings);
    let Some(known) = told.or_else(|| known.cloned()) else { return Ok(Vec::new()) };
    let index = known.shard.as_ref().map_or_else(|| Identity::draw(dir), |shard| Ok(shard.index.clone()))?;
    let shard = |number: u32| Some(Shard { index: index.clone(), number, of: dirs.len() as u32 });
    Ok((0..dirs.len() as u32).map(|number| Some(Settings { shard: shard(number), ..known.clone() })).collect())
}

fn has_manifest(dir: &Path) -> bool {
    dir.join(MANIFEST).exists() || dir.join(COPY).exists()
}

/// Whether these folders have files of an index.
fn has_remains(shards: &[PathBuf]) -> bool {
    shards.iter().any(|shard| settings::identity(shard).is_ok_and(|identity| identity.is_some()))
}

/// Refuses folders that are not all shards of one index.
fn refuse_strangers(dir: &Path, folders: &[SalvagedFiles]) -> Result<()> {
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
            "{}: all shards of one index are repaired together: shard-0 and those that follow, all of them, are in one folder",
            dir.display()
        ))),
    }
}

/// The name of a document of this number and id.
fn named(serial: u64, id: Option<&str>) -> String {
    id.filter(|id| !id.is_empty()).map_or_else(|| crate::documents::document::unnamed(serial), str::to_owned)
}
