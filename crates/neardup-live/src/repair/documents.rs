//! The documents of the segments of a folder, from those of their files that are undamaged.

use super::damage::{Damage, LostDocument};
use super::opened::open;
use super::saved_document::SavedDocument;
use super::text_file::{TextFile, whole_records};
use crate::documents::place_columns;
use crate::documents::records::DocumentRecords;
use crate::documents::row::DocumentRow;
use crate::documents::segment::SegmentHeader;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::mended::mended;
use neardup_text::Text;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::slice;

/// Maximum number of damaged texts that are searched for one wrong byte, for each segment or file of texts.
const SEARCHED: usize = 16;

/// A document of a segment, which may be lost.
pub struct FoundDocument {
    /// Number of the step that added it.
    pub serial: u64,
    /// Whether it was written as a dead document, of which no id, URL and text remain.
    pub is_dead: bool,
    /// The document.
    pub document: Result<SavedDocument, LostDocument>,
}

/// The documents of a segment, in order, and its files of texts.
pub struct Documents {
    /// The documents.
    pub found: Vec<FoundDocument>,
    /// The names of the files of texts.
    pub texts: Vec<String>,
    /// Whether some documents have no records beside their texts.
    pub lacks_records: bool,
}

/// Returns the documents of the segment `name`; `None` if they are unknown.
pub fn of_segment(dir: &Path, name: &str, index: &Identity, is_shard: bool, damages: &mut Vec<Damage>) -> Option<Documents> {
    let path = dir.join(name);
    let (segment, header) = open(&path, FileKind::Segment, |header: &SegmentHeader| &header.index, index, damages)?;
    let records = whole_records(&segment)?;
    let places = place_columns::read(&segment).ok().filter(|places| places.len() == records.count())?;
    let files: Vec<TextFile> = header.texts.iter().map(|texts| TextFile::open(dir, texts, index, damages)).collect();
    let lacks_records = files.iter().any(TextFile::lacks_records);
    Some(Documents { found: collect(&records, &places, &files, is_shard), texts: header.texts, lacks_records })
}

/// Returns the documents whose texts are in the file `name`, by the records there; `None` if it has no records or wrong ones.
pub fn of_texts(dir: &Path, name: &str, index: &Identity, is_shard: bool, damages: &mut Vec<Damage>) -> Option<Vec<FoundDocument>> {
    let file = TextFile::open(dir, name, index, damages);
    let (records, places) = file.records()?;
    Some(collect(&records, &places, slice::from_ref(&file), is_shard))
}

/// Returns the documents of these records, with their texts from `places` in `files`.
fn collect(records: &DocumentRecords, places: &[Range<u64>], files: &[TextFile], is_shard: bool) -> Vec<FoundDocument> {
    let mut tries = SEARCHED;
    let begins = begins(records, places, files);
    let mut found = |document: usize, place: &Range<u64>| {
        let record = records.row(document);
        let is_blank = record.raw == Text::Plain(b"").digest();
        let is_elsewhere = place.is_empty() && !is_blank;
        let saved = match () {
            () if is_blank => SavedDocument::mended(&record, String::new()).ok_or_else(PathBuf::new),
            () if is_elsewhere => SavedDocument::elsewhere(&record).ok_or_else(PathBuf::new),
            () => text(&record, place, files, &begins, &mut tries).map_err(Path::to_path_buf),
        };
        let name = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned()).filter(|name| !name.is_empty());
        let lost = |file| LostDocument {
            serial: Some(record.serial),
            id: name(record.id),
            url: name(record.url),
            file,
            raw: Some(record.raw),
            arrived: Some(record.arrived),
        };
        FoundDocument { serial: record.serial, is_dead: is_elsewhere && !is_shard, document: saved.map_err(lost) }
    };
    places.iter().enumerate().map(|(document, place)| found(document, place)).collect()
}

/// Returns the start of each file in the concatenation of all files; `None` if it is unknown. The length of an unreadable file is
/// unknown, so the start of the next file is found by its records, or by the first text in it.
fn begins(records: &DocumentRecords, places: &[Range<u64>], files: &[TextFile]) -> Vec<Option<u64>> {
    let stored = || records.serials().iter().zip(places).filter(|(_, place)| !place.is_empty());
    let by_records =
        |file: &TextFile| stored().find_map(|(&serial, place)| file.own(serial).and_then(|own| place.start.checked_sub(own.start)));
    let by_text = |file: &TextFile| {
        let bytes = file.bytes()?;
        let is_first = |document: usize| {
            let text = bytes.get(..(places[document].end - places[document].start) as usize);
            !places[document].is_empty() && text.is_some_and(|text| Text::Plain(text).digest() == records.row(document).raw)
        };
        (0..places.len()).find(|&document| is_first(document)).map(|document| places[document].start)
    };
    let mut begins: Vec<Option<u64>> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let behind = || Some(begins[number - 1]? + files[number - 1].length()?);
        let begin = if number == 0 { Some(0) } else { by_records(file).or_else(behind).or_else(|| by_text(file)) };
        begins.push(begin);
    }
    begins
}

/// Returns the document of a record, or the path of the file that lost its text. A text must have the digest in the record.
fn text<'f>(
    record: &DocumentRow<'_>,
    place: &Range<u64>,
    files: &'f [TextFile],
    begins: &[Option<u64>],
    tries: &mut usize,
) -> Result<SavedDocument, &'f Path> {
    let by_records = files.iter().find_map(|file| Some((file, file.own(record.serial)?)));
    let by_place = || {
        let holder = files.iter().zip(begins).rev().find(|(_, begin)| begin.is_some_and(|begin| begin <= place.start));
        holder.and_then(|(file, begin)| Some((file, place.start - (*begin)?..place.end - (*begin)?)))
    };
    let is_right = |text: &[u8]| Text::Plain(text).digest() == record.raw;
    let holder = by_records.or_else(by_place);
    let found = holder.as_ref().and_then(|(file, range)| Some((*file, file.text(range)?)));
    if let Some((file, bytes)) = found {
        if is_right(bytes) {
            return file.saved(record, bytes).ok_or(&file.path);
        }
        if !file.is_whole
            && let Some(left) = tries.checked_sub(1)
        {
            *tries = left;
            let mend = |text: &[u8]| is_right(text).then(|| String::from_utf8(text.to_vec()).ok()).flatten();
            if let Some(saved) = mended(bytes, 0..bytes.len(), mend).and_then(|text| SavedDocument::mended(record, text)) {
                return Ok(saved);
            }
        }
    }
    // If the file that contained the text is unknown, names one of which nothing is left.
    let gone = files.iter().find(|file| file.bytes().is_none());
    let known = holder.map(|(file, _)| file).filter(|file| !file.is_whole);
    Err(known.or(gone).or(files.last()).map_or(Path::new(""), |file| &file.path))
}
