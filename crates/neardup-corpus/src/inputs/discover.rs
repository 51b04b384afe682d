use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use neardup_disk::owned::is_address;
use neardup_disk::regular;

use crate::compression::Compression;
use crate::containers::Container;
use crate::containers::found_container::FoundContainer;
use crate::error::{Error, Result};
use crate::formats::suffixes::{kind, known, lines};
use crate::inputs::find_options::{FindOptions, Selection};
use crate::inputs::patterns::{alternatives, has_wildcards, parse};
use crate::inputs::probe::probe;
use crate::inputs::selected::{Selected, select};
use crate::inputs::unread::{Unread, is_own, is_result};
use crate::sources::source::Source;

/// One file that an input represents.
struct FoundFile {
    path: PathBuf,
    /// Folder that its input searches.
    folder: PathBuf,
    /// Whether the user named the file itself.
    is_named: bool,
}

/// Files that inputs represent.
#[derive(Debug, Default)]
pub struct Discovered {
    /// Files that are read, in order.
    pub sources: Vec<Source>,
    /// Files that are not read.
    pub unread: Unread,
    /// The patterns that choose among files.
    pub(crate) selection: Selection,
}

impl Discovered {
    /// Returns a sentence for each pattern that matched no file. Patterns see the files of archives only in [`crate::spool`].
    pub fn notes(&self) -> Vec<String> {
        self.selection.unused().map(|(option, pattern)| format!("no file matches `{pattern}` ({option})")).collect()
    }
}

/// Finds the files that `inputs` represent, in order: files, folders, patterns with `*`, `?`, `[` or `{a,b}`, and `-` for the
/// standard input as JSON lines.
///
/// A folder or pattern yields its files with a known suffix, in the byte order of their relative paths. It yields no hidden files,
/// and source files only if they are wanted. Folders that neardup made and hidden folders are not entered.
///
/// # Errors
/// An input is missing or unreadable, a file that the user named has an unknown suffix, a folder or pattern has no files, or a
/// folder is a result of neardup.
pub fn discover(inputs: &[String], options: &FindOptions) -> Result<Discovered> {
    let (selection, mut unread) = (Selection::new(options)?, Unread::default());
    let mut sources = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    for input in inputs {
        if input == "-" {
            sources.push(standard_input());
            continue;
        }
        let mut finder = FileFinder { options, selection: &selection, unread: Unread::default() };
        let files = finder.find(input)?;
        unread = unread.and(&finder.unread);
        for found in files {
            let container = Container::of(&found.path).map(|kind| FoundContainer {
                kind,
                below: slashed(found.path.strip_prefix(&found.folder).unwrap_or(&found.path)),
                is_named: found.is_named,
            });
            let kind = kind(&found.path).or_else(|| container.is_some().then(|| (lines(), Compression::NONE)));
            let (format, compression) = kind.ok_or_else(|| Error::Suffix { path: found.path.clone(), known: known() })?;
            let bytes = size(&found.path)?;
            let folder = absolute(&found.folder)?;
            if !folders.contains(&folder) {
                folders.push(folder);
            }
            // It becomes relative below, and the name of the source, once the folders of all inputs are known.
            let root_relative = absolute(&found.path)?;
            let mut source = Source { root_relative, bytes, container, ..Source::new(found.path, String::new(), format, compression) };
            if source.container.is_none() {
                probe(&mut source, options);
            }
            sources.push(source);
        }
    }
    let root = common(&folders);
    for source in sources.iter_mut().filter(|source| !source.is_stdin()) {
        if let Ok(below) = source.root_relative.strip_prefix(&root) {
            source.name = slashed(below);
            source.root_relative = below.to_owned();
        }
    }
    Ok(Discovered { sources, unread, selection })
}

fn standard_input() -> Source {
    let root_relative = PathBuf::from("stdin.jsonl");
    Source { root_relative, ..Source::new(PathBuf::from("-"), "stdin".to_owned(), lines(), Compression::NONE) }
}

/// Finds the files of one input, and counts those that are not read.
struct FileFinder<'o> {
    options: &'o FindOptions,
    selection: &'o Selection,
    unread: Unread,
}

impl FileFinder<'_> {
    fn find(&mut self, input: &str) -> Result<Vec<FoundFile>> {
        let path = Path::new(input);
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => self.in_folder(path),
            // A pipe can be read only once, and not at chosen positions.
            Ok(meta) if !meta.is_file() => Err(Error::Unsupported {
                name: input.to_owned(),
                reason: "neither a file nor a folder; allowed are files, folders, patterns, and - for JSON lines from the standard input",
            }),
            Ok(_) => {
                let folder = path.parent().map_or(PathBuf::new(), Path::to_owned);
                Ok(vec![FoundFile { path: path.to_owned(), folder, is_named: true }])
            }
            Err(_) if is_address(path) => Err(Error::Unsupported {
                name: input.to_owned(),
                reason: "runs on one machine read its own files; a run on Spark reads this one: --engine spark",
            }),
            Err(_) if has_wildcards(input) || alternatives(input)?.len() > 1 => self.by_pattern(input),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Error::Missing { path: path.to_owned() }),
            Err(error) => Err(Error::io(path, "read")(error)),
        }
    }

    fn in_folder(&mut self, folder: &Path) -> Result<Vec<FoundFile>> {
        if is_result(folder) {
            return Err(Error::OfNeardup { path: folder.to_owned() });
        }
        let mut files = Vec::new();
        let mut walk = walkdir::WalkDir::new(folder).follow_links(true).into_iter();
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    self.link(&path, error.into())?;
                    continue;
                }
            };
            let is_folder = entry.file_type().is_dir();
            if entry.depth() > 0 && is_hidden(entry.file_name()) {
                self.unread.hidden(entry.path(), is_folder);
                if is_folder {
                    walk.skip_current_dir();
                }
            } else if is_folder {
                if entry.depth() > 0 && is_own(entry.path()) {
                    self.unread.folder(entry.path());
                    walk.skip_current_dir();
                }
            } else if !entry.file_type().is_file() {
                self.unread.special(entry.path());
            } else if self.wants(entry.path(), folder) {
                files.push(entry.into_path());
            }
        }
        if files.is_empty() {
            return Err(Error::EmptyFolder { path: folder.to_owned(), left: self.unread.shown(), known: known() });
        }
        Ok(relative(files, folder))
    }

    fn by_pattern(&mut self, pattern: &str) -> Result<Vec<FoundFile>> {
        let patterns = alternatives(pattern)?;
        // The matches are shown relative to the folder before the first wildcard.
        let folder = common(&patterns.iter().map(|pattern| searched(pattern)).collect::<Vec<_>>());
        let mut files = Vec::new();
        // For each folder below that one, the topmost folder of neardup on its path.
        let mut seen: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
        let (mut own, mut met) = (BTreeSet::new(), HashSet::new());
        for one in &patterns {
            // The same pattern without hidden files, unless it names them.
            let visible = parse(one)?;
            let matches =
                glob::glob(visible.as_str()).map_err(|error| Error::Pattern { pattern: one.clone(), reason: error.to_string() })?;
            for path in matches {
                let path = path.map_err(|error| {
                    let path = error.path().to_owned();
                    Error::Io { path, doing: "read", source: error.into() }
                })?;
                if !met.insert(path.clone()) {
                    continue;
                }
                let meta = std::fs::metadata(&path);
                if is_hidden_by(&path, &folder, &visible) {
                    self.unread.hidden(&path, meta.is_ok_and(|meta| meta.is_dir()));
                    continue;
                }
                let meta = match meta {
                    Ok(meta) => meta,
                    Err(error) => {
                        self.link(&path, error)?;
                        continue;
                    }
                };
                if let Some(entered) = path.parent().and_then(|parent| own_above(parent, &folder, &mut seen)) {
                    own.insert(entered);
                } else if meta.is_file() {
                    if self.wants(&path, &folder) {
                        files.push(path);
                    }
                } else if !meta.is_dir() {
                    self.unread.special(&path);
                }
            }
        }
        own.iter().for_each(|path| self.unread.folder(path));
        if !files.is_empty() {
            return Ok(relative(files, &folder));
        }
        let (pattern, left) = (pattern.to_owned(), self.unread.shown());
        Err(if left.is_empty() && own.is_empty() {
            Error::NoMatch { pattern }
        } else {
            Error::NoMatchRead { pattern, left, known: known() }
        })
    }

    /// Counts a link that leads to no file, by the error of following it.
    ///
    /// # Errors
    /// The path is no such link.
    fn link(&mut self, path: &Path, error: std::io::Error) -> Result<()> {
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
        let is_hidden = path.file_name().is_some_and(is_hidden);
        match error.kind() {
            ErrorKind::PermissionDenied => return Err(Error::io(path, "read")(error)),
            _ if !is_link => return Err(Error::io(path, "read")(error)),
            _ if is_hidden => self.unread.hidden(path, false),
            ErrorKind::NotFound | ErrorKind::NotADirectory => self.unread.unwanted(path, "link to a file that does not exist"),
            _ => self.unread.unwanted(path, "link in a circle"),
        }
        Ok(())
    }

    /// Whether a file is read. Counts it otherwise.
    fn wants(&mut self, path: &Path, folder: &Path) -> bool {
        let below = slashed(path.strip_prefix(folder).unwrap_or(path));
        match select(path, &below.as_str().into(), self.options, self.selection) {
            Selected::File(..) | Selected::Container => return true,
            Selected::Unknown => self.unread.unknown(path),
            Selected::Unwanted(reason) => self.unread.unwanted(path, reason),
        }
        false
    }
}

/// Returns the folder that a pattern without braces searches: the one before the first wildcard.
fn searched(pattern: &str) -> PathBuf {
    let parts: Vec<Component<'_>> = Path::new(pattern).components().collect();
    let is_plain = |part: &&Component<'_>| !has_wildcards(&part.as_os_str().to_string_lossy());
    parts[..parts.len().saturating_sub(1)].iter().take_while(is_plain).collect()
}

/// Whether a file or folder is hidden, as those are whose name begins with a dot.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a path that a pattern found is hidden below the searched folder, and the pattern does not name it.
fn is_hidden_by(path: &Path, folder: &Path, pattern: &glob::Pattern) -> bool {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let is_visible = glob::MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
    below.components().any(|part| is_hidden(part.as_os_str())) && !pattern.matches_path_with(path, is_visible)
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
    found.into_iter().map(|(_, path)| FoundFile { path, folder: folder.to_owned(), is_named: false }).collect()
}

/// Opens the file to check before any work that it can be read. Returns its size.
fn size(path: &Path) -> Result<u64> {
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
