//! The log after an interruption at any point, and after damage: no committed record is lost or wrong without an error.

use neardup_live::storage::log::{Log, LogReader};
use neardup_live::{Error, Result};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

type Records = Vec<(u64, Vec<u8>)>;

/// A log of three commits, with its bytes after each commit; the empty log comes first.
struct Fixture {
    _folder: TempDir,
    path: PathBuf,
    records: Records,
    images: Vec<Vec<u8>>,
    /// The committed length after each commit.
    committed: Vec<u64>,
}

impl Fixture {
    fn new(header: &str) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log-000000");
        let mut log = Log::create(&path, &header).unwrap();
        let (mut records, mut committed) = (Vec::new(), vec![0]);
        let mut images = vec![fs::read(&path).unwrap()];
        for commit in [&["the heron", "", "stands still"][..], &["in shallow water"], &["and waits", "for evening"]] {
            for &text in commit {
                records.push((log.append(text.as_bytes()).unwrap(), text.into()));
            }
            log.commit().unwrap();
            committed.push(log.committed());
            images.push(fs::read(&path).unwrap());
        }
        Fixture { _folder: folder, path, records, images, committed }
    }

    fn whole(&self) -> &[u8] {
        &self.images[3]
    }

    /// Returns the place of the first record in the file.
    fn begin(&self) -> usize {
        self.images[0].len()
    }

    /// Returns the places of the slots.
    fn slots(&self) -> [usize; 2] {
        [self.begin() - 8192, self.begin() - 4096]
    }

    /// Returns the records that end at or before `end`.
    fn until(&self, end: u64) -> &[(u64, Vec<u8>)] {
        let count = self.records.iter().filter(|(offset, payload)| offset + 16 + payload.len() as u64 <= end).count();
        &self.records[..count]
    }

    /// Writes an image to the file; in place, which is faster for many thousand images.
    fn put(&self, image: &[u8]) {
        let file = File::options().write(true).open(&self.path).unwrap();
        file.write_all_at(image, 0).unwrap();
        file.set_len(image.len() as u64).unwrap();
    }

    fn read(&self, image: &[u8]) -> Result<Records> {
        self.put(image);
        LogReader::open(&self.path).and_then(|log| log.read(0).collect())
    }

    fn open(&self, image: &[u8]) -> Result<Records> {
        self.put(image);
        Log::open(&self.path).and_then(|log| log.read(0).collect())
    }

    /// Opens an image for writing, and checks that it contains `expected` and can be continued.
    fn check_continues(&self, image: &[u8], expected: &[(u64, Vec<u8>)]) {
        assert_eq!(self.open(image).unwrap(), expected);
        let mut log = Log::open(&self.path).unwrap();
        let more = (log.append(b"until it is dark").unwrap(), b"until it is dark".to_vec());
        log.commit().unwrap();
        let after = [expected, &[more]].concat();
        assert_eq!(LogReader::open(&self.path).unwrap().read(0).collect::<Result<Records>>().unwrap(), after);
        assert_eq!(Log::open(&self.path).unwrap().read(0).collect::<Result<Records>>().unwrap(), after);
    }
}

fn changed(image: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut image = image.to_vec();
    image[at..at + bytes.len()].copy_from_slice(bytes);
    image
}

fn is_damage_of(error: &Error, path: &Path) -> bool {
    matches!(error, Error::Damaged { .. } | Error::Format { .. }) && error.to_string().starts_with(&path.display().to_string())
}

#[test]
fn a_flipped_byte_is_found_or_harmless() {
    let log = Fixture::new("words");
    for (at, &byte) in log.whole().iter().enumerate() {
        let is_slot = log.slots().iter().any(|&slot| (slot..slot + 24).contains(&at));
        for mask in [0x01, 0x80, 0xff] {
            let image = changed(log.whole(), at, &[byte ^ mask]);
            for found in [log.read(&image), log.open(&image)] {
                match found {
                    // If the newer slot is damaged, the records after the length in the older one determine the length.
                    Ok(records) => assert!(records == log.records && is_slot, "byte {at} ^ {mask:#x}"),
                    Err(error) => assert!(is_damage_of(&error, &log.path), "{error}"),
                }
            }
        }
    }
}

#[test]
fn an_error_names_the_byte() {
    let log = Fixture::new("words");
    for (index, (offset, payload)) in log.records.iter().enumerate() {
        let at = log.begin() + *offset as usize;
        let fields = [at, at + 4, at + 8, at + 15].into_iter().chain((!payload.is_empty()).then_some(at + 16));
        for field in fields {
            let image = changed(log.whole(), field, &[log.whole()[field] ^ 4]);
            log.put(&image);
            let reader = LogReader::open(&log.path).unwrap();
            let found: Vec<_> = reader.read(0).collect();
            // The records before the damage are read, and none after it.
            assert_eq!(found.len(), index + 1);
            assert!(found.iter().take(index).zip(&log.records).all(|(found, record)| found.as_ref().unwrap() == record));
            let error = found[index].as_ref().unwrap_err().to_string();
            assert!(error.contains(&format!("log-000000: damaged: the record at byte {at} ")), "{error}");
        }
    }
}

#[test]
fn a_file_that_is_too_short_is_an_error() {
    let log = Fixture::new("words");
    for length in 0..log.whole().len() {
        for found in [log.read(&log.whole()[..length]), log.open(&log.whole()[..length])] {
            let error = found.unwrap_err();
            assert!(is_damage_of(&error, &log.path) && error.to_string().contains(" ends "), "{length} bytes: {error}");
        }
    }
}

#[test]
fn a_commit_may_be_interrupted_anywhere() {
    let log = Fixture::new("words");
    for commit in 0..3 {
        // Records of the next commits were written, but no slot counts them yet. The file ends anywhere, or its rest never
        // reached the disk.
        let acknowledged = &log.images[commit];
        let tail = &log.whole()[acknowledged.len()..];
        for length in 0..=tail.len() {
            let end = log.committed[commit] + length as u64;
            for rest in [0, 1, 5000] {
                let image = [acknowledged, &tail[..length], &vec![0; rest][..]].concat();
                assert_eq!(log.read(&image).unwrap(), log.until(log.committed[commit]), "a reader trusts the slot");
                log.check_continues(&image, log.until(end));
            }
            if length < tail.len() {
                let image = [acknowledged, &tail[..length], &[!tail[length]], &tail[length + 1..]].concat();
                log.check_continues(&image, log.until(end));
            }
        }
    }
}

#[test]
fn a_slot_may_be_torn() {
    let log = Fixture::new("words");
    for commit in 1..=3 {
        let (before, after) = (&log.images[commit - 1], &log.images[commit]);
        let at = log.slots().into_iter().find(|&at| before[at..at + 24] != after[at..at + 24]).unwrap();
        for torn in 0..=24 {
            // The first bytes of the new slot replace the old ones, or the last bytes do.
            for place in [at..at + torn, at + torn..at + 24] {
                let mut image = after.clone();
                image[at..at + 24].copy_from_slice(&before[at..at + 24]);
                image[place.clone()].copy_from_slice(&after[place]);
                let records = log.until(log.committed[commit]);
                let read = log.read(&image).unwrap();
                assert!(read == records || read == log.until(log.committed[commit - 1]), "a commit is read as a whole or not at all");
                log.check_continues(&image, records);
            }
            // The whole sector is lost.
            log.check_continues(&changed(after, at, &[0xff; 4096]), log.until(log.committed[commit]));
        }
    }
}

#[test]
fn without_slots_there_is_no_log() {
    let log = Fixture::new("words");
    let [first, second] = log.slots();
    let image = changed(&changed(log.whole(), first, &[1]), second, &[1]);
    let image = changed(&changed(&image, first + 8, &[9]), second + 8, &[9]);
    for found in [log.read(&image), log.open(&image)] {
        let error = found.unwrap_err().to_string();
        assert!(error.contains("log-000000: damaged: ") && error.contains(&format!("at bytes {first} and {second}")), "{error}");
    }
}

#[test]
fn a_slot_that_was_not_torn_by_a_commit_is_damage() {
    let log = Fixture::new("words");
    for image in &log.images {
        let newest = log.slots().into_iter().max_by_key(|&at| image[at]).unwrap();
        let older = log.slots().into_iter().find(|&at| at != newest).unwrap();
        // No bytes follow the length in the newest slot, so no commit can have been writing the other slot.
        let error = log.open(&changed(image, older, &[0xee])).unwrap_err().to_string();
        assert!(error.contains(&format!("the slot of its length at byte {older} is wrong")), "{error}");
    }
}

#[test]
fn records_of_another_log_are_not_read() {
    let (log, other) = (Fixture::new("words"), Fixture::new("chars"));
    assert_eq!(log.begin(), other.begin());
    let end = log.images[1].len();
    let tail = &other.whole()[end..];
    assert!(tail.len() > 16 && tail[..4] == log.whole()[end..][..4]);
    log.check_continues(&[&log.images[1], tail].concat(), log.until(log.committed[1]));
    let error = log.read(&changed(log.whole(), end, tail)).unwrap_err().to_string();
    assert!(error.contains(&format!("the record at byte {end} does not begin as it was written")), "{error}");
}
