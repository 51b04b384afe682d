//! The log in use: its writer and readers read the committed records in order, from the first record or a later one.

use neardup_live::Error;
use neardup_live::storage::log::{Log, LogReader, Replay};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

type Records = Vec<(u64, Vec<u8>)>;

fn all(replay: Replay<'_>) -> Records {
    replay.map(Result::unwrap).collect()
}

fn log_in(folder: &Path) -> PathBuf {
    folder.join("log-000003")
}

#[derive(Clone, Debug)]
enum Step {
    Append(Vec<u8>),
    Commit,
    Open,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Step::Append),
        2 => Just(Step::Commit),
        1 => Just(Step::Open),
    ]
}

proptest! {
    #[test]
    fn a_log_behaves_like_a_list_of_records(steps in prop::collection::vec(step(), 0..40)) {
        let folder = tempfile::tempdir().unwrap();
        let path = log_in(folder.path());
        let mut log = Log::create(&path, &"words").unwrap();
        let mut reader = LogReader::open(&path).unwrap();
        let (mut committed, mut pending): (Records, Records) = Default::default();
        for step in steps {
            match step {
                Step::Append(payload) => pending.push((log.append(&payload).unwrap(), payload)),
                Step::Commit => {
                    log.commit().unwrap();
                    committed.append(&mut pending);
                }
                Step::Open => {
                    log = Log::open(&path).unwrap();
                    pending.clear();
                }
            }
            prop_assert_eq!(&all(log.read(0)), &committed);
            prop_assert_eq!(reader.refresh().unwrap(), log.committed());
            prop_assert_eq!(&all(reader.read(0)), &committed);
        }
        for (index, (offset, _)) in committed.iter().enumerate() {
            prop_assert_eq!(&all(log.read(*offset)), &committed[index..]);
            prop_assert_eq!(&all(reader.read(*offset)), &committed[index..]);
        }
        prop_assert_eq!(reader.header::<String>().unwrap(), "words");
    }
}

#[test]
fn offsets_that_are_not_of_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(folder.path());
    let mut log = Log::create(&path, &()).unwrap();
    let first = log.append(b"a").unwrap();
    let second = log.append(b"bcd").unwrap();
    assert_eq!(log.read(first).count(), 0, "it is not committed yet");
    log.commit().unwrap();
    for offset in (0..log.committed() + 9).chain([u64::MAX - 9, u64::MAX]) {
        let is_one = offset == first || offset == second;
        let replay = log.read(offset).collect::<Result<Vec<_>, _>>();
        assert_eq!(replay.is_ok(), is_one || offset >= log.committed(), "{offset}");
    }
}

#[test]
fn a_renamed_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(folder.path());
    drop(Log::create(&path, &()).unwrap());
    let renamed = folder.path().join("log-000004");
    fs::rename(&path, &renamed).unwrap();
    for error in [Log::open(&renamed).unwrap_err(), LogReader::open(&renamed).unwrap_err()] {
        assert!(error.to_string().contains("it was written as log-000003, a log"), "{error}");
    }
    assert!(matches!(Log::open(&path).unwrap_err(), Error::File { doing: "open", .. }));
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_made_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("log-000003.partial")).unwrap();
    let error = Log::create(&log_in(folder.path()), &()).unwrap_err().to_string();
    assert!(error.contains("log-000003: cannot write: No space left"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn readers_follow_a_writer() {
    const RECORDS: u64 = 1000;
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(folder.path());
    let mut log = Log::create(&path, &()).unwrap();
    let payload = |number: u64| number.to_string().repeat(1 + number as usize % 50).into_bytes();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut reader = LogReader::open(&path).unwrap();
                let (mut next, mut number) = (0, 0);
                while number < RECORDS {
                    let committed = reader.refresh().unwrap();
                    assert!(committed >= next);
                    for record in reader.read(next) {
                        assert_eq!(record.unwrap().1, payload(number));
                        number += 1;
                    }
                    next = committed;
                }
            });
        }
        for number in 0..RECORDS {
            log.append(&payload(number)).unwrap();
            if number % 7 < 3 || number + 1 == RECORDS {
                log.commit().unwrap();
            }
        }
    });
}
