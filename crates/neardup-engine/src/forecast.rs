//! Forecasts: what a run will take of memory and disk, told before it takes it, and checked.

use crate::budget::Budget;
use crate::catalogue::Shelf;
use crate::signed::Signed;
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
/// What result tables take for a document, and for every byte of its id.
const ROW: f64 = 40.0;
const ID_COLUMNS: f64 = 3.0;

/// What a run writes beside what it signs.
pub struct Writes {
    /// Bytes beside its tables: kept documents, an index.
    pub copies: u64,
    /// The bytes that arranging what was signed of a chunk takes.
    pub arranging: fn(&Segment) -> u64,
    /// What nothing is known of until all is arranged.
    pub unknown: Option<&'static str>,
}

/// What a run will take, by what has been read of its input.
pub struct Forecast {
    budget: Budget,
    work: PathBuf,
    /// All bytes of the input.
    total: u64,
    writes: Writes,
    documents: AtomicU64,
    id_bytes: AtomicU64,
    arranged: AtomicU64,
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
    /// Of a run with `total` bytes of input, whose work files are in `work`.
    pub fn new(budget: Budget, work: &Path, total: u64, writes: Writes) -> Self {
        let (documents, id_bytes, arranged, told) = Default::default();
        Forecast { budget, work: work.to_path_buf(), total, writes, documents, id_bytes, arranged, told }
    }

    /// Takes a chunk into account that is signed, as its bytes are now counted, too.
    pub fn count(&self, shelf: &Shelf, segment: &Segment) {
        self.documents.fetch_add(shelf.len() as u64, Relaxed);
        self.id_bytes.fetch_add(shelf.id_bytes() as u64, Relaxed);
        self.arranged.fetch_add((self.writes.arranging)(segment), Relaxed);
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
            "about {} documents: their numbers and ids will stay in {} of memory; on the way about {} of disk will be taken in {}{}, {} are free",
            count(rounded(needs.documents)),
            bytes(rounded(self.budget.needed(needs.documents as usize, needs.id_bytes as usize) as f64)),
            bytes(rounded(needs.disk)),
            self.work.parent().unwrap_or(&self.work).display(),
            self.writes.unknown.map_or(String::new(), |unknown| format!(", and more for {unknown}, which will be told")),
            bytes(free)
        ));
        // What is refused is told with some margin, so that the figure will do.
        self.check(&needs.times(1.0 / DOUBT), free).or_else(|_| self.check(&needs.times(MARGIN), free))
    }

    /// Checks what the run will take when all is signed.
    ///
    /// # Errors
    /// [`Error::Usage`] when the memory is too little, [`Error::NoRoom`] when the disk is: each with the figure.
    pub fn settle(&self, signed: &Signed) -> Result<()> {
        let arranged = signed.segments[0].iter().map(|(_, segment)| (self.writes.arranging)(segment)).sum();
        self.settle_on(signed.len(), signed.catalogue.id_bytes(), arranged)
    }

    fn settle_on(&self, documents: usize, id_bytes: usize, arranged: u64) -> Result<()> {
        for (sum, value) in [(&self.documents, documents as u64), (&self.id_bytes, id_bytes as u64), (&self.arranged, arranged)] {
            sum.store(value, Relaxed);
        }
        self.check(&self.needs(1.0)?, self.free()?)
    }

    /// Says how much of the disk `what` will take, which could not be known before, and checks it.
    ///
    /// # Errors
    /// [`Error::NoRoom`], with the figure.
    pub fn more(&self, what: &str, disk: u64, watch: &Watch) -> Result<()> {
        let (disk, free) = ((disk + self.writes.copies) as f64, self.free()?);
        if self.total > SAMPLE {
            watch.notice(format!(
                "{what} and what is left to write will take about {} of disk, {} are free",
                bytes(rounded(disk)),
                bytes(free)
            ));
        }
        check_disk(disk, free)
    }

    /// What is needed when all the input is `times` what was read.
    fn needs(&self, times: f64) -> Result<Needs> {
        let of_all = |sum: &AtomicU64| sum.load(Relaxed) as f64 * times;
        let (documents, id_bytes) = (of_all(&self.documents), of_all(&self.id_bytes));
        let tables = documents * ROW + id_bytes * ID_COLUMNS;
        let disk = self.taken()? as f64 * (times - 1.0) + of_all(&self.arranged) + tables + self.writes.copies as f64;
        Ok(Needs { documents, id_bytes, disk })
    }

    fn check(&self, needs: &Needs, free: u64) -> Result<()> {
        self.budget.beside(needs.documents as usize, needs.id_bytes as usize)?;
        check_disk(needs.disk, free)
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

fn check_disk(needed: f64, free: u64) -> Result<()> {
    if needed <= free as f64 {
        return Ok(());
    }
    let (needed, free) = (bytes(rounded(needed)), bytes(free));
    Err(Error::NoRoom(format!("the work files and results of this run need about {needed} more of the disk, and {free} are free")))
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
        let of = |copies| Forecast::new(budget, folder.path(), 1 << 30, Writes { copies, arranging: |_| 0, unknown: None });
        assert!(of(0).settle_on(1_000_000, 10_000_000, 96_000_000).is_ok());
        let memory = of(0).settle_on(10_000_000, 100_000_000, 0).unwrap_err().to_string();
        assert!(memory.contains("10000000 documents") && memory.contains("give 907M or more"), "{memory}");
        let watch = Watch::default();
        let refused = [of(1 << 60).settle_on(1000, 0, 0), of(0).settle_on(1000, 0, 1 << 60), of(0).more("all", 1 << 60, &watch)];
        for disk in refused.map(|refused| refused.unwrap_err().to_string()) {
            assert!(disk.contains("need about 1.20 EB more of the disk") && disk.contains("are free"), "{disk}");
        }
        let told = watch.notices();
        assert!(told.len() == 1 && told[0].starts_with("all and what is left to write will take about 1.20 EB of disk, "), "{told:?}");
    }
}
