//! Forecasts: what a run will take of memory and disk, told before it takes it, and checked.

use crate::budget::Budget;
use crate::catalogue::Shelf;
use crate::watch::Watch;
use crate::{Error, Result};
use neardup_core::segment::Segment;
use neardup_report::number::{bytes, count};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// So many bytes of the input tell what the rest is like.
const SAMPLE: u64 = 32 << 20;
/// The rest may be otherwise: only what is short by more than a quarter is refused by a sample.
const DOUBT: f64 = 1.25;
const MARGIN: f64 = 1.05;
/// Arranged keys, as a share of the bytes of all keys: buckets list the documents that share one, and twice when they are split.
const ARRANGED: f64 = 1.5;
/// What result tables take for a document, and for every byte of its id.
const ROW: f64 = 40.0;
const ID_COLUMNS: f64 = 3.0;

/// What a run will take, by what has been read of its input.
pub struct Forecast {
    budget: Budget,
    work: PathBuf,
    /// All bytes of the input.
    total: u64,
    /// Bytes that the run writes beside its tables: kept documents, an index.
    copies: u64,
    documents: AtomicU64,
    id_bytes: AtomicU64,
    key_bytes: AtomicU64,
    told: AtomicBool,
}

/// What stays in memory, and what is still to be written.
struct Needs {
    documents: f64,
    id_bytes: f64,
    disk: f64,
}

impl Needs {
    fn times(&self, factor: f64) -> Needs {
        Needs { documents: self.documents * factor, id_bytes: self.id_bytes * factor, disk: self.disk * factor }
    }
}

impl Forecast {
    /// Of a run with `total` bytes of input, of which `copies` are written again, whose work files are in `work`.
    pub fn new(budget: Budget, work: &Path, total: u64, copies: u64) -> Self {
        let (documents, id_bytes, key_bytes) = Default::default();
        Forecast { budget, work: work.to_path_buf(), total, copies, documents, id_bytes, key_bytes, told: AtomicBool::new(false) }
    }

    /// Takes a chunk into account that is signed, as its bytes are now counted, too.
    pub fn count(&self, shelf: &Shelf, segment: &Segment) {
        self.documents.fetch_add(shelf.len() as u64, Relaxed);
        self.id_bytes.fetch_add(shelf.id_bytes() as u64, Relaxed);
        self.key_bytes.fetch_add(segment.key_bytes() as u64, Relaxed);
    }

    /// Once, when enough is known of a larger input, says what the run will take.
    ///
    /// # Errors
    /// As [`Forecast::settle`], where the machine is short by more than a quarter.
    pub fn tell(&self, watch: &Watch) -> Result<()> {
        let read = watch.corpus.bytes.load(Relaxed);
        if read < SAMPLE || read >= self.total || self.told.swap(true, Relaxed) {
            return Ok(());
        }
        let needs = self.needs(self.total as f64 / read as f64)?;
        let free = self.free()?;
        watch.notice(format!(
            "about {} documents: their numbers and ids will stay in {} of memory; on the way about {} of disk will be taken in {}, {} are free",
            count(rounded(needs.documents)),
            bytes(rounded(self.budget.needed(needs.documents as usize, needs.id_bytes as usize) as f64)),
            bytes(rounded(needs.disk)),
            self.work.parent().unwrap_or(&self.work).display(),
            bytes(free)
        ));
        // What is refused is told with some margin, so that the figure will do.
        self.check(&needs.times(1.0 / DOUBT), free).or_else(|_| self.check(&needs.times(MARGIN), free))
    }

    /// Checks what the run will take when all is signed.
    ///
    /// # Errors
    /// [`Error::Usage`] when the memory is too little, [`Error::NoRoom`] when the disk is: each with the figure.
    pub fn settle(&self, documents: usize, id_bytes: usize, key_bytes: usize) -> Result<()> {
        for (sum, value) in [(&self.documents, documents), (&self.id_bytes, id_bytes), (&self.key_bytes, key_bytes)] {
            sum.store(value as u64, Relaxed);
        }
        self.check(&self.needs(1.0)?, self.free()?)
    }

    /// What is needed when all the input is `times` what was read.
    fn needs(&self, times: f64) -> Result<Needs> {
        let of_all = |sum: &AtomicU64| sum.load(Relaxed) as f64 * times;
        let (documents, id_bytes) = (of_all(&self.documents), of_all(&self.id_bytes));
        let tables = documents * ROW + id_bytes * ID_COLUMNS;
        let disk = self.taken()? as f64 * (times - 1.0) + of_all(&self.key_bytes) * ARRANGED + tables + self.copies as f64;
        Ok(Needs { documents, id_bytes, disk })
    }

    fn check(&self, needs: &Needs, free: u64) -> Result<()> {
        self.budget.beside(needs.documents as usize, needs.id_bytes as usize)?;
        if needs.disk <= free as f64 {
            return Ok(());
        }
        let (needed, free) = (bytes(rounded(needs.disk)), bytes(free));
        Err(Error::NoRoom(format!("the work files and results of this run need about {needed} more of the disk, and {free} are free")))
    }

    /// What the work files take by now.
    fn taken(&self) -> Result<u64> {
        let fail = || Error::file(&self.work, "read");
        let mut taken = 0;
        for entry in fs::read_dir(&self.work).map_err(fail())? {
            taken += entry.and_then(|entry| entry.metadata()).map_err(fail())?.len();
        }
        Ok(taken)
    }

    fn free(&self) -> Result<u64> {
        fs4::available_space(&self.work).map_err(Error::file(&self.work, "read the free space of"))
    }
}

/// Two digits: more would be a promise.
fn rounded(value: f64) -> u64 {
    let unit = 10f64.powf(value.max(1.0).log10().floor() - 1.0).max(1.0);
    ((value / unit).round() * unit) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_told() {
        assert_eq!([0.0, 7.2, 94.6, 1234.0, 29_960_000.0].map(rounded), [0, 7, 95, 1200, 30_000_000]);
    }

    #[test]
    fn what_is_short_is_refused_with_the_figure() {
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(200 << 20, 1).unwrap();
        let of = |copies| Forecast::new(budget, folder.path(), 1 << 30, copies);
        assert!(of(0).settle(1_000_000, 10_000_000, 64_000_000).is_ok());
        let memory = of(0).settle(10_000_000, 100_000_000, 0).unwrap_err().to_string();
        assert!(memory.contains("10000000 documents") && memory.contains("give 907M or more"), "{memory}");
        let disk = of(1 << 60).settle(1000, 0, 0).unwrap_err().to_string();
        assert!(disk.contains("need about 1.20 EB more of the disk") && disk.contains("are free"), "{disk}");
    }
}
