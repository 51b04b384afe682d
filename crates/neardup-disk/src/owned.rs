//! Folders that neardup owns: those with its marker. Nothing else is ever replaced or removed. Links are not followed.

use crate::claims::{Claim, Claims, written};
use crate::durable::{sync_file, sync_folder};
use crate::marker::{self, MARKER, Marked, Marker, is_marker};
use crate::{Error, Result};
use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// Suffixes of the names of a folder that is incomplete, and of one that is being replaced.
pub(crate) const PARTIAL: &str = ".partial";
pub(crate) const REPLACED: &str = ".replaced";
/// Maximum number of names that an error lists.
const LISTED: usize = 5;

/// The owner of a path.
#[derive(Debug)]
pub(crate) enum Owner {
    /// Free: nothing exists there, or only an empty folder.
    Nobody,
    /// neardup, with the contents of the marker.
    Neardup(Marked),
    /// Another program.
    Other,
}

/// Returns the owner of `place`. A link belongs to another program; a caller that may follow it resolves it first.
pub(crate) fn owner(place: &Path) -> Result<Owner> {
    match fs::symlink_metadata(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Owner::Nobody),
        Err(error) => return Err(Error::file(place, "read")(error)),
        Ok(found) if !found.is_dir() => return Ok(Owner::Other),
        Ok(_) => {}
    }
    if let Some(marked) = Marked::read(place)? {
        return Ok(Owner::Neardup(marked));
    }
    // A process that was killed leaves at most a marker without its first line.
    if entries(place)?.iter().all(|(path, kind)| kind.is_file() && path.file_name().is_some_and(is_marker)) {
        return Ok(Owner::Nobody);
    }
    // Another process may have taken the folder meanwhile. It writes its marker before its files, so this second read finds it.
    Ok(Marked::read(place)?.map_or(Owner::Other, Owner::Neardup))
}

/// Returns the kind of a folder, from its marker; `None` if neardup did not make the folder.
pub fn kind(folder: &Path) -> Result<Option<String>> {
    Ok(Marked::read(folder)?.map(|marked| marked.kind))
}

/// Takes a folder for `kind`. The folder may be missing, empty, or already of that kind. `claims` are the files that will be
/// written there. The folder, its parents and the marker are on the disk when this returns.
///
/// # Errors
/// [`Error::Refused`] for any other folder.
pub fn take(folder: &Path, kind: &str, claims: impl IntoIterator<Item = Claim>) -> Result<()> {
    if matches!(owner(&resolved(folder)?)?, Owner::Other) {
        return Err(Error::refused(folder, "it is not empty, and neardup did not make it; give another folder"));
    }
    create(folder)?;
    adopt(folder, kind, claims)
}

/// Adds a marker to a folder that is known to be neardup's, or adds the missing `claims` to its marker. The marker is on the disk
/// when this returns.
///
/// # Errors
/// [`Error::Refused`] for a folder of another kind.
pub fn adopt(folder: &Path, kind: &str, claims: impl IntoIterator<Item = Claim>) -> Result<()> {
    let claims: Vec<Claim> = claims.into_iter().collect();
    marker::put(folder, &Marked { claims: claims.iter().cloned().collect(), ..Marked::new(kind) })?;
    // Another process, or an earlier one, may have put its own marker there.
    let mut marked = Marked::read(folder)?.unwrap_or_else(|| Marked::new(kind));
    if marked.kind != kind {
        return Err(Error::refused(folder, format_args!("it is {}; give another folder", article(&marked.kind))));
    }
    let missing = claims.into_iter().filter(|claim| marked.claims.add(claim.clone())).count();
    if missing > 0 {
        Marker::open(folder, marked)?;
    }
    let path = folder.join(MARKER);
    sync_file(&path).and_then(|()| sync_folder(folder)).map_err(Error::file(&path, "write"))
}

/// Removes a folder of neardup and everything in it. A missing folder is no error.
///
/// # Errors
/// [`Error::Refused`] if neardup did not make it, or if it contains files of another program. Then nothing is removed.
pub fn remove(folder: &Path) -> Result<()> {
    match owner(folder)? {
        Owner::Nobody if !folder.exists() => Ok(()),
        Owner::Nobody => remove_claimed(folder, &Claims::default()),
        Owner::Neardup(marked) => {
            refuse_foreign(folder, &marked.claims)?;
            remove_claimed(folder, &marked.claims)
        }
        Owner::Other => Err(Error::refused(folder, "neardup did not make it, so it does not remove it; remove it by hand")),
    }
}

/// Refuses inputs that the output would replace: an input must not be the output, its `.partial` or `.replaced` folder, or inside
/// one of these. Links are resolved.
pub fn refuse_inputs<'p>(output: &Path, inputs: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    let places = [Some(output.to_path_buf()), beside(output, PARTIAL), beside(output, REPLACED)];
    let own: Vec<PathBuf> = places.into_iter().flatten().filter_map(|place| fs::canonicalize(place).ok()).collect();
    let is_own = |input: &&Path| fs::canonicalize(input).is_ok_and(|found| own.iter().any(|place| found.starts_with(place)));
    match inputs.into_iter().find(is_own) {
        Some(input) if !own.is_empty() => {
            Err(Error::refused(output, format_args!("the output would replace the input {}; give another name", input.display())))
        }
        _ => Ok(()),
    }
}

/// Returns the path of `place` with `end` appended to its name; `None` if it has no name.
pub(crate) fn beside(place: &Path, end: &str) -> Option<PathBuf> {
    let mut name = place.file_name()?.to_os_string();
    name.push(end);
    Some(place.with_file_name(name))
}

/// Refuses a folder of neardup that contains files of another program.
pub(crate) fn refuse_foreign(folder: &Path, claims: &Claims) -> Result<()> {
    let mut found = Vec::new();
    foreign(folder, folder, claims, &mut found)?;
    if found.is_empty() {
        return Ok(());
    }
    found.sort();
    let more = if found.len() > LISTED { format!(" and {} more", found.len() - LISTED) } else { String::new() };
    let names = found[..found.len().min(LISTED)].join(", ");
    let why = format_args!("it also holds {names}{more}: no part of what neardup made here; move that away, or give another folder");
    Err(Error::refused(folder, why))
}

/// Does the same as [`refuse_foreign`], with the claims of the folder's own marker. A folder without a marker passes.
pub(crate) fn refuse_foreign_in(folder: &Path) -> Result<()> {
    Marked::read(folder)?.map_or(Ok(()), |marked| refuse_foreign(folder, &marked.claims))
}

/// Collects the entries of `folder`, a part of the owned folder `whole`, that are not claimed. Files are listed by their names.
/// Folders with a marker of their own are listed with their kind.
fn foreign(whole: &Path, folder: &Path, claims: &Claims, found: &mut Vec<String>) -> Result<()> {
    for (path, kind) in entries(folder)? {
        let below = path.strip_prefix(whole).unwrap_or(&path);
        let name = written(below);
        if !kind.is_dir() {
            let is_own_marker = folder == whole && path.file_name().is_some_and(is_marker);
            if !is_own_marker && !claims.covers_file(&name) {
                found.push(below.display().to_string());
            }
        } else if claims.covers_tree(&name) {
            // A folder with a marker of its own is judged by that marker.
            if let Some(marked) = Marked::read(&path)? {
                let mut inner = Vec::new();
                foreign(&path, &path, &marked.claims, &mut inner)?;
                found.extend(inner.iter().map(|inner| format!("{}/{inner}", below.display())));
            }
        } else if let Some(marked) = Marked::read(&path)? {
            found.push(format!("{} ({})", below.display(), article(&marked.kind)));
        } else {
            foreign(whole, &path, claims, found)?;
        }
    }
    Ok(())
}

/// Removes the claimed entries of a folder, then its marker, then the folder.
pub(crate) fn remove_claimed(folder: &Path, claims: &Claims) -> Result<()> {
    clear(folder, claims, |_| false)?;
    remove_markers(folder, is_marker)?;
    fs::remove_dir(folder).map_err(Error::file(folder, "remove"))
}

/// Removes the markers that killed processes did not put into place.
pub(crate) fn remove_unplaced(folder: &Path) -> Result<()> {
    remove_markers(folder, |name| name != MARKER && is_marker(name))
}

fn remove_markers(folder: &Path, which: impl Fn(&OsStr) -> bool) -> Result<()> {
    for (path, _) in entries(folder)?.into_iter().filter(|(path, _)| path.file_name().is_some_and(&which)) {
        fs::remove_file(&path).map_err(Error::file(&path, "remove"))?;
    }
    Ok(())
}

/// Removes the claimed entries of a folder, except its marker and the entries whose names `keeps` accepts.
pub(crate) fn clear(folder: &Path, claims: &Claims, keeps: impl Fn(&str) -> bool) -> Result<()> {
    for (path, kind) in entries(folder)? {
        let name = written(Path::new(path.file_name().unwrap_or_default()));
        if !keeps(&name) {
            clear_entry(folder, &path, kind, claims)?;
        }
    }
    Ok(())
}

fn clear_entry(whole: &Path, path: &Path, kind: FileType, claims: &Claims) -> Result<()> {
    let name = written(path.strip_prefix(whole).unwrap_or(path));
    if !kind.is_dir() {
        return if claims.covers_file(&name) { fs::remove_file(path).map_err(Error::file(path, "remove")) } else { Ok(()) };
    }
    if claims.covers_tree(&name) {
        return match Marked::read(path)? {
            Some(marked) => {
                refuse_foreign(path, &marked.claims)?;
                remove_claimed(path, &marked.claims)
            }
            None => fs::remove_dir_all(path).map_err(Error::file(path, "remove")),
        };
    }
    for (path, kind) in entries(path)? {
        clear_entry(whole, &path, kind, claims)?;
    }
    match fs::remove_dir(path) {
        // A folder that contains unclaimed files stays.
        Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => Err(Error::file(path, "remove")(error)),
        _ => Ok(()),
    }
}

/// Returns the claims of the existing entries that are claimed: files by their names, and folders with a marker of their own as
/// trees. Families are kept, because more files may follow.
pub(crate) fn settled(folder: &Path, claims: &Claims) -> Result<Claims> {
    let mut found = claims.iter().filter(|claim| matches!(claim, Claim::Family(_))).cloned().collect();
    collect(folder, folder, claims, false, &mut found)?;
    Ok(found)
}

fn collect(whole: &Path, folder: &Path, claims: &Claims, in_tree: bool, found: &mut Claims) -> Result<()> {
    for (path, kind) in entries(folder)? {
        let below = path.strip_prefix(whole).unwrap_or(&path);
        let name = written(below);
        let is_tree = in_tree || (kind.is_dir() && claims.covers_tree(&name));
        if !kind.is_dir() {
            if is_tree || claims.covers_file(&name) {
                found.add(Claim::file(below));
            }
        } else if is_tree && Marked::read(&path)?.is_some() {
            found.add(Claim::tree(below));
        } else {
            collect(whole, &path, claims, is_tree, found)?;
        }
    }
    Ok(())
}

/// Returns the path that a link points to: the checks apply to that folder, and the link stays. Ignores a trailing slash.
///
/// # Errors
/// [`Error::Refused`] for a dangling link, and for an address on another machine.
pub(crate) fn resolved(path: &Path) -> Result<PathBuf> {
    if is_address(path) {
        return Err(Error::refused(path, "only runs on Spark write to other machines; give a path of this machine"));
    }
    let path = &path.components().collect::<PathBuf>();
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Error::refused(path, "it is a link that leads nowhere; remove it, or give another name"),
            _ => Error::file(path, "read")(error),
        }),
        _ => Ok(path.to_path_buf()),
    }
}

/// Whether a path begins like an address, such as `s3a://bucket/folder`. Path libraries merge the two slashes into one.
pub fn is_address(path: &Path) -> bool {
    let Some(Component::Normal(first)) = path.components().next() else { return false };
    let Some(scheme) = first.as_encoded_bytes().strip_suffix(b":") else { return false };
    // A single letter is a Windows drive.
    scheme.len() > 1 && scheme[0].is_ascii_alphabetic() && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

/// Returns the kind with its article, such as `an index of neardup`.
pub(crate) fn article(kind: &str) -> String {
    match kind {
        "index" => "an index of neardup".to_owned(),
        "sweeps" => "a store of sweeps of neardup".to_owned(),
        other => format!("a {other} of neardup"),
    }
}

/// Makes a folder and its parents. Their names are on the disk when this returns. An existing folder is no error.
fn create(folder: &Path) -> Result<()> {
    if folder.is_dir() || folder.as_os_str().is_empty() {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(folder);
    create(parent)?;
    let made = fs::create_dir(folder);
    // Another process may have made the folder meanwhile.
    let made = if folder.is_dir() { sync_folder(parent) } else { made };
    made.map_err(Error::file(folder, "make the folder"))
}

/// Returns the entries of a folder with their types. A link is listed as a link.
fn entries(folder: &Path) -> Result<Vec<(PathBuf, FileType)>> {
    let list =
        || fs::read_dir(folder)?.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))).collect::<io::Result<_>>();
    list().map_err(Error::file(folder, "read"))
}
