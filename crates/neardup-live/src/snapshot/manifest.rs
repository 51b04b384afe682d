//! The manifest: which files are the index, and how it was set up.
//!
//! Everything that changes more than the log becomes true at one moment, when a new manifest takes the name of the old one.

use crate::documents::policy::Policy;
use crate::format::{FORMAT, FORMATS};
use crate::shards::shard::Shard;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::partial::Partial;
use crate::{Error, Result};
use neardup_disk::regular;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;

pub(crate) const MANIFEST: &str = "manifest.json";
/// A second one like it, for a repair.
pub(crate) const COPY: &str = "manifest.json.copy";

/// Which files are the index, and how it was set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of its files; some may be of an earlier one.
    pub format: u32,
    /// Grows by one with every manifest written.
    pub generation: u64,
    /// The version of neardup that wrote this manifest.
    pub neardup: String,
    /// Which index it is: all its files say so.
    pub identity: Identity,
    /// What was said when the index was made.
    pub settings: Settings,
    /// The number of the next file; numbers are never used again.
    pub next_number: u64,
    /// The segments, oldest first.
    pub segments: Vec<String>,
    /// The files of their texts, in the order of the segments.
    pub texts: Vec<String>,
    /// What was known of every document of the segments when the log began.
    pub state: Option<String>,
    /// Which of them lived then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// What came after them.
    pub log: String,
}

/// What is said when an index is made, and holds for all its documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The scheme, as its canonical line.
    pub scheme: String,
    /// The scheme of the second key table, which answers containment.
    pub parts_scheme: Option<String>,
    /// The version of Unicode that texts are cut by.
    pub unicode: String,
    /// In which order documents are decided.
    pub policy: Policy,
    /// How long a document counts, in seconds; None for ever.
    pub ttl_seconds: Option<u64>,
    /// How many documents count at most, the newest; None for all.
    pub most: Option<u64>,
    /// Which shard of a split index this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// What is in the file.
#[derive(Deserialize)]
struct Checked {
    manifest: Box<RawValue>,
}

impl Manifest {
    /// The manifest of an index that begins with `settings` and an empty log, the file of number 0.
    pub fn new(identity: Identity, settings: Settings) -> Manifest {
        Manifest {
            format: FORMAT,
            generation: 0,
            neardup: env!("CARGO_PKG_VERSION").to_owned(),
            identity,
            settings,
            next_number: 1,
            segments: Vec::new(),
            texts: Vec::new(),
            state: None,
            roll: None,
            log: FileKind::Log.file(0),
        }
    }

    /// The manifest that follows this one, to be changed and written.
    pub fn next(&self) -> Manifest {
        let neardup = env!("CARGO_PKG_VERSION").to_owned();
        Manifest { format: FORMAT, generation: self.generation + 1, neardup, ..self.clone() }
    }

    /// The name of a new file.
    pub fn new_file(&mut self, kind: FileKind) -> String {
        let number = self.next_number;
        self.next_number += 1;
        kind.file(number)
    }

    /// The names of all its files.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        self.segments.iter().chain(&self.texts).chain(&self.state).chain(&self.roll).chain([&self.log])
    }

    /// Whether a file belongs to the index.
    pub fn names(&self, file: &str) -> bool {
        self.files().any(|name| name == file)
    }

    /// Whether there is an index in `dir`.
    pub fn exists(dir: &Path) -> Result<bool> {
        let path = dir.join(MANIFEST);
        path.try_exists().map_err(Error::file(&path, "read"))
    }

    /// Makes this the manifest of the index in `dir`. What it names must be on the disk already.
    pub fn write(&self, dir: &Path) -> Result<()> {
        self.write_as(&dir.join(MANIFEST))?;
        self.write_copy(dir);
        Ok(())
    }

    /// Writes the copy once more where it is missing or older. Only the writer may, under its lock.
    pub fn keep_copy(&self, dir: &Path) -> Result<()> {
        if Manifest::read_copy(dir)?.is_none_or(|copy| copy.generation < self.generation) {
            self.write_copy(dir);
        }
        Ok(())
    }

    fn write_copy(&self, dir: &Path) {
        let copy = dir.join(COPY);
        if self.write_as(&copy).is_err() {
            // The index is whole without it. An old one would lead a repair to files that are gone.
            let _ = fs::remove_file(copy);
        }
    }

    fn write_as(&self, path: &Path) -> Result<()> {
        let text = self.text().map_err(Error::file(path, "write"))?;
        let mut partial = Partial::create(path)?;
        partial.write_all(&text).map_err(Error::file(path, "write"))?;
        partial.finish().map(drop)
    }

    /// Reads the manifest of the index in `dir`.
    pub fn read(dir: &Path) -> Result<Manifest> {
        let path = dir.join(MANIFEST);
        let bytes = regular::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                Error::file(dir, "open")(format!("there is no index here (no {MANIFEST})"))
            }
            _ => Error::file(&path, "read")(error),
        })?;
        Manifest::parse(&path, &bytes)
    }

    /// Reads the copy of the manifest of the index in `dir`; an index of format 1 has none.
    pub fn read_copy(dir: &Path) -> Result<Option<Manifest>> {
        let path = dir.join(COPY);
        match regular::read(&path) {
            Ok(bytes) => Manifest::parse(&path, &bytes).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file(&path, "read")(error)),
        }
    }

    /// What is wrong with the copy of this manifest; an index of format 1 has none. A writer that was stopped between the two
    /// leaves the copy of the manifest before, which is in order.
    pub fn odd_copy(&self, copy: Option<&Manifest>) -> Option<&'static str> {
        let is_next_to = |copy: &Manifest| copy.identity == self.identity && copy.generation + 1 == self.generation;
        match copy {
            None if self.generation == 0 => None,
            Some(copy) if is_next_to(copy) => None,
            None if self.format > 1 => Some("it is missing"),
            Some(copy) if copy != self => Some("it is not the copy of manifest.json"),
            _ => None,
        }
    }

    /// Reads the bytes of the manifest at `path`.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest> {
        let checked: Checked = serde_json::from_slice(bytes).map_err(damaged(path))?;
        let manifest = checked.manifest.get();
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let Format { format: found } = serde_json::from_str(manifest).map_err(damaged(path))?;
        if !FORMATS.contains(&found) {
            return Err(Error::Format { path: path.to_path_buf(), found });
        }
        // Byte for byte: nothing is in the file beside what is checked.
        if envelope(manifest) != bytes {
            return Err(Error::damaged(path, "its checksum is wrong"));
        }
        let manifest: Manifest = serde_json::from_str(manifest).map_err(damaged(path))?;
        match manifest.odd_name() {
            Some(name) => Err(Error::damaged(path, format!("it names a file {name:?}, and no index has one"))),
            None => Ok(manifest),
        }
    }

    /// A name that is none of a file of its kind in the folder itself.
    fn odd_name(&self) -> Option<&String> {
        let kinds = [
            (FileKind::Segment, &self.segments[..]),
            (FileKind::Texts, &self.texts[..]),
            (FileKind::State, self.state.as_slice()),
            (FileKind::Roll, self.roll.as_slice()),
            (FileKind::Log, slice::from_ref(&self.log)),
        ];
        kinds.into_iter().find_map(|(kind, names)| names.iter().find(|name| kind.number_of(name).is_none()))
    }

    fn text(&self) -> serde_json::Result<Vec<u8>> {
        Ok(envelope(&serde_json::to_string_pretty(self)?))
    }
}

fn envelope(manifest: &str) -> Vec<u8> {
    format!("{{\"check\": \"{}\",\n\"manifest\": {manifest}}}\n", blake3::hash(manifest.as_bytes()).to_hex()).into_bytes()
}

fn damaged(path: &Path) -> impl Fn(serde_json::Error) -> Error + use<> {
    let path: PathBuf = path.to_path_buf();
    move |error| Error::damaged(&path, error.to_string())
}
