use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use crate::containers::Container;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::inputs::find_options::{FindOptions, Selection};
use crate::inputs::selected::{Selected, select};
use crate::inputs::unread::Unread;
use crate::readers::options::OnError;
use crate::sources::source::Source;

/// Number of bytes that are copied at once.
const ROOM: usize = 256 << 10;

/// Copies the files of a container to `folder`, and returns their sources, in the order of their paths. Files that are not read are
/// counted in `unread`.
///
/// A container that breaks off gives the files before. With [`OnError::Skip`], the one that broke off is a reject.
///
/// # Errors
/// Reading or writing fails, the container is damaged ([`OnError::Stop`]), it has no file of a known kind, or the job is cancelled.
pub(crate) fn extract(
    archive: &Source,
    container: Container,
    folder: &Path,
    options: &FindOptions,
    on_error: OnError,
    unread: &mut Unread,
    control: &JobControl,
) -> Result<Vec<Source>> {
    let selection = Selection::new(options)?;
    let mut found: BTreeMap<String, Source> = BTreeMap::new();
    let mut written = Ok(());
    // The member that is being copied.
    let mut open: Option<(String, Source)> = None;
    let ended = container.each(&archive.path, control, &mut |name, size, content| {
        open = None;
        let path = archive.path.join(name);
        let Some(below) = normal(name) else {
            unread.unwanted(&path, "path out of the archive");
            return Ok(());
        };
        if below.split('/').any(|part| part.starts_with('.') || part == "__MACOSX") {
            unread.hidden(&path, false);
            return Ok(());
        }
        if !container.reads(&below) {
            unread.unwanted(&path, "no web archive of a WACZ");
            return Ok(());
        }
        let (format, compression) = match select(Path::new(&below), &below, options, &selection) {
            Selected::File(format, compression) => (format, compression),
            Selected::Container => {
                unread.unwanted(&path, "archive in an archive");
                return Ok(());
            }
            Selected::Unknown => {
                unread.unknown(&path);
                return Ok(());
            }
            Selected::Unwanted(reason) => {
                unread.unwanted(&path, reason);
                return Ok(());
            }
        };
        let target = folder.join(&below);
        let source = Source {
            root_relative: archive.root_relative.join(&below),
            archive: Some(archive.path.clone()),
            ..Source::new(target.clone(), format!("{}/{below}", archive.name), format, compression)
        };
        open = Some((below.clone(), source.clone()));
        let copied = copy(content, &target, control);
        let bytes = match copied {
            Ok(Ok(bytes)) if bytes == size => bytes,
            Ok(Ok(_)) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than the archive says")),
            Ok(Err(error)) => return Err(error),
            Err(error) => {
                written = Err(error);
                return Err(io::Error::other("the copy failed"));
            }
        };
        open = None;
        // As in a folder, a later file takes the place of an earlier one.
        if found.insert(below, Source { bytes, ..source }).is_some() {
            unread.unwanted(&path, "replaced by a later file of the archive");
        }
        Ok(())
    });
    written?;
    if let Err(error) = ended {
        let how = if error.kind() == io::ErrorKind::UnexpectedEof { "cut off" } else { "damaged" };
        let reason = match &open {
            Some((below, _)) => format!("the archive is {how} in {below}: {error}"),
            None => format!("the archive is {how}: {error}"),
        };
        if on_error == OnError::Stop {
            return Err(Error::Damaged {
                name: archive.name.clone(),
                reason: format!("{reason}; mend it, or continue without the rest: --on-error skip"),
            });
        }
        match open {
            Some((below, source)) => {
                let bytes = std::fs::metadata(&source.path).map_or(0, |meta| meta.len());
                found.insert(below, Source { bytes, broken: Some(reason), ..source });
            }
            None => unread.unwanted(&archive.path, "archive that is damaged or cut off"),
        }
    } else if found.is_empty() {
        return Err(Error::EmptyFolder { path: archive.path.clone(), known: crate::formats::suffixes::known() });
    }
    Ok(found
        .into_values()
        .map(|mut source| {
            crate::inputs::probe::probe(&mut source, options);
            source
        })
        .collect())
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

/// Copies a member to a file, and returns its bytes. The inner error is one of reading.
fn copy(content: &mut dyn Read, target: &Path, control: &JobControl) -> Result<io::Result<u64>> {
    let parent = target.parent().map_or(PathBuf::new(), Path::to_owned);
    std::fs::create_dir_all(&parent).map_err(Error::io(&parent, "make"))?;
    let mut file = File::create(target).map_err(Error::io(target, "write"))?;
    let (mut room, mut bytes) = (vec![0; ROOM], 0);
    loop {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match content.read(&mut room) {
            Ok(0) => return Ok(Ok(bytes)),
            Ok(count) => {
                file.write_all(&room[..count]).map_err(Error::io(target, "write"))?;
                bytes += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(error)),
        }
    }
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
