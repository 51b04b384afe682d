//! Which folders are neardup's: those with its marker. Nothing else is ever replaced or removed, and links are not followed.

use crate::claims::{Claim, Claims, written};
use crate::durable::{sync_file, sync_folder};
use crate::marker::{self, MARKER, Marked, Marker, is_marker};
use crate::{Error, Result};
use std::fs::{self, FileType};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// How the name of a folder ends while it is made, and while a new one takes its place.
pub(crate) const PARTIAL: &str = ".partial";
pub(crate) const REPLACED: &str = ".replaced";
/// How many names an error lists.
const LISTED: usize = 5;

/// Whose a place is.
#[derive(Debug)]
pub(crate) enum Owner {
    /// Free: nothing is there, or an empty folder.
    Nobody,
    /// neardup's.
    Neardup(Marked),
    /// Of another program.
    Other,
}

/// The owner of the place. A link there belongs to another program: a caller that may follow it resolves it before.
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
    // A marker without its first line is all that a kill can leave without a marker.
    if entries(place)?.iter().all(|(path, kind)| kind.is_file() && path.file_name().is_some_and(is_marker)) {
        return Ok(Owner::Nobody);
    }
    // Another process may have taken it between the two looks: its marker was there before its files.
    Ok(Marked::read(place)?.map_or(Owner::Other, Owner::Neardup))
}

/// What the marker of a folder says that it is; None for a folder that neardup did not make.
pub fn kind(folder: &Path) -> Result<Option<String>> {
    Ok(Marked::read(folder)?.map(|marked| marked.kind))
}

/// Takes a folder for `kind`: one that is not there yet, is empty, or is one of that kind. `claims` are what will be written
/// there. The folder, those above it and the marker are on the disk when this returns.
///
/// # Errors
/// [`Error::Refused`] for every other folder.
pub fn take(folder: &Path, kind: &str, claims: impl IntoIterator<Item = Claim>) -> Result<()> {
    if matches!(owner(&resolved(folder)?)?, Owner::Other) {
        return Err(Error::refused(folder, "it is not empty, and neardup did not make it; give another folder"));
    }
    create(folder)?;
    adopt(folder, kind, claims)
}

/// Gives a folder that is known to be neardup's a marker, or its marker what it lacks of `claims`. The marker is on the disk when
/// this returns.
///
/// # Errors
/// [`Error::Refused`] for a folder of another kind.
pub fn adopt(folder: &Path, kind: &str, claims: impl IntoIterator<Item = Claim>) -> Result<()> {
    let claims: Vec<Claim> = claims.into_iter().collect();
    marker::put(folder, &Marked { claims: claims.iter().cloned().collect(), ..Marked::new(kind) })?;
    // Another process, or one before, may have put its own there.
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

/// Removes a folder of neardup with all that it holds.
///
/// # Errors
/// [`Error::Refused`] when neardup did not make it, or another program put files into it; nothing is removed then.
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

/// Refuses inputs that an output would replace: those that are the output or what is beside it while it is made, or are in
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

/// The place beside a folder whose name ends with `end`; None for what has no name.
pub(crate) fn beside(place: &Path, end: &str) -> Option<PathBuf> {
    let mut name = place.file_name()?.to_os_string();
    name.push(end);
    Some(place.with_file_name(name))
}

/// Refuses a folder of neardup into which another program put files.
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

/// Refuses what [`refuse_foreign`] does, by the folder's own marker, where there is one.
pub(crate) fn refuse_foreign_in(folder: &Path) -> Result<()> {
    Marked::read(folder)?.map_or(Ok(()), |marked| refuse_foreign(folder, &marked.claims))
}

/// Collects what is in `folder`, a part of the owned folder `whole`, and is not claimed: files by their names, and folders that
/// are marked by themselves with what they are.
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
            // What is marked by itself knows best.
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

/// Removes what is claimed of a folder, its marker last, and the folder.
pub(crate) fn remove_claimed(folder: &Path, claims: &Claims) -> Result<()> {
    clear(folder, claims, |_| false)?;
    for (path, _) in entries(folder)? {
        if path.file_name().is_some_and(is_marker) {
            fs::remove_file(&path).map_err(Error::file(&path, "remove"))?;
        }
    }
    fs::remove_dir(folder).map_err(Error::file(folder, "remove"))
}

/// Removes what is claimed of a folder, except its marker and what is to be kept, by its name there.
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
        // What is not claimed keeps its folder.
        Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => Err(Error::file(path, "remove")(error)),
        _ => Ok(()),
    }
}

/// The claims of what is in a folder and is claimed: files by their names, and trees that are marked by themselves; and families,
/// of which more may come.
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

/// Where a path leads when it is a link; the folder there is judged, and the link stays. A slash behind the name changes nothing.
///
/// # Errors
/// [`Error::Refused`] for a link that leads nowhere, and for an address of another machine.
pub(crate) fn resolved(path: &Path) -> Result<PathBuf> {
    if is_address(path) {
        return Err(Error::refused(path, "neardup writes to this machine; give a path of it"));
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

/// Whether a path begins like an address, such as `s3a://bucket/folder`. Libraries of paths make one slash of the two.
fn is_address(path: &Path) -> bool {
    let Some(Component::Normal(first)) = path.components().next() else { return false };
    let Some(scheme) = first.as_encoded_bytes().strip_suffix(b":") else { return false };
    // A single letter is a drive.
    scheme.len() > 1 && scheme[0].is_ascii_alphabetic() && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
}

/// `an index`, `a result`.
pub(crate) fn article(kind: &str) -> String {
    match kind {
        "index" => "an index of neardup".to_owned(),
        "sweeps" => "a store of sweeps of neardup".to_owned(),
        other => format!("a {other} of neardup"),
    }
}

/// Makes a folder and those above it; their names are on the disk when this returns. One that is there is fine.
fn create(folder: &Path) -> Result<()> {
    if folder.is_dir() || folder.as_os_str().is_empty() {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(folder);
    create(parent)?;
    let made = fs::create_dir(folder);
    // Another process may have made it meanwhile.
    let made = if folder.is_dir() { sync_folder(parent) } else { made };
    made.map_err(Error::file(folder, "make the folder"))
}

/// What a folder holds, with what each is: a link is a link.
fn entries(folder: &Path) -> Result<Vec<(PathBuf, FileType)>> {
    let list =
        || fs::read_dir(folder)?.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))).collect::<io::Result<_>>();
    list().map_err(Error::file(folder, "read"))
}
