//! Forecasts: estimates the memory and disk space that a run will take, reports them early, and checks them.

use crate::documents::chunk::CatalogueChunk;
use crate::documents::signed::SignedCorpus;
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::resources::family;
use crate::resources::sample_stats::{SampleScale, SampleStats};
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::store::Store;
use neardup_report::number::{bytes, count};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of the input from which the rest is estimated.
pub const SAMPLE: u64 = 32 << 20;
/// An estimate from the beginning of an input may be off by this factor, because an input is often several corpora in a row.
const BEGINNING: f64 = 4.0;
/// A sample refuses a run only if it is short by at least the factor `LEAST_DOUBT`. The figure in the message is then raised by a
/// factor from `LEAST_MARGIN` to `MOST_MARGIN`.
const LEAST_DOUBT: f64 = 1.25;
const MOST_MARGIN: f64 = 1.5;
const LEAST_MARGIN: f64 = 1.05;
/// Bytes that result tables take for every document, and for every byte of its id.
const ROW: f64 = 40.0;
const ID_COLUMNS: f64 = 3.0;

/// Needs of a run in addition to its signatures, its documents and their tables.
#[derive(Clone, Copy)]
pub struct DiskNeeds {
    /// Bytes on disk of kept documents and an index.
    pub copies: u64,
    /// Returns the bytes on disk that arranging a signed chunk takes.
    pub arranging: fn(&StoredChunk) -> u64,
    /// Name of the data whose size is unknown until all documents are arranged.
    pub unknown: Option<&'static str>,
    /// Bytes of memory that an index takes, and bytes for every document. It is made when everything else is done.
    pub index: Option<[usize; 2]>,
}

/// Basis of a forecast.
#[derive(Clone, Copy)]
pub struct ForecastBasis<'a> {
    /// Pass whose keys will be arranged, if any.
    pub pass: Option<&'a CompiledPass>,
    /// Store of the columns.
    pub store: &'a Arc<Store>,
}

/// Estimates what a run will take, from the part of its input that has been read.
pub struct Forecast {
    budget: Budget,
    work: PathBuf,
    /// Number of bytes of the input.
    total: u64,
    takes: DiskNeeds,
    /// Chunks that were read since the beginning, until the forecast is reported.
    seen: Mutex<SampleStats>,
    is_announced: AtomicBool,
}

/// Documents and ids that stay in memory, and bytes that are still to be written to disk.
#[derive(Clone, Copy)]
struct MemoryNeeds {
    documents: f64,
    id_bytes: f64,
    disk: f64,
}

impl MemoryNeeds {
    fn times(self, factor: f64) -> MemoryNeeds {
        MemoryNeeds { documents: self.documents * factor, id_bytes: self.id_bytes * factor, disk: self.disk * factor }
    }
}

impl Forecast {
    /// Creates the forecast of a run with `total` bytes of input, whose work files are in `work`.
    pub fn new(budget: Budget, work: &Path, total: u64, takes: DiskNeeds) -> Self {
        Forecast { budget, work: work.to_path_buf(), total, takes, seen: Mutex::default(), is_announced: AtomicBool::new(false) }
    }

    /// Returns whether the input is so large that a part of it says what the rest is like.
    pub fn is_of_much(&self) -> bool {
        self.total > SAMPLE
    }

    /// Adds a signed chunk, whose bytes are now counted as read.
    pub fn count(&self, chunk: &CatalogueChunk, segment: &StoredChunk) {
        if self.is_of_much() && !self.is_announced.load(Relaxed) {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).add(chunk, segment);
        }
    }

    /// Reports once what the run will take, as soon as enough of the beginning of a larger input is known.
    ///
    /// # Errors
    /// As [`Forecast::settle`], if the machine is short by more than the estimate may be off.
    pub fn announce_early(&self, by: ForecastBasis<'_>, watch: &Watch) -> Result<()> {
        let read = watch.corpus.bytes.load(Relaxed);
        if read < SAMPLE || read >= self.total || self.is_announced.swap(true, Relaxed) {
            return Ok(());
        }
        let seen = std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner));
        let more = self.total as f64 / read as f64;
        self.announce(&seen, self.taken()?, SampleScale { documents: more, bytes: more, doubt: BEGINNING }, by, watch)
    }

    /// Reports the same from a sample, `seen`, whose places are spread over the input and which took `taken` bytes of the disk.
    ///
    /// # Errors
    /// As [`Forecast::announce_early`], if the machine is short by more than the doubt of the sample.
    pub fn announce_sample(&self, seen: &SampleStats, taken: u64, scale: SampleScale, by: ForecastBasis<'_>, watch: &Watch) -> Result<()> {
        if self.is_announced.swap(true, Relaxed) { Ok(()) } else { self.announce(seen, taken, scale, by, watch) }
    }

    /// Reports and checks the needs of the run. `scale` says how much larger the whole input is than `seen`.
    fn announce(&self, seen: &SampleStats, taken: u64, scale: SampleScale, by: ForecastBasis<'_>, watch: &Watch) -> Result<()> {
        let needs = self.needs(seen, taken, scale);
        let free = self.free()?;
        watch.notice(format!(
            "about {} documents: their numbers and ids will stay in about {} of memory; on the way about {} of disk will be taken in {}{}, {} are free",
            count(rounded(needs.documents)),
            bytes(rounded(self.budget.needed(needs.documents as usize, needs.id_bytes as usize) as f64)),
            bytes(rounded(needs.disk)),
            self.work.parent().unwrap_or(&self.work).display(),
            self.takes.unknown.map_or(String::new(), |unknown| format!(", and more for {unknown}, which will be reported")),
            bytes(free)
        ));
        let least = needs.times(1.0 / scale.doubt.max(LEAST_DOUBT));
        if self.is_short(&least) {
            // A margin makes sure that the reported figure suffices.
            return Err(self.short(&needs.times(scale.doubt.clamp(LEAST_MARGIN, MOST_MARGIN)), "about ", seen, by)?);
        }
        if least.disk <= free as f64 { Ok(()) } else { check_disk(needs.disk, free) }
    }

    /// Checks what the run will take, when all documents are signed.
    ///
    /// # Errors
    /// [`Error::Usage`] if the memory is too little, [`Error::NoRoom`] if the disk is. Both messages contain the figure.
    pub fn settle(&self, signed: &SignedCorpus, pass: Option<&CompiledPass>) -> Result<()> {
        let segments = &signed.segments[0];
        let id_bytes = signed.catalogue.id_bytes();
        let seen = SampleStats { chunks: segments.iter().map(|(_, segment)| segment.clone()).collect(), id_bytes };
        self.settle_on(&seen, ForecastBasis { pass, store: segments.store() })
    }

    fn settle_on(&self, seen: &SampleStats, by: ForecastBasis<'_>) -> Result<()> {
        let needs = self.needs(seen, 0, SampleScale::ALL);
        if self.is_short(&needs) {
            return Err(self.short(&needs, "", seen, by)?);
        }
        check_disk(needs.disk, self.free()?)
    }

    /// Reports how much of the disk `what` will take, which was unknown before, and checks it.
    ///
    /// # Errors
    /// [`Error::NoRoom`], with the figure.
    pub fn more(&self, what: &str, disk: u64, watch: &Watch) -> Result<()> {
        let (disk, free) = ((disk + self.takes.copies) as f64, self.free()?);
        if self.is_of_much() {
            watch.notice(format!(
                "{what} and what is left to write will take about {} of disk, {} are free",
                bytes(rounded(disk)),
                bytes(free)
            ));
        }
        check_disk(disk, free)
    }

    /// Reports an estimate of how much of the disk `what` will take, if that is much, and checks it.
    ///
    /// # Errors
    /// [`Error::NoRoom`], with the figure, if the run can hardly take less.
    pub fn foresee(&self, what: &str, disk: u64, watch: &Watch) -> Result<()> {
        let (disk, free) = ((disk + self.takes.copies) as f64, self.free()?);
        if disk < SAMPLE as f64 {
            return Ok(());
        }
        watch.notice(format!("{what} will take about {} of disk, by what is found so far, {} are free", bytes(rounded(disk)), bytes(free)));
        if disk <= BEGINNING * free as f64 { Ok(()) } else { check_disk(disk, free) }
    }

    /// Checks that `disk` bytes are free for what was found already. What is still to be found is unknown.
    ///
    /// # Errors
    /// [`Error::NoRoom`], with the figure.
    pub fn leaves(&self, disk: u64) -> Result<()> {
        check_disk((disk + self.takes.copies) as f64, self.free()?)
    }

    /// Returns the needs of the run. `scale` says how much larger the whole input is than `seen`, which took `taken` bytes of the
    /// disk.
    fn needs(&self, seen: &SampleStats, taken: u64, scale: SampleScale) -> MemoryNeeds {
        let (documents, id_bytes) = (seen.documents() as f64 * scale.documents, seen.id_bytes as f64 * scale.documents);
        let arranged = seen.chunks.iter().map(self.takes.arranging).sum::<u64>() as f64 * scale.documents;
        let tables = documents * ROW + id_bytes * ID_COLUMNS;
        let sketches = (seen.sketch_bytes() as f64).min(taken as f64);
        let signed = sketches * (scale.bytes - 1.0) + (taken as f64 - sketches) * (scale.documents - 1.0);
        MemoryNeeds { documents, id_bytes, disk: signed.max(0.0) + arranged + tables + self.takes.copies as f64 }
    }

    /// Returns the bytes of memory that an index of `documents` documents takes.
    fn index(&self, documents: usize) -> usize {
        self.takes.index.map_or(0, |[fixed, each]| fixed + documents * each)
    }

    /// Returns whether the memory is too little for the part that is certainly needed.
    fn is_short(&self, needs: &MemoryNeeds) -> bool {
        let (documents, id_bytes) = (needs.documents as usize, needs.id_bytes as usize);
        self.budget.needed_with(documents, id_bytes, self.index(documents)) > self.budget.room()
    }

    /// Returns the error that the memory is too little. It names the memory that suffices for the whole run: for the largest of
    /// the steps that cannot be done in parts, because only one of them runs at a time.
    fn short(&self, needs: &MemoryNeeds, about: &str, seen: &SampleStats, by: ForecastBasis<'_>) -> Result<Error> {
        let (documents, id_bytes) = (needs.documents as usize, needs.id_bytes as usize);
        let times = needs.documents / seen.documents().max(1) as f64;
        let mut wants = vec![(self.index(documents), "the index of them")];
        if let Some(pass) = by.pass {
            if !pass.late().is_empty() {
                let mut features = 0.0;
                for segment in &seen.chunks {
                    let column: Vec<u32> = by.store.all(segment.features).map_err(neardup_core::Error::from)?;
                    features += column.into_iter().map(f64::from).sum::<f64>();
                }
                wants.push(((features * times) as usize, "a count of each of their features"));
            }
            let family = family::heaviest(&seen.chunks, pass, by.store, self.budget.most_threads(), times)?;
            wants.push((family, "those of them that are compared together"));
        }
        let (want, what) = wants.into_iter().max().unwrap_or_default();
        let needed = self.budget.needed_with(documents, id_bytes, want);
        let beside = if needed > self.budget.needed_with(documents, id_bytes, 0) { format!(", and {what}") } else { String::new() };
        let documents = if about.is_empty() { documents as u64 } else { rounded(needs.documents) };
        Ok(self.budget.short(needed, || format!("the numbers and ids of {about}{documents} documents, which stay in memory{beside}")))
    }

    /// Returns the bytes that the work files take now.
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

/// Rounds to two digits, because more would promise too much.
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
        let budget = Budget::new(200 << 20, 1, 1).unwrap();
        let takes = |copies| DiskNeeds { copies, arranging: |_| 0, unknown: None, index: None };
        let of = |copies| Forecast::new(budget, folder.path(), 1 << 30, takes(copies));
        let store = Arc::new(Store::new(tempfile::tempfile().unwrap(), 0));
        let by = ForecastBasis { pass: None, store: &store };
        let seen = |documents, id_bytes| {
            let draft = neardup_core::signing::segment::ChunkBuilder { tokens: vec![1; documents], ..Default::default() };
            SampleStats { chunks: vec![draft.seal(&store).unwrap()], id_bytes }
        };
        assert!(of(0).settle_on(&seen(1_000_000, 10_000_000), by).is_ok());
        let memory = of(0).settle_on(&seen(10_000_000, 100_000_000), by).unwrap_err().to_string();
        assert!(memory.contains("10000000 documents") && memory.contains("give 913M or more"), "{memory}");
        let indexed = Forecast::new(budget, folder.path(), 1 << 30, DiskNeeds { index: Some([100 << 20, 100]), ..takes(0) });
        let memory = indexed.settle_on(&seen(1_000_000, 10_000_000), by).unwrap_err().to_string();
        assert!(memory.contains(", and the index of them; give 332M or more"), "{memory}");
        let watch = Watch::default();
        let much = Forecast::new(budget, folder.path(), 1 << 30, DiskNeeds { arranging: |_| 1 << 60, ..takes(0) });
        let refused = [of(1 << 60).settle_on(&seen(1000, 0), by), much.settle_on(&seen(1000, 0), by), of(0).more("all", 1 << 60, &watch)];
        for disk in refused.map(|refused| refused.unwrap_err().to_string()) {
            assert!(disk.contains("need about 1.20 EB more of the disk") && disk.contains("are free"), "{disk}");
        }
        let notices = watch.notices();
        assert!(
            notices.len() == 1 && notices[0].starts_with("all and what is left to write will take about 1.20 EB of disk, "),
            "{notices:?}"
        );
    }
}
