//! The marker of a folder that neardup made: the file `.neardup`. Its first line is `neardup VERSION KIND`. Every further line is a
//! claim. A claim is written before the file that it names, so a file without a claim belongs to another program.
//!
//! If a process is killed while it writes, the last line may lack its line break. A marker without a complete first line does not
//! count: the folder contains nothing else yet. An incomplete claim names a file that does not exist yet.

use crate::claims::{Claim, Claims};
use crate::{Error, Result};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name of the marker.
pub const MARKER: &str = ".neardup";
/// Prefix of the name of a marker that is not in its place yet.
const ASIDE: &str = ".neardup.";
/// The name of a marker that will replace another.
const NEW: &str = ".neardup.new";
const NAME: &str = "neardup";

/// The contents of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The version of neardup that made the folder.
    pub version: String,
    /// The kind of the folder: `result`, `index`, `sweeps` or `review`.
    pub kind: String,
    /// The files and folders that neardup wrote there.
    pub claims: Claims,
}

impl Marked {
    /// The marker of a new folder, with this version of neardup and no claims.
    pub fn new(kind: &str) -> Marked {
        Marked { version: env!("CARGO_PKG_VERSION").to_owned(), kind: kind.to_owned(), claims: Claims::default() }
    }

    /// Reads the marker of a folder; `None` if there is none. Does not follow links.
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

/// Whether `name` is that of a marker, or of a marker that was not put into place.
pub fn is_marker(name: &OsStr) -> bool {
    name == MARKER || name.to_string_lossy().starts_with(ASIDE)
}

/// Puts a marker into a folder that has none. If several processes do so at once, the first marker stays.
pub fn put(folder: &Path, marked: &Marked) -> Result<()> {
    let path = folder.join(MARKER);
    let write = || {
        let mut aside = tempfile::Builder::new().prefix(ASIDE).tempfile_in(folder)?;
        aside.write_all(marked.text().as_bytes())?;
        match aside.persist_noclobber(&path) {
            // A power failure can leave a marker without its first line. Another process may have removed the file aside.
            Err(error) if matches!(error.error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => match Marked::read(folder) {
                Ok(None) => error.file.persist(&path).map(drop).map_err(|error| error.error),
                _ => Ok(()),
            },
            done => done.map(drop).map_err(|error| error.error),
        }
    };
    write().map_err(Error::file(&path, "write"))
}

/// The open marker of a folder that only this process writes.
#[derive(Debug)]
pub struct Marker {
    folder: PathBuf,
    file: File,
    marked: Marked,
}

impl Marker {
    /// Opens the marker of a folder that has one. Removes an incomplete last line, so that every line ends in a line break.
    pub fn open(folder: &Path, marked: Marked) -> Result<Marker> {
        Ok(Marker { folder: folder.to_path_buf(), file: write(folder, &marked)?, marked })
    }

    /// The claims so far.
    pub fn claims(&self) -> &Claims {
        &self.marked.claims
    }

    /// Writes a claim. Call this before writing the file or folder that it names.
    pub fn claim(&mut self, claim: Claim) -> Result<()> {
        let line = format!("{}\n", claim.line());
        if self.marked.claims.add(claim) {
            self.file.write_all(line.as_bytes()).map_err(Error::file(&self.folder.join(MARKER), "write"))?;
        }
        Ok(())
    }

    /// Replaces all claims by `claims`.
    pub fn settle(&mut self, claims: Claims) -> Result<()> {
        self.marked.claims = claims;
        self.file = write(&self.folder, &self.marked)?;
        Ok(())
    }
}

/// Writes a marker aside, moves it into place, and returns the file, open for further claims.
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
