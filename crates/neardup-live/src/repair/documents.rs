//! The documents of the segments of a folder, from whichever of their files is as it was written.

use super::damage::{Damage, Lost};
use super::opened::open;
use super::saved::Saved;
use crate::documents::place_columns;
use crate::documents::records::Records;
use crate::documents::row::Row;
use crate::documents::segment::Header;
use crate::storage::file_kind::Kind;
use crate::storage::identity::Identity;
use crate::storage::mended::mended;
use crate::storage::sections::Sections;
use neardup_text::Text;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Of so many damaged texts of a file each is searched for one wrong byte.
const SEARCHED: usize = 16;
const BYTES: &str = "bytes";

/// A document of a segment: what it is, or that it is lost.
pub struct Found {
    /// The number of the step it came with.
    pub serial: u64,
    /// Whether it was written as one that lives no more, which leaves its serial number alone.
    pub is_dead: bool,
    /// The document.
    pub document: Result<Saved, Lost>,
}

/// The documents of a segment, in order, and the files of its texts.
pub struct Documents {
    /// The documents.
    pub found: Vec<Found>,
    /// The names of the files.
    pub texts: Vec<String>,
    /// Whether some of them have no records beside the texts.
    pub lacks_records: bool,
}

/// A file of texts.
struct Filed {
    path: PathBuf,
    /// None where nothing of it can be read.
    sections: Option<Sections>,
    /// How many bytes of texts it has.
    length: u64,
    is_whole: bool,
}

/// The documents of the segment of this name; None where it cannot be told which they are.
pub fn of_segment(dir: &Path, name: &str, index: &Identity, is_shard: bool, damages: &mut Vec<Damage>) -> Option<Documents> {
    let path = dir.join(name);
    let (segment, header) = open(&path, Kind::Segment, |header: &Header| &header.index, index, damages)?;
    let records = whole_records(&segment)?;
    let places = place_columns::read(&segment).ok().filter(|places| places.len() == records.count())?;
    let files: Vec<Filed> = header.texts.iter().map(|texts| Filed::open(dir, texts, index, damages)).collect();
    let lacks_records = files.iter().filter_map(|file| file.sections.as_ref()).any(|sections| !sections.has("serials"));
    Some(Documents { found: collect(&records, &places, &files, is_shard), texts: header.texts, lacks_records })
}

/// The documents whose texts stand in the file of this name, by the records there; None where there are none, or wrong ones.
pub fn of_texts(dir: &Path, name: &str, index: &Identity, is_shard: bool, damages: &mut Vec<Damage>) -> Option<Vec<Found>> {
    let file = Filed::open(dir, name, index, damages);
    let sections = file.sections.as_ref()?;
    let (records, places) = (whole_records(sections)?, place_columns::read(sections).ok()?);
    (places.len() == records.count()).then(|| collect(&records, &places, std::slice::from_ref(&file), is_shard))
}

/// The records of a file, when all of them are as they were written.
fn whole_records(sections: &Sections) -> Option<Records> {
    let is_whole = Records::sections().chain(place_columns::sections()).all(|name| sections.is_whole(&name));
    if is_whole { Records::open(sections).ok() } else { None }
}

impl Filed {
    fn open(dir: &Path, name: &str, index: &Identity, damages: &mut Vec<Damage>) -> Filed {
        let path = dir.join(name);
        let sections = open(&path, Kind::Texts, |header: &Identity| header, index, damages).map(|(sections, _)| sections);
        let length = sections.as_ref().and_then(|sections| sections.get::<u8>(BYTES).ok()).map_or(0, |bytes| bytes.len() as u64);
        let is_whole = sections.as_ref().is_some_and(|sections| sections.is_whole(BYTES));
        Filed { path, sections, length, is_whole }
    }
}

/// The documents of these records, whose texts stand at these places of these files.
fn collect(records: &Records, places: &[Range<u64>], files: &[Filed], is_shard: bool) -> Vec<Found> {
    let mut tries = SEARCHED;
    let mut found = |document: usize, place: &Range<u64>| {
        let record = records.row(document);
        let is_blank = record.raw == Text::Plain(b"").digest();
        let is_elsewhere = place.is_empty() && !is_blank;
        let saved = match () {
            () if is_blank => Saved::mended(&record, String::new()).ok_or_else(PathBuf::new),
            () if is_elsewhere => Saved::elsewhere(&record).ok_or_else(PathBuf::new),
            () => text(&record, place, files, &mut tries).map_err(Path::to_path_buf),
        };
        let name = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned()).filter(|name| !name.is_empty());
        let lost = |file| Lost {
            serial: Some(record.serial),
            id: name(record.id),
            url: name(record.url),
            file,
            raw: Some(record.raw),
            arrived: Some(record.arrived),
        };
        Found { serial: record.serial, is_dead: is_elsewhere && !is_shard, document: saved.map_err(lost) }
    };
    places.iter().enumerate().map(|(document, place)| found(document, place)).collect()
}

/// The document of a record; else the file that has lost its text.
fn text<'f>(record: &Row<'_>, place: &Range<u64>, files: &'f [Filed], tries: &mut usize) -> Result<Saved, &'f Path> {
    let mut begin = 0;
    let holder = files.iter().find_map(|file| {
        let start = begin;
        begin += file.length;
        (place.start < begin).then_some((file, start))
    });
    // Behind the end of all stand the texts of a file that cannot be read.
    let Some((file, start)) = holder else { return Err(files.last().map_or(Path::new(""), |file| &file.path)) };
    let lost = || Err(file.path.as_path());
    let Some(sections) = &file.sections else { return lost() };
    let within = sections.get::<u8>(BYTES).ok().and_then(|bytes| {
        let range = (place.start.checked_sub(start)?) as usize..(place.end.checked_sub(start)?) as usize;
        bytes.get(range.clone()).map(|text| (text, range))
    });
    let offset = sections.offset(BYTES).unwrap_or_default();
    let Some((bytes, range)) = within else { return lost() };
    let is_right = |text: &[u8]| Text::Plain(text).digest() == record.raw;
    if file.is_whole || is_right(bytes) {
        return Saved::filed(record, sections, offset + range.start..offset + range.end).ok_or(&file.path);
    }
    let Some(left) = tries.checked_sub(1) else { return lost() };
    *tries = left;
    let found = mended(bytes, 0..bytes.len(), |text| is_right(text).then(|| String::from_utf8(text.to_vec()).ok()).flatten());
    found.and_then(|text| Saved::mended(record, text)).ok_or(&file.path)
}
