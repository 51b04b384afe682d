//! The folder of an index: the names of its files, and which files are leftovers.

use crate::snapshot::manifest::{COPY, MANIFEST, Manifest};
use crate::storage::file_kind::FileKind;
use crate::storage::lock::LOCK;
use crate::storage::log::LogReader;
use crate::storage::partial::PARTIAL;
use crate::{Error, Result};
use neardup_disk::durable::sync_folder;
use neardup_disk::{Claim, owned};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// The kind of an index's folder in its marker.
pub const INDEX: &str = "index";

/// Takes a folder for a new index in one folder. The folder may be new, empty, or taken before. Its name and its marker are on the
/// disk when this returns.
pub fn take(dir: &Path) -> Result<()> {
    Ok(owned::take(dir, INDEX, claims())?)
}

/// Writes the marker of the folder of an index, which an index of format 1 lacks.
pub fn adopt(dir: &Path) -> Result<()> {
    Ok(owned::adopt(dir, INDEX, claims())?)
}

/// Writes the marker of the folder that contains the folders of an index's shards.
pub fn adopt_shards(dir: &Path, shards: u32) -> Result<()> {
    Ok(owned::adopt(dir, INDEX, shard_claims(shards))?)
}

fn claims() -> impl Iterator<Item = Claim> {
    let numbered = FileKind::ALL.iter().map(|kind| Claim::family(Path::new(&format!("{}-", kind.word()))));
    numbered.chain([Claim::family(Path::new(MANIFEST)), Claim::file(Path::new(LOCK))])
}

fn shard_claims(shards: u32) -> impl Iterator<Item = Claim> {
    (0..shards).map(|number| Claim::tree(&of_shard(Path::new(""), number)))
}

/// Takes a folder for the shard folders of a new index, as [`take`] does.
pub fn take_for_shards(dir: &Path, shards: u32) -> Result<()> {
    Ok(owned::take(dir, INDEX, shard_claims(shards))?)
}

/// Returns the folder of a shard of the index in `dir`.
pub fn of_shard(dir: &Path, number: u32) -> PathBuf {
    dir.join(format!("shard-{number}"))
}

/// Whether `dir` contains an index that is split into shards.
pub fn is_split(dir: &Path) -> Result<bool> {
    let first = of_shard(dir, 0);
    Ok(first.is_dir() && Manifest::exists(&first)?)
}

/// Whether `dir` contains an index, split or not.
pub fn holds_index(dir: &Path) -> Result<bool> {
    Ok(Manifest::exists(dir)? || is_split(dir)?)
}

/// Refuses a folder that contains an index.
pub fn refuse_another(dir: &Path) -> Result<()> {
    match holds_index(dir)? {
        true => Err(Error::Usage(format!("{}: there is an index already: add to it, or name another folder", dir.display()))),
        false => Ok(()),
    }
}

/// Refuses a folder with files of an index that lost its manifest, because a new index would remove them.
pub fn refuse_remains(dir: &Path) -> Result<()> {
    // An interrupted creation of an index leaves an empty log.
    let is_empty = |name: &String| LogReader::open(&dir.join(name)).is_ok_and(|log| log.committed() == 0);
    let missing = |name: String| {
        Error::damaged(
            &dir.join(name),
            "the manifest.json of its index is missing: put it back, run neardup index repair, or name another folder",
        )
    };
    files(dir)?.into_iter().find(|name| !is_empty(name)).map_or(Ok(()), |name| Err(missing(name)))
}

/// Removes files that the manifest does not name and incomplete files that a crash left. Returns their names, in order. Only the
/// writer may call this, under its lock, with the manifest as it is on the disk. Files without the name of an index's file are left
/// alone.
pub fn sweep_leftovers(dir: &Path, manifest: &Manifest) -> Result<Vec<String>> {
    // The process that wrote the manifest may have been stopped before the rename was on the disk. Until it is, the previous
    // manifest needs its files.
    sync_folder(dir).map_err(Error::file(dir, "write"))?;
    let is_leftover = |name: &String| {
        let whole = name.strip_suffix(PARTIAL);
        let ours = is_ours(whole.unwrap_or(name)) || whole == Some(MANIFEST) || whole == Some(COPY);
        ours && (whole.is_some() || !manifest.names(name))
    };
    let leftovers: Vec<String> = names(dir)?.into_iter().filter(is_leftover).collect();
    for name in &leftovers {
        let path = dir.join(name);
        fs::remove_file(&path).map_err(Error::file(&path, "remove"))?;
    }
    Ok(leftovers)
}

/// Returns the names of all complete files of an index in a folder, in order, whether a manifest names them or not.
pub fn files(dir: &Path) -> Result<Vec<String>> {
    Ok(names(dir)?.into_iter().filter(|name| is_ours(name)).collect())
}

/// Returns the names of all entries of a folder, in order.
fn names(dir: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(dir).map_err(Error::file(dir, "list"))?;
    let name = |entry: io::Result<DirEntry>| entry.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.map(name).collect::<io::Result<_>>().map_err(Error::file(dir, "list"))?;
    names.sort();
    Ok(names)
}

/// Whether `name` is a name of an index's file.
fn is_ours(name: &str) -> bool {
    FileKind::ALL.into_iter().any(|kind| kind.number_of(name).is_some())
}
