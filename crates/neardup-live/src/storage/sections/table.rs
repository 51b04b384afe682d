//! The table of sections, and the footer that contains its place.

use super::ALIGNMENT;
use crate::storage::head::FileHead;
use crate::storage::mended::mended;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Offset and length of the table, u64 each, and a checksum.
const FOOTER: usize = 8 + 8 + 32;

/// Number of bytes at the end of a file that are searched for a wrong byte.
const MENDED: usize = 1 << 17;

/// The places of the sections of a file.
#[derive(Debug)]
pub(super) struct SectionTable {
    pub sections: Vec<Section>,
    /// Offset of the table itself, after the last section.
    offset: u64,
}

/// One section.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Section {
    pub name: String,
    /// Size of a value, in bytes.
    pub width: u64,
    pub offset: u64,
    /// Length in bytes.
    pub length: u64,
    /// BLAKE3 of its bytes.
    pub check: String,
}

impl Section {
    pub fn range(&self) -> Range<usize> {
        self.offset as usize..(self.offset + self.length) as usize
    }
}

impl SectionTable {
    /// Returns the bytes of table and footer. The head and `sections` take the first `offset` bytes of the file.
    pub fn bytes(head: &[u8; 32], sections: &[Section], offset: u64) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(sections)?;
        let place = place(offset, bytes.len() as u64);
        let check = check(head, &bytes, &place);
        bytes.extend(place);
        bytes.extend(check);
        Ok(bytes)
    }

    /// Reads the table at the end of a file. The error describes what is wrong with it.
    pub fn read(head: &FileHead, file: &[u8]) -> Result<SectionTable, String> {
        SectionTable::read_tail(head, file, 0)
    }

    /// Does the same with `tail`, the bytes of the file from `start` on.
    fn read_tail(head: &FileHead, tail: &[u8], start: u64) -> Result<SectionTable, String> {
        let (before, footer) = tail.split_last_chunk::<FOOTER>().ok_or("it ends too early")?;
        let (written_place, written_check) = footer.split_at(16);
        let [offset, length]: [u64; 2] = bytemuck::pod_read_unaligned(written_place);
        if offset < head.length.max(start) || offset.checked_add(length) != Some(start + before.len() as u64) {
            return Err("its footer is wrong, or it ends too early".to_owned());
        }
        let table = &before[(offset - start) as usize..];
        if check(&head.check, table, &place(offset, length)) != written_check {
            return Err("the checksum of its table of sections is wrong".to_owned());
        }
        let sections = serde_json::from_slice(table).map_err(|error| format!("its table of sections cannot be read: {error}"))?;
        let table = SectionTable { sections, offset };
        table.is_in_order(head).then_some(table).ok_or_else(|| "its table of sections is not in order".to_owned())
    }

    /// Reads the table of a file as [`SectionTable::read`] does, even if one byte of the table or of the footer is wrong.
    pub fn mend(head: &FileHead, file: &[u8]) -> Option<SectionTable> {
        let start = file.len().saturating_sub(MENDED);
        let (tail, table) = (&file[start..], |tail: &[u8]| SectionTable::read_tail(head, tail, start as u64).ok());
        let footer = tail.len().checked_sub(FOOTER)?;
        let [offset, _]: [u64; 2] = bytemuck::pod_read_unaligned(&tail[footer..footer + 16]);
        let of_table = || Some(usize::try_from(offset).ok()?.checked_sub(start)?..footer);
        table(tail).or_else(|| mended(tail, footer..tail.len(), table)).or_else(|| mended(tail, of_table()?, table))
    }

    /// Whether the sections follow each other in order, with nothing but alignment between them.
    fn is_in_order(&self, head: &FileHead) -> bool {
        let end = self.sections.iter().try_fold(head.length, |end, section| {
            let fits =
                end.checked_next_multiple_of(ALIGNMENT) == Some(section.offset) && section.length.checked_rem(section.width) == Some(0);
            fits.then(|| section.offset.checked_add(section.length)).flatten()
        });
        end.and_then(|end| end.checked_next_multiple_of(ALIGNMENT)) == Some(self.offset)
    }

    /// Returns the ranges of bytes between head, sections and table.
    pub fn gaps(&self, head: &FileHead) -> impl Iterator<Item = Range<usize>> {
        let ends = std::iter::once(head.length).chain(self.sections.iter().map(|section| section.offset + section.length));
        ends.map(|end| end as usize..end.next_multiple_of(ALIGNMENT) as usize)
    }
}

fn place(offset: u64, length: u64) -> [u8; 16] {
    bytemuck::cast([offset, length])
}

fn check(head: &[u8; 32], table: &[u8], place: &[u8; 16]) -> [u8; 32] {
    *blake3::Hasher::new().update(head).update(table).update(place).finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn section(width: u64, offset: u64, length: u64) -> Section {
        Section { name: "a".to_owned(), width, offset, length, check: String::new() }
    }

    /// Reads a table at the end of a file in which `room` bytes precede it. All checksums are right.
    fn read(sections: &[Section], room: u64) -> Result<SectionTable, String> {
        let path = Path::new("segment-000001");
        let mut file = FileHead::bytes(path, "segment", &"").unwrap();
        let head = FileHead::read(path, "segment", &mut &file[..]).unwrap();
        file.resize(room as usize, 0);
        file.extend(SectionTable::bytes(&head.check, sections, room).unwrap());
        SectionTable::read(&head, &file)
    }

    #[test]
    fn sections_lie_one_behind_the_other() {
        assert!(read(&[section(8, 128, 16), section(1, 192, 1)], 256).is_ok());
        assert!(read(&[], 128).is_ok());
        let wrong: [&[Section]; 9] = [
            &[section(8, 128, 16)],
            &[section(8, 128, 16), section(1, 128, 1)],
            &[section(8, 64, 16), section(1, 192, 1)],
            &[section(8, 129, 16), section(1, 192, 1)],
            &[section(0, 128, 16), section(1, 192, 1)],
            &[section(8, 128, 12), section(1, 192, 1)],
            &[section(8, 128, 16), section(1, 192, 65)],
            &[section(8, 128, 16), section(1, 192, u64::MAX)],
            &[section(8, 128, u64::MAX - 135), section(1, 192, 1)],
        ];
        for sections in wrong {
            assert_eq!(read(sections, 256).unwrap_err(), "its table of sections is not in order", "{sections:?}");
        }
    }
}
