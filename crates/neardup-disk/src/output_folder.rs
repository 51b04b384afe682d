//! An output folder: it is written aside, as `NAME.partial`, and renamed when it is complete.

use crate::claims::Claim;
use crate::marker::{self, Marked, Marker};
use crate::owned::{self, Owner, PARTIAL, REPLACED, article, beside, owner, resolved};
use crate::regular::open_as;
use crate::{Error, Result};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const LOCK: &str = "lock";

/// An incomplete output folder.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    partial: PathBuf,
    replaced: PathBuf,
    kind: String,
    marker: Mutex<Marker>,
    // Held until the output is complete or the process ends: two processes must not write one output.
    lock: File,
}

impl OutputFolder {
    /// Opens `TARGET.partial` beside `target`, with the files that an interrupted process left there. If `target` is a link, the
    /// output is the folder that it points to, and the link stays.
    ///
    /// # Errors
    /// [`Error::Refused`] if another process writes this output; if `target` exists and `overwrite` is false; if it is not of this
    /// kind, or contains files that neardup did not write; or if neardup did not make the existing `TARGET.partial` or
    /// `TARGET.replaced`.
    pub fn open(target: &Path, kind: &str, overwrite: bool) -> Result<OutputFolder> {
        let partial = OutputFolder::aside(target)?;
        let target = resolved(target)?;
        let replaced = named_beside(&target, REPLACED)?;
        check_target(&target, kind, overwrite)?;
        for aside in [&partial, &replaced] {
            check_aside(aside, kind)?;
        }
        let lock = match hold(&partial, kind)? {
            Some(lock) => lock,
            None => return Err(Error::refused(&target, "another process is writing it; wait for it, or give another folder")),
        };
        let mut marked = Marked::read(&partial)?.unwrap_or_else(|| Marked::new(kind));
        // An interrupted process may not have written this claim completely.
        marked.claims.add(Claim::file(Path::new(LOCK)));
        owned::refuse_foreign(&partial, &marked.claims)?;
        owned::refuse_foreign_in(&replaced)?;
        let marker = Mutex::new(Marker::open(&partial, marked)?);
        Ok(OutputFolder { target, partial, replaced, kind: kind.to_owned(), marker, lock })
    }

    /// Returns the folder in which the output for `target` is written before it is renamed.
    ///
    /// # Errors
    /// [`Error::Refused`] if `target` is not a name for a folder on this machine.
    pub fn aside(target: &Path) -> Result<PathBuf> {
        named_beside(&resolved(target)?, PARTIAL)
    }

    /// The folder to write to.
    pub fn folder(&self) -> &Path {
        &self.partial
    }

    /// Claims a file and returns its path. `name` may contain folders. Only the caller may write this file.
    pub fn claim(&self, name: impl AsRef<Path>) -> Result<PathBuf> {
        self.marker().claim(Claim::file(name.as_ref()))?;
        Ok(self.partial.join(name))
    }

    /// Claims a folder and returns its path. Everything in that folder will be neardup's.
    pub fn claim_tree(&self, name: impl AsRef<Path>) -> Result<PathBuf> {
        self.marker().claim(Claim::tree(name.as_ref()))?;
        Ok(self.partial.join(name))
    }

    /// Removes everything that earlier processes wrote, except the tree `keeps`: an output must not contain files of another run.
    pub fn clear(&self, keeps: Option<&str>) -> Result<()> {
        let mut marker = self.marker();
        let claims = marker.claims().clone();
        owned::refuse_foreign(&self.partial, &claims)?;
        owned::clear(&self.partial, &claims, |name| Some(name) == keeps || name == LOCK)?;
        let left = keeps.map(|name| Claim::tree(Path::new(name)));
        marker.settle(left.into_iter().chain([Claim::file(Path::new(LOCK))]).collect())
    }

    /// Renames the complete folder to its final name. `spent` names an entry that is removed first, because only the run needed it.
    pub fn finish(self, spent: Option<&str>) -> Result<()> {
        check_target(&self.target, &self.kind, true)?;
        check_aside(&self.replaced, &self.kind)?;
        owned::remove(&self.replaced)?;
        {
            let mut marker = self.marker();
            let claims = marker.claims().clone();
            if let Some(spent) = spent {
                owned::clear(&self.partial, &claims, |name| name != spent)?;
            }
            marker.settle(owned::settled(&self.partial, &claims)?)?;
            owned::remove_unplaced(&self.partial)?;
        }
        match owner(&self.target)? {
            Owner::Neardup(_) => self.move_aside()?,
            _ if self.target.exists() => fs::remove_dir(&self.target).map_err(Error::file(&self.target, "replace"))?,
            _ => {}
        }
        let OutputFolder { target, partial, replaced, lock, marker, .. } = self;
        if cfg!(windows) {
            // On Windows a folder with an open file cannot be renamed.
            drop(lock);
            drop(marker);
        }
        fs::rename(&partial, &target).map_err(Error::file(&target, "put into place"))?;
        // Not earlier: until the rename, another process would find no lock and take the folder.
        let path = target.join(LOCK);
        fs::remove_file(&path).map_err(Error::file(&path, "remove"))?;
        owned::remove(&replaced)
    }

    /// Moves the old folder aside until the new one is in its place. A lock file in it marks it as moved for that purpose.
    fn move_aside(&self) -> Result<()> {
        let lock = self.target.join(LOCK);
        File::create(&lock).map_err(Error::file(&lock, "write"))?;
        fs::rename(&self.target, &self.replaced).map_err(Error::file(&self.target, "move aside"))
    }

    /// Removes the incomplete output, which cannot be resumed.
    pub fn give_up(self) -> Result<()> {
        let claims = self.marker().claims().clone();
        owned::refuse_foreign(&self.partial, &claims)?;
        if cfg!(windows) {
            drop((self.lock, self.marker));
        }
        owned::remove_claimed(&self.partial, &claims)
    }

    fn marker(&self) -> MutexGuard<'_, Marker> {
        self.marker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn named_beside(target: &Path, end: &str) -> Result<PathBuf> {
    beside(target, end).ok_or_else(|| Error::refused(target, "not a name for an output folder"))
}

/// Refuses if `target` exists and must not be replaced.
fn check_target(target: &Path, kind: &str, overwrite: bool) -> Result<()> {
    match owner(target)? {
        Owner::Nobody => Ok(()),
        _ if !overwrite => Err(Error::refused(target, "the output is there already; give another folder, or --overwrite")),
        Owner::Neardup(marked) if marked.kind == kind => owned::refuse_foreign(target, &marked.claims),
        Owner::Neardup(marked) => Err(Error::refused(
            target,
            format_args!("it is {}, which --overwrite does not replace; give another folder", article(&marked.kind)),
        )),
        _ => Err(Error::refused(
            target,
            "neardup did not make it (it has no marker), so --overwrite does not replace it; remove it by hand, or give another folder",
        )),
    }
}

/// Refuses a folder beside the output if it is not neardup's, or if it is complete: then a user renamed an output to this name.
fn check_aside(aside: &Path, kind: &str) -> Result<()> {
    match owner(aside)? {
        Owner::Nobody => Ok(()),
        Owner::Neardup(marked) if marked.kind == kind && is_under_way(aside)? => Ok(()),
        Owner::Neardup(marked) => Err(Error::refused(
            aside,
            format_args!("the output is made there, and it is {}; move it away, or give another folder", article(&marked.kind)),
        )),
        _ => Err(Error::refused(
            aside,
            "the output is made there, and neardup did not make what is there now (it has no marker); move it away, or give another folder",
        )),
    }
}

/// Whether a folder of neardup belongs to an unfinished run: it has a lock file, or the run was killed before it made one.
fn is_under_way(folder: &Path) -> Result<bool> {
    let mut names = fs::read_dir(folder).map_err(Error::file(folder, "read"))?.flatten().map(|entry| entry.file_name());
    Ok(folder.join(LOCK).is_file() || names.all(|name| marker::is_marker(&name)))
}

/// Makes the folder with its marker, and locks it; `None` if another process holds the lock.
fn hold(partial: &Path, kind: &str) -> Result<Option<File>> {
    fs::create_dir_all(partial).map_err(Error::file(partial, "make the folder"))?;
    let mut marked = Marked::new(kind);
    marked.claims.add(Claim::file(Path::new(LOCK)));
    marker::put(partial, &marked)?;
    let path = partial.join(LOCK);
    let lock = open_as(&path, File::options().create(true).truncate(false).write(true)).map_err(Error::file(&path, "write"))?;
    match lock.try_lock() {
        // If the lock file is gone, another process has just renamed its output into place.
        Ok(()) => Ok(path.exists().then_some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(Error::file(&path, "lock")(error)),
    }
}
