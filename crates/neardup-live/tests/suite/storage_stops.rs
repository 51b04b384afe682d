//! A killed writer, and a writer on a full disk: each is a child process, started by the test after it.

use crate::children::{given, lines, say, start};
use neardup_live::Error;
use neardup_live::storage::lock::Lock;
use neardup_live::storage::log::{Log, LogReader};
use std::fs;

fn payload(number: u64) -> Vec<u8> {
    format!("{number} ").repeat(1 + number as usize % 90).into_bytes()
}

fn payloads(log: &LogReader) -> Vec<Vec<u8>> {
    log.read(0).map(|record| record.unwrap().1).collect()
}

#[test]
#[ignore = "started by the test below"]
fn writer_to_be_killed() {
    let Some((folder, _)) = given() else { return };
    let _lock = Lock::wait(&folder).unwrap();
    let mut log = Log::open(&folder.join("log-000000")).unwrap();
    let there = log.read(0).count() as u64;
    for number in there.. {
        log.append(&payload(number)).unwrap();
        if number % 3 > 0 {
            log.commit().unwrap();
            say(number);
        }
    }
}

#[test]
fn a_killed_writer_loses_no_acknowledged_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log-000000");
    drop(Log::create(&path, &()).unwrap());
    let mut there = 0;
    for round in 1..=4 {
        let mut child = start("", "storage_stops::writer_to_be_killed", folder.path(), 0);
        let mut messages = lines(&mut child);
        let mut last: u64 = messages.by_ref().nth(round * 60).unwrap().parse().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        last = messages.last().map_or(last, |number| number.parse().unwrap_or(last));

        let _lock = Lock::wait(folder.path()).unwrap();
        drop(Log::open(&path).unwrap());
        let found = payloads(&LogReader::open(&path).unwrap());
        assert!(found.len() as u64 > last && last >= there, "{} records, {last} acknowledged", found.len());
        assert!(found.iter().zip(0..).all(|(found, number)| *found == payload(number)));
        there = found.len() as u64;
    }
}

#[test]
#[ignore = "started by the test below"]
fn writer_on_a_full_disk() {
    let Some((folder, _)) = given() else { return };
    let path = folder.join("log-000000");
    let mut log = Log::create(&path, &()).unwrap();
    let (mut number, mut acknowledged) = (0, 0);
    let error = loop {
        for _ in 0..10 {
            log.append(&payload(number)).unwrap();
            number += 1;
        }
        match log.commit() {
            Ok(()) => acknowledged = number,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::File { doing: "write", .. }), "{error}");
    for refused in [log.append(b"more").unwrap_err(), log.commit().unwrap_err()] {
        let refused = refused.to_string();
        assert!(refused.contains("an earlier write failed (") && refused.ends_with("; open the index again"), "{refused}");
    }
    assert_eq!(log.read(0).count() as u64, acknowledged, "acknowledged records can still be read");
    say(acknowledged);
}

#[test]
fn a_full_disk_loses_no_acknowledged_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log-000000");
    // No file may grow above 64 blocks; the write that exceeds them is cut off there.
    let mut child = start("trap '' XFSZ; ulimit -f 64;", "storage_stops::writer_on_a_full_disk", folder.path(), 0);
    let acknowledged: u64 = lines(&mut child).last().unwrap().parse().unwrap();
    assert!(child.wait().unwrap().success() && acknowledged > 0);
    // The refused records are not in the log, although some of them were complete.
    let expected: Vec<_> = (0..acknowledged).map(payload).collect();
    assert_eq!(payloads(&LogReader::open(&path).unwrap()), expected);
    let length = fs::metadata(&path).unwrap().len();
    let mut log = Log::open(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), length, "the refused bytes were cut");
    log.append(&payload(acknowledged)).unwrap();
    log.commit().unwrap();
    assert_eq!(payloads(&LogReader::open(&path).unwrap()).len() as u64, acknowledged + 1);
}
