use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use neardup_disk::regular;

use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::formats::suffixes::{kind, known, lines};
use crate::inputs::unread::{Unread, is_own, is_result};
use crate::sources::source::Source;

/// One file that an input represents.
struct FoundFile {
    path: PathBuf,
    /// Path below the folder or pattern, with `/`. It is `None` for a file that the user named.
    below: Option<String>,
    /// Folder that its input searches.
    folder: PathBuf,
}

/// Files that inputs represent.
#[derive(Debug, Default)]
pub struct Discovered {
    /// Files that are read, in order.
    pub sources: Vec<Source>,
    /// Files that are not read.
    pub unread: Unread,
}

/// Finds the files that `inputs` represent, in order: files, folders, patterns with `*`, `?` or `[`, and `-` for the
/// standard input as JSON lines.
///
/// A folder or pattern yields its files with a known suffix, in the byte order of their relative paths. Folders that neardup made
/// are not entered.
///
/// # Errors
/// An input is missing or unreadable, a file that the user named has an unknown suffix, a folder or pattern has no files, or a
/// folder is a result of neardup.
pub fn discover(inputs: &[String]) -> Result<Discovered> {
    let mut sources = Vec::new();
    let mut unread = Unread::default();
    let mut folders: Vec<PathBuf> = Vec::new();
    for input in inputs {
        if input == "-" {
            sources.push(standard_input());
            continue;
        }
        for found in find(input, &mut unread)? {
            let (format, compression) = kind(&found.path).ok_or_else(|| Error::Suffix { path: found.path.clone(), known: known() })?;
            let bytes = probe(&found.path)?;
            let name = match &found.below {
                None => input.clone(),
                Some(below) if inputs.len() == 1 => below.clone(),
                Some(below) => slashed(&found.folder.join(below)),
            };
            let folder = absolute(&found.folder)?;
            if !folders.contains(&folder) {
                folders.push(folder);
            }
            // It becomes relative below, once the folders of all inputs are known.
            let root_relative = absolute(&found.path)?;
            sources.push(Source { path: found.path, name, root_relative, format, compression, bytes });
        }
    }
    let root = common(&folders);
    for source in sources.iter_mut().filter(|source| !source.is_stdin()) {
        if let Ok(below) = source.root_relative.strip_prefix(&root) {
            source.root_relative = below.to_owned();
        }
    }
    Ok(Discovered { sources, unread })
}

fn standard_input() -> Source {
    Source {
        path: PathBuf::from("-"),
        name: "stdin".to_owned(),
        root_relative: PathBuf::from("stdin.jsonl"),
        format: lines(),
        compression: Compression::None,
        bytes: 0,
    }
}

fn find(input: &str, unread: &mut Unread) -> Result<Vec<FoundFile>> {
    let path = Path::new(input);
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => in_folder(path, unread),
        // A pipe can be read only once, and not at chosen positions.
        Ok(meta) if !meta.is_file() => Err(Error::Unsupported {
            name: input.to_owned(),
            reason: "neither a file nor a folder; allowed are files, folders, patterns, and - for JSON lines from the standard input",
        }),
        Ok(_) => {
            let folder = path.parent().map_or(PathBuf::new(), Path::to_owned);
            Ok(vec![FoundFile { path: path.to_owned(), below: None, folder }])
        }
        Err(_) if input.contains(['*', '?', '[']) => by_pattern(input, unread),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Error::Missing { path: path.to_owned() }),
        Err(error) => Err(Error::io(path, "read")(error)),
    }
}

fn in_folder(folder: &Path, unread: &mut Unread) -> Result<Vec<FoundFile>> {
    if is_result(folder) {
        return Err(Error::OfNeardup { path: folder.to_owned() });
    }
    let mut files = Vec::new();
    let mut walk = walkdir::WalkDir::new(folder).follow_links(true).into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            Error::Io { path, doing: "read", source: error.into() }
        })?;
        match entry.file_type() {
            folder if folder.is_dir() => {
                if entry.depth() > 0 && is_own(entry.path()) {
                    unread.folder(entry.path());
                    walk.skip_current_dir();
                }
            }
            file if !file.is_file() => unread.special(entry.path()),
            _ if kind(entry.path()).is_some() => files.push(entry.into_path()),
            _ => unread.unknown(entry.path()),
        }
    }
    let found = relative(files, folder);
    if found.is_empty() { Err(Error::EmptyFolder { path: folder.to_owned(), known: known() }) } else { Ok(found) }
}

fn by_pattern(pattern: &str, unread: &mut Unread) -> Result<Vec<FoundFile>> {
    // The matches are shown relative to the folder before the first wildcard.
    let folder: PathBuf =
        Path::new(pattern).components().take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '['])).collect();
    let matches = glob::glob(pattern).map_err(|error| Error::Pattern { pattern: pattern.to_owned(), reason: error.to_string() })?;
    let mut files = Vec::new();
    // For each folder below that one, the topmost folder of neardup on its path.
    let mut seen: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
    let mut own = BTreeSet::new();
    for path in matches {
        let path = path.map_err(|error| {
            let path = error.path().to_owned();
            Error::Io { path, doing: "read", source: error.into() }
        })?;
        let meta = std::fs::metadata(&path).map_err(Error::io(&path, "read"))?;
        if let Some(entered) = path.parent().and_then(|parent| own_above(parent, &folder, &mut seen)) {
            own.insert(entered);
        } else if meta.is_file() && kind(&path).is_some() {
            files.push(path);
        } else if meta.is_file() {
            unread.unknown(&path);
        } else if !meta.is_dir() {
            unread.special(&path);
        }
    }
    own.iter().for_each(|path| unread.folder(path));
    let found = relative(files, &folder);
    if found.is_empty() { Err(Error::NoMatch { pattern: pattern.to_owned(), known: known() }) } else { Ok(found) }
}

/// Returns the topmost folder of neardup between `whole`, which the user named, and `folder`, in which a pattern found a file.
fn own_above(folder: &Path, whole: &Path, seen: &mut HashMap<PathBuf, Option<PathBuf>>) -> Option<PathBuf> {
    if folder == whole || !folder.starts_with(whole) {
        return None;
    }
    if let Some(known) = seen.get(folder) {
        return known.clone();
    }
    let above = folder.parent().and_then(|parent| own_above(parent, whole, seen));
    let found = above.or_else(|| is_own(folder).then(|| folder.to_owned()));
    seen.insert(folder.to_owned(), found.clone());
    found
}

/// Sorts the files by their paths below `folder`.
fn relative(files: Vec<PathBuf>, folder: &Path) -> Vec<FoundFile> {
    let mut found: Vec<(String, PathBuf)> =
        files.into_iter().map(|path| (slashed(path.strip_prefix(folder).unwrap_or(&path)), path)).collect();
    found.sort_unstable();
    found.into_iter().map(|(below, path)| FoundFile { path, below: Some(below), folder: folder.to_owned() }).collect()
}

/// Opens the file to check before any work that it can be read. Returns its size.
fn probe(path: &Path) -> Result<u64> {
    let meta = regular::open(path).and_then(|file| file.metadata()).map_err(Error::io(path, "read"))?;
    Ok(meta.len())
}

fn slashed(path: &Path) -> String {
    let mut parts: Vec<String> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if path.has_root() && parts.first().is_some_and(|part| part == "/") {
        parts[0] = String::new();
    }
    parts.join("/")
}

/// Returns the absolute path without `.` and `..`. Links are not resolved, because the names are the user's.
fn absolute(path: &Path) -> Result<PathBuf> {
    // An empty path is the current folder.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut whole = PathBuf::new();
    for part in std::path::absolute(path).map_err(Error::io(path, "find"))?.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    Ok(whole)
}

/// Returns the deepest folder that contains all of `folders`.
fn common(folders: &[PathBuf]) -> PathBuf {
    let Some((first, others)) = folders.split_first() else {
        return PathBuf::new();
    };
    let mut root = first.clone();
    for folder in others {
        while !folder.starts_with(&root) {
            root.pop();
        }
    }
    root
}
