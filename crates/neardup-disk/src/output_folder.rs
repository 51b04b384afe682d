//! An output folder: it is made aside, as `NAME.partial`, and gets its name when it is complete.

use crate::claims::Claim;
use crate::marker::{self, Marked, Marker};
use crate::owned::{self, Owner, PARTIAL, REPLACED, article, beside, owner, resolved};
use crate::regular::open_as;
use crate::{Error, Result};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const LOCK: &str = "lock";

/// An output folder while it is made.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    partial: PathBuf,
    replaced: PathBuf,
    kind: String,
    marker: Mutex<Marker>,
    // Held until the output is done or the process ends: two processes must not make one output.
    lock: File,
}

impl OutputFolder {
    /// Opens `TARGET.partial` beside `target`, with what an interrupted process left there. When `target` is a link, the
    /// folder that it leads to is the output, and the link stays.
    ///
    /// # Errors
    /// [`Error::Refused`] when another process makes this output; when `target` is there and is not to be overwritten, is not
    /// of this kind, or holds files that neardup did not write; when neardup did not make what is at `TARGET.partial` or
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
        // A kill may have cut it off.
        marked.claims.add(Claim::file(Path::new(LOCK)));
        owned::refuse_foreign(&partial, &marked.claims)?;
        owned::refuse_foreign_in(&replaced)?;
        let marker = Mutex::new(Marker::open(&partial, marked)?);
        Ok(OutputFolder { target, partial, replaced, kind: kind.to_owned(), marker, lock })
    }

    /// Where an output is made before it gets its name.
    ///
    /// # Errors
    /// [`Error::Refused`] for what is no name of a folder of this machine.
    pub fn aside(target: &Path) -> Result<PathBuf> {
        named_beside(&resolved(target)?, PARTIAL)
    }

    /// The folder that is written to.
    pub fn folder(&self) -> &Path {
        &self.partial
    }

    /// The path of a file of this name, which may have folders in it; to be written only by its claimant.
    pub fn claim(&self, name: impl AsRef<Path>) -> Result<PathBuf> {
        self.marker().claim(Claim::file(name.as_ref()))?;
        Ok(self.partial.join(name))
    }

    /// The path of a folder of this name; all in it will be neardup's.
    pub fn claim_tree(&self, name: impl AsRef<Path>) -> Result<PathBuf> {
        self.marker().claim(Claim::tree(name.as_ref()))?;
        Ok(self.partial.join(name))
    }

    /// Removes what a process before this one wrote, except the tree `keeps`: an output must not hold files of another.
    pub fn clear(&self, keeps: Option<&str>) -> Result<()> {
        let mut marker = self.marker();
        let claims = marker.claims().clone();
        owned::refuse_foreign(&self.partial, &claims)?;
        owned::clear(&self.partial, &claims, |name| Some(name) == keeps || name == LOCK)?;
        let left = keeps.map(|name| Claim::tree(Path::new(name)));
        marker.settle(left.into_iter().chain([Claim::file(Path::new(LOCK))]).collect())
    }

    /// Puts the complete folder into its place, without `spent`, an entry that was needed only to make it.
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
        }
        match owner(&self.target)? {
            Owner::Neardup(_) => self.move_aside()?,
            _ if self.target.exists() => fs::remove_dir(&self.target).map_err(Error::file(&self.target, "replace"))?,
            _ => {}
        }
        let OutputFolder { target, partial, replaced, lock, marker, .. } = self;
        if cfg!(windows) {
            // There a folder with an open file keeps its name.
            drop(lock);
            drop(marker);
        }
        fs::rename(&partial, &target).map_err(Error::file(&target, "put into place"))?;
        // Only now: until the rename another process would find no lock, and take the folder.
        let path = target.join(LOCK);
        fs::remove_file(&path).map_err(Error::file(&path, "remove"))?;
        owned::remove(&replaced)
    }

    /// Moves the old folder to where it waits until the new one is in its place. Its lock file says that it is there for that.
    fn move_aside(&self) -> Result<()> {
        let lock = self.target.join(LOCK);
        File::create(&lock).map_err(Error::file(&lock, "write"))?;
        fs::rename(&self.target, &self.replaced).map_err(Error::file(&self.target, "move aside"))
    }

    /// Removes what was made: there is nothing in it to resume.
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

/// Refuses to replace what is at `target`.
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

/// Refuses to use a folder beside the output that is not neardup's, and one that is complete: a user renamed it.
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

/// Whether a folder of neardup waits for the end of a run: it has a lock file, or a kill came before that was made.
fn is_under_way(folder: &Path) -> Result<bool> {
    let mut names = fs::read_dir(folder).map_err(Error::file(folder, "read"))?.flatten().map(|entry| entry.file_name());
    Ok(folder.join(LOCK).is_file() || names.all(|name| marker::is_marker(&name)))
}

/// Makes the folder with its marker, and locks it; None when another process holds it.
fn hold(partial: &Path, kind: &str) -> Result<Option<File>> {
    fs::create_dir_all(partial).map_err(Error::file(partial, "make the folder"))?;
    let mut marked = Marked::new(kind);
    marked.claims.add(Claim::file(Path::new(LOCK)));
    marker::put(partial, &marked)?;
    let path = partial.join(LOCK);
    let lock = open_as(&path, File::options().create(true).truncate(false).write(true)).map_err(Error::file(&path, "write"))?;
    match lock.try_lock() {
        // One that is gone is that of a process which has just put its output into place.
        Ok(()) => Ok(path.exists().then_some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(Error::file(&path, "lock")(error)),
    }
}
