//! The marker of a folder that neardup made: the file `.neardup`. Its first line is `neardup VERSION KIND`, every further
//! line a claim. A claim is written before the file that it names; so whatever is not claimed belongs to another program.
//!
//! A process that is killed while it writes leaves a line without an end. A first line without an end is no marker yet: there
//! is nothing else in the folder then. A claim without an end names a file that is not there yet.

use crate::claims::{Claim, Claims};
use crate::{Error, Result};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name of the marker.
pub const MARKER: &str = ".neardup";
/// How the name of a marker begins that is not in its place yet.
const ASIDE: &str = ".neardup.";
/// A marker that takes the place of another.
const NEW: &str = ".neardup.new";
const NAME: &str = "neardup";

/// What a marker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The version of neardup that made the folder.
    pub version: String,
    /// What the folder is: `result`, `index`, `sweeps` or `review`.
    pub kind: String,
    /// What neardup wrote there.
    pub claims: Claims,
}

impl Marked {
    /// What is said of a folder that is made now.
    pub fn new(kind: &str) -> Marked {
        Marked { version: env!("CARGO_PKG_VERSION").to_owned(), kind: kind.to_owned(), claims: Claims::default() }
    }

    /// Reads the marker of a folder; None where there is none. Links are not followed.
    pub fn read(folder: &Path) -> Result<Option<Marked>> {
        let path = folder.join(MARKER);
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return Ok(None);
        }
        let bytes = fs::read(&path).map_err(Error::file(&path, "read"))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let head: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let &[NAME, version, kind] = head.as_slice() else { return Ok(None) };
        let mut claims = Claims::default();
        lines.for_each(|line| {
            claims.add(Claim::read(line));
        });
        Ok(Some(Marked { version: version.to_owned(), kind: kind.to_owned(), claims }))
    }

    fn text(&self) -> String {
        let claims: String = self.claims.iter().map(|claim| format!("{}\n", claim.line())).collect();
        format!("{NAME} {} {}\n{claims}", self.version, self.kind)
    }
}

/// Whether a name in a folder is that of its marker, or of one that was not put into place.
pub fn is_marker(name: &OsStr) -> bool {
    name == MARKER || name.to_string_lossy().starts_with(ASIDE)
}

/// Puts a marker into a folder that has none; several processes may, and the first one's stays.
pub fn put(folder: &Path, marked: &Marked) -> Result<()> {
    let path = folder.join(MARKER);
    let write = || {
        let mut aside = tempfile::Builder::new().prefix(ASIDE).tempfile_in(folder)?;
        aside.write_all(marked.text().as_bytes())?;
        match aside.persist_noclobber(&path) {
            // A marker without its first line is what a power failure left.
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => match Marked::read(folder) {
                Ok(None) => error.file.persist(&path).map(drop).map_err(|error| error.error),
                _ => Ok(()),
            },
            done => done.map(drop).map_err(|error| error.error),
        }
    };
    write().map_err(Error::file(&path, "write"))
}

/// The open marker of a folder that is made by this process alone.
#[derive(Debug)]
pub struct Marker {
    folder: PathBuf,
    file: File,
    marked: Marked,
}

impl Marker {
    /// Opens the marker of a folder that has one; what a kill cut off goes, so that every line has an end.
    pub fn open(folder: &Path, marked: Marked) -> Result<Marker> {
        Ok(Marker { folder: folder.to_path_buf(), file: write(folder, &marked)?, marked })
    }

    /// What is claimed.
    pub fn claims(&self) -> &Claims {
        &self.marked.claims
    }

    /// Claims a name, before it is written.
    pub fn claim(&mut self, claim: Claim) -> Result<()> {
        let line = format!("{}\n", claim.line());
        if self.marked.claims.add(claim) {
            self.file.write_all(line.as_bytes()).map_err(Error::file(&self.folder.join(MARKER), "write"))?;
        }
        Ok(())
    }

    /// Leaves these claims and no others.
    pub fn settle(&mut self, claims: Claims) -> Result<()> {
        self.marked.claims = claims;
        self.file = write(&self.folder, &self.marked)?;
        Ok(())
    }
}

/// Writes a marker aside, puts it into place, and leaves it open for claims.
fn write(folder: &Path, marked: &Marked) -> Result<File> {
    let (path, aside) = (folder.join(MARKER), folder.join(NEW));
    let write = || {
        match fs::remove_file(&aside) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = File::options().create_new(true).append(true).open(&aside)?;
        file.write_all(marked.text().as_bytes())?;
        fs::rename(&aside, &path)?;
        Ok(file)
    };
    write().map_err(Error::file(&path, "write"))
}
