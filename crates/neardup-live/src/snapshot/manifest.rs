//! The manifest: the names of the index's files, and its settings.
//!
//! Every change beyond the log takes effect at one moment: when a new manifest is renamed to the name of the old one.

use crate::documents::policy::Policy;
use crate::format::{FORMAT, FORMATS};
use crate::shards::shard::Shard;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::partial::Partial;
use crate::{Error, Result};
use neardup_disk::regular;
use neardup_text::TokensVersion;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;

pub(crate) const MANIFEST: &str = "manifest.json";
/// A copy of the manifest, for a repair.
pub(crate) const COPY: &str = "manifest.json.copy";

/// The names of the index's files, and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of its files. Some files may have an earlier format.
    pub format: u32,
    /// Number of the manifest, which grows by one with every write.
    pub generation: u64,
    /// The version of neardup that wrote this manifest.
    pub neardup: String,
    /// The identity of the index, which all its files contain.
    pub identity: Identity,
    /// The settings from the creation of the index.
    pub settings: Settings,
    /// The number of the next file. Numbers are never reused.
    pub next_number: u64,
    /// The segments, oldest first.
    pub segments: Vec<String>,
    /// The files of their texts, in the order of the segments.
    pub texts: Vec<String>,
    /// The state of every document of the segments when the log began.
    pub state: Option<String>,
    /// The documents of the segments that lived when the log began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// The log of the steps since then.
    pub log: String,
}

/// The settings from the creation of an index, which apply to all its documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The scheme, as its canonical line.
    pub scheme: String,
    /// The scheme of the second key table, which answers containment.
    pub parts_scheme: Option<String>,
    /// The version of the rules that determine tokens; a manifest of version 1 does not name it.
    #[serde(default = "TokensVersion::first")]
    pub tokens_version: u32,
    /// The version of Unicode that determines tokens.
    pub unicode: String,
    /// The policy, which determines the order in which documents are decided.
    pub policy: Policy,
    /// Time to live of a document, in seconds; `None` for no limit.
    pub ttl_seconds: Option<u64>,
    /// Maximum number of kept documents; above it, the oldest documents are removed; `None` for no limit.
    pub most: Option<u64>,
    /// Name and version of the extractor of the main content of HTML. An index of before has none, and used resiliparse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extractor: Option<String>,
    /// The shard of a split index that this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl Settings {
    /// Returns the version of the tokens.
    pub fn version(&self) -> TokensVersion {
        TokensVersion { rules: self.tokens_version, unicode: self.unicode.clone() }
    }

    /// Returns the same settings for texts cut anew by this neardup.
    pub fn renewed(&self) -> Settings {
        let TokensVersion { rules: tokens_version, unicode } = TokensVersion::current();
        Settings { tokens_version, unicode, ..self.clone() }
    }
}

/// The contents of the file. The checksum is compared separately.
#[derive(Deserialize)]
struct Checked {
    manifest: Box<RawValue>,
}

impl Manifest {
    /// Returns the manifest of a new index with `settings` and an empty log, whose file has the number 0.
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

    /// Returns the next manifest, to be changed and written.
    pub fn next(&self) -> Manifest {
        let neardup = env!("CARGO_PKG_VERSION").to_owned();
        Manifest { format: FORMAT, generation: self.generation + 1, neardup, ..self.clone() }
    }

    /// Returns the name of a new file.
    pub fn new_file(&mut self, kind: FileKind) -> String {
        let number = self.next_number;
        self.next_number += 1;
        kind.file(number)
    }

    /// The names of all files of the index.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        self.segments.iter().chain(&self.texts).chain(&self.state).chain(&self.roll).chain([&self.log])
    }

    /// Whether `file` belongs to the index.
    pub fn names(&self, file: &str) -> bool {
        self.files().any(|name| name == file)
    }

    /// Whether `dir` contains an index.
    pub fn exists(dir: &Path) -> Result<bool> {
        let path = dir.join(MANIFEST);
        path.try_exists().map_err(Error::file(&path, "read"))
    }

    /// Writes this as the manifest of the index in `dir`. The files that it names must be on the disk already.
    pub fn write(&self, dir: &Path) -> Result<()> {
        self.write_as(&dir.join(MANIFEST))?;
        self.write_copy(dir);
        Ok(())
    }

    /// Writes the copy if it is missing or older. Only the writer may call this, under its lock.
    pub fn keep_copy(&self, dir: &Path) -> Result<()> {
        if Manifest::read_copy(dir)?.is_none_or(|copy| copy.generation < self.generation) {
            self.write_copy(dir);
        }
        Ok(())
    }

    fn write_copy(&self, dir: &Path) {
        let copy = dir.join(COPY);
        if self.write_as(&copy).is_err() {
            // The index is complete without the copy. An old copy would lead a repair to removed files.
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

    /// Reads the copy of the manifest of the index in `dir`; `None` if there is none, as in an index of format 1.
    pub fn read_copy(dir: &Path) -> Result<Option<Manifest>> {
        let path = dir.join(COPY);
        match regular::read(&path) {
            Ok(bytes) => Manifest::parse(&path, &bytes).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file(&path, "read")(error)),
        }
    }

    /// Returns what is wrong with the copy of this manifest, if anything. An index of format 1 has no copy. A writer that was
    /// stopped between writing the manifest and its copy leaves the copy of the previous manifest, which is accepted.
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

    /// Parses the bytes of the manifest at `path`.
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
        // Compares all bytes, so that the file contains nothing unchecked.
        if envelope(manifest) != bytes {
            return Err(Error::damaged(path, "its checksum is wrong"));
        }
        let manifest: Manifest = serde_json::from_str(manifest).map_err(damaged(path))?;
        match manifest.invalid_name() {
            Some(name) => Err(Error::damaged(path, format!("it names a file {name:?}, which is no valid name in an index"))),
            None => Ok(manifest),
        }
    }

    /// Returns a name that is not a valid name for a file of its kind.
    fn invalid_name(&self) -> Option<&String> {
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
