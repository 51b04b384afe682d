//! The records of the files that a run read: each is a document, or is counted as rejected or passed over.

use crate::documents::signed::SignedCorpus;
use neardup_corpus::{PassedOver, Read};
use serde::Serialize;

/// Counts of the records, as in `run.json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RecordCounts {
    /// Records of files, tables and streams: the sum of those read, rejected and passed over.
    pub found: u64,
    /// Documents, including those of the reference.
    pub read: u64,
    /// Records that cannot be used.
    pub rejected: u64,
    /// Records that are not documents.
    pub passed_over: u64,
    /// Number of records passed over, by kind.
    pub kinds: PassedOver,
    /// Number of documents whose text could not be read to its end, by flaw.
    pub flaws: PassedOver,
}

impl RecordCounts {
    /// Returns the counts of a run.
    pub fn of(signed: &SignedCorpus) -> RecordCounts {
        let read = signed.len() - signed.set_aside.len();
        RecordCounts::of_counts(read, signed.rejects.len(), &signed.passed_over, &signed.flaws)
    }

    /// Returns the counts for `read` documents and `rejected` rejects, and for the records passed over and the flaws of each
    /// source.
    pub fn of_counts(read: usize, rejected: usize, passed_over: &[(u32, PassedOver)], flaws: &[(u32, PassedOver)]) -> RecordCounts {
        let sum = |of: &[(u32, PassedOver)]| {
            let mut sum = PassedOver::new();
            of.iter().for_each(|(_, kinds)| add(&mut sum, kinds));
            sum
        };
        let (kinds, flaws, read) = (sum(passed_over), sum(flaws), read as u64);
        let (rejected, passed_over) = (rejected as u64, kinds.values().sum());
        RecordCounts { found: read + rejected + passed_over, read, rejected, passed_over, kinds, flaws }
    }

    /// Adds the records of one source.
    pub fn count<T>(&mut self, read: &Read<T>) {
        let (rejected, passed_over) = (read.rejects.len() as u64, read.passed_over.values().sum::<u64>());
        self.read += read.records;
        self.rejected += rejected;
        self.passed_over += passed_over;
        self.found += read.records + rejected + passed_over;
        add(&mut self.kinds, &read.passed_over);
        add(&mut self.flaws, &read.flaws);
    }
}

fn add(sum: &mut PassedOver, kinds: &PassedOver) {
    kinds.iter().for_each(|(kind, count)| *sum.entry(kind.clone()).or_default() += count);
}

/// Counts of the records of one source that are not documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherCounts {
    /// Records that cannot be used.
    pub rejected: u64,
    /// Records that are passed over.
    pub passed_over: u64,
}

impl SignedCorpus {
    /// Returns these counts for every source of the input, in order.
    pub fn others(&self) -> Vec<OtherCounts> {
        let names = &self.catalogue.sources[..self.inputs as usize];
        let mut others = vec![OtherCounts::default(); names.len()];
        let places: std::collections::HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        for reject in self.input_rejects() {
            places.get(reject.source.as_str()).iter().for_each(|&&place| others[place].rejected += 1);
        }
        for (source, kinds) in self.passed_over.iter().filter(|(source, _)| *source < self.inputs) {
            others[*source as usize].passed_over += kinds.values().sum::<u64>();
        }
        others
    }
}
