use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::compression::Compression;
use crate::containers::found_container::FoundContainer;
use crate::containers::member::{ArchiveError, MemberContent};
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::inputs::copy::copy;
use crate::inputs::find_options::{FindOptions, FoundPath, Selection};
use crate::inputs::probe::probe;
use crate::inputs::selected::{Selected, select};
use crate::inputs::unread::Unread;
use crate::readers::options::OnError;
use crate::sources::source::Source;

/// Maximum number of bytes of a name in a folder.
const LONGEST_NAME: usize = 255;

/// How the files of archives are copied.
#[derive(Clone, Copy)]
pub(crate) struct ExtractOptions<'o> {
    /// Which files are read.
    pub find: &'o FindOptions,
    /// Its patterns.
    pub selection: &'o Selection,
    /// Whether a file that cannot be read stops the job or is a reject.
    pub on_error: OnError,
    /// Receives a cancellation.
    pub control: &'o JobControl,
}

/// Copies the files of an archive to `folder`, and returns their sources, in the order of their paths. Files that are not read are
/// counted in `unread`.
///
/// A file is used only if it was read to its end. With [`OnError::Skip`], any other one is a source that is broken, and so is an archive
/// that cannot be read to its end.
///
/// # Errors
/// Reading or writing fails, the archive or a file of it is damaged, encrypted or not supported ([`OnError::Stop`]), or the job is
/// cancelled.
pub(crate) fn extract(
    archive: &Source,
    found: &FoundContainer,
    folder: &Path,
    options: ExtractOptions<'_>,
    unread: &mut Unread,
) -> Result<Vec<Source>> {
    std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
    let mut extraction = Extraction { archive, found, folder, options, unread, files: BTreeMap::new(), copies: 0 };
    let ended = found.kind.each(&archive.path, options.control, &mut |name, content| extraction.take(name, content));
    let Extraction { unread, files, .. } = extraction;
    let mut sources: Vec<Source> = Vec::new();
    match ended {
        Ok(None) => {}
        Ok(Some(ignored)) => unread.unwanted(&archive.path, ignored),
        Err(ArchiveError::Taker(error)) => return Err(error),
        Err(ArchiveError::Archive(error)) => {
            let broken = refuse(archive, format!("the archive {}: {error}", how(&error)), options.on_error)?;
            sources.push(Source { container: None, bytes: 0, broken: Some(broken), ..archive.clone() });
        }
    }
    sources.extend(files.into_values());
    sources.iter_mut().filter(|source| source.broken.is_none()).for_each(|source| probe(source, options.find));
    Ok(sources)
}

/// Returns the reason for the reject of a file that cannot be read.
///
/// # Errors
/// [`Error::Damaged`], if such files stop the job.
fn refuse(archive: &Source, reason: String, on_error: OnError) -> Result<String> {
    if on_error == OnError::Skip {
        return Ok(reason);
    }
    let reason = format!("{reason}; mend it, or continue without what cannot be read: --on-error skip");
    Err(Error::Damaged { name: archive.name.clone(), reason })
}

/// Returns the verb for what an error of reading an archive means.
fn how(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "is cut off",
        io::ErrorKind::OutOfMemory => "cannot be read here",
        _ => "is damaged",
    }
}

/// Returns the error for a file of an archive that has fewer bytes than the archive says.
fn cut_off(bytes: u64, size: u64) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, format!("the file has {bytes} bytes, and the archive says {size}"))
}

/// The copying of the files of one archive.
struct Extraction<'e> {
    archive: &'e Source,
    found: &'e FoundContainer,
    folder: &'e Path,
    options: ExtractOptions<'e>,
    unread: &'e mut Unread,
    /// The files that are read, by their paths in the archive.
    files: BTreeMap<String, Source>,
    /// Number of copies. Their names are numbers, because a folder cannot hold every name that an archive has.
    copies: u64,
}

impl Extraction<'_> {
    /// Takes a member. Returns false if its content could not be read to its end.
    fn take(&mut self, name: &str, content: MemberContent<'_>) -> Result<bool> {
        let path = PathBuf::from(format!("{}/{name}", self.archive.path.display()));
        let Some((below, format, compression)) = self.select(name, &path, &content) else { return Ok(true) };
        let source = Source {
            root_relative: self.archive.root_relative.join(&below),
            archive: Some((self.archive.path.clone(), PathBuf::from(&below))),
            ..Source::new(self.next_copy(&below, compression), format!("{}/{below}", self.archive.name), format, compression)
        };
        let copied = match content {
            MemberContent::File(size, content) => copy(content, &source.path, self.options.control)?
                .and_then(|bytes| if bytes == size { Ok(bytes) } else { Err(cut_off(bytes, size)) })
                .map_err(|error| format!("the archive {} in {below}: {error}", how(&error))),
            MemberContent::Unreadable(why) => Err(format!("{below} {why}")),
            MemberContent::HardLink(target) => match normal(target).and_then(|target| self.files.get(&target)) {
                Some(Source { broken: Some(reason), .. }) => Err(reason.clone()),
                Some(linked) => Ok(std::fs::copy(&linked.path, &source.path).map_err(Error::io(&source.path, "write"))?),
                None => {
                    self.unread.unwanted(&path, "hard link to a file that is not read");
                    return Ok(true);
                }
            },
            MemberContent::PassedOver(_) => return Ok(true),
        };
        let is_whole = copied.is_ok();
        let source = match copied {
            Ok(bytes) => Source { bytes, ..source },
            Err(reason) => {
                remove(&source.path)?;
                Source { broken: Some(refuse(self.archive, reason, self.options.on_error)?), ..source }
            }
        };
        // As in a folder, a later file takes the place of an earlier one.
        if let Some(earlier) = self.files.insert(below, source) {
            remove(&earlier.path)?;
            self.unread.unwanted(&path, "replaced by a later file of the archive");
        }
        Ok(is_whole)
    }

    /// Returns the path in the archive and the kind of a member that is read. Counts any other one.
    fn select(&mut self, name: &str, path: &Path, content: &MemberContent<'_>) -> Option<(String, Format, Compression)> {
        let Some(below) = normal(name) else {
            self.unread.unwanted(path, "path out of the archive");
            return None;
        };
        if below.split('/').any(|part| part.starts_with('.') || part == "__MACOSX") {
            self.unread.hidden(path, false);
            return None;
        }
        let reason = match content {
            MemberContent::PassedOver(reason) => *reason,
            _ if !self.found.kind.reads(&below) => "no web archive of a WACZ",
            _ => {
                let place = FoundPath { below: &below, archive: Some(&self.found.below) };
                match select(Path::new(&below), &place, self.options.find, self.options.selection) {
                    Selected::Unwanted(reason) => reason,
                    Selected::Container => "archive in an archive",
                    Selected::Unknown => {
                        self.unread.unknown(path);
                        return None;
                    }
                    Selected::File(..) if below.split('/').any(|part| part.len() > LONGEST_NAME || part.contains('\0')) => {
                        "name that no folder can hold"
                    }
                    Selected::File(..) if self.is_file_and_folder(&below) => "file and folder of one name in an archive",
                    Selected::File(format, compression) => return Some((below, format, compression)),
                }
            }
        };
        self.unread.unwanted(path, reason);
        None
    }

    /// Whether a path is that of a folder with files, or a folder of the path is a file.
    fn is_file_and_folder(&self, below: &str) -> bool {
        let inside = format!("{below}/");
        let is_folder = self.files.range(inside.clone()..).next().is_some_and(|(other, _)| other.starts_with(&inside));
        is_folder || below.match_indices('/').any(|(at, _)| self.files.contains_key(&below[..at]))
    }

    /// Returns the path of the next copy, with the suffixes of the file.
    fn next_copy(&mut self, below: &str, compression: Compression) -> PathBuf {
        self.copies += 1;
        let name = below.to_ascii_lowercase();
        let suffix = Compression::of(&name).0.rsplit('.').next().unwrap_or_default();
        self.folder.join(format!("{}.{suffix}{}", self.copies, compression.suffix()))
    }
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path, "remove")(error)),
        _ => Ok(()),
    }
}

/// Returns a path below the archive with `/` and without `.`, or `None` for a path that leads out of it.
fn normal(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in Path::new(&name.replace('\\', "/")).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn a_path_stays_below_the_archive() {
        let table = [
            ("a/b.txt", Some("a/b.txt")),
            ("./a//b.txt", Some("a/b.txt")),
            ("a\\b.txt", Some("a/b.txt")),
            ("../a", None),
            ("a/../../b", None),
            ("/a", None),
            ("", None),
            (".", None),
        ];
        for (name, want) in table {
            assert_eq!(normal(name).as_deref(), want, "{name}");
        }
    }
}
