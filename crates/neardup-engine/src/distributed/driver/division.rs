//! Division: how a run is divided into homes and parts.

use crate::distributed::plan::{HomeFile, HomeSplit};
use crate::distributed::sent_tables::SentTables;
use crate::distributed::sources::Sources;
use crate::job::Job;
use neardup_corpus::Source;
use std::path::PathBuf;

/// Maximum number of homes that the size of the input asks for.
const HOMES: u64 = 100_000;
/// Maximum number of parts that the size of the input asks for: every home sends a message to every part.
const PARTS: u64 = 10_000;
/// Number of homes for each core, so that all cores are busy to the end.
const TURNS: u64 = 4;
/// Number of files that a home has at most.
const FILES: usize = 4096;

/// How a run is divided into tasks. Results do not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Division {
    /// Number of cores that work at once.
    pub cores: u32,
    /// Bytes of input that a home has, at least and at most, except for a large input and sources that cannot be cut.
    pub home: [u64; 2],
    /// Bytes of input for each part of the keys, whose size is about that of the input for short texts.
    pub part: u64,
    /// Number of pairs of a range, of which each is a part of the table.
    pub listed: u64,
    /// Maximum number of links that one task connects: about 100 bytes each.
    pub connected: u64,
    /// Maximum number of documents of a family that one task compares, copies counted once: some seconds.
    pub family: u64,
    /// Bytes of input of such documents, whose texts are in memory.
    pub family_bytes: u64,
    /// Bytes of input above which keys have 48 bits. One machine compares all documents that share 32 bits: of 10^9, each shares them
    /// with four others by chance, whose texts would all be sent, and most documents would be one family. A pair is lost only if no
    /// band finds it, and two bands are equal by chance in 32 bits.
    pub wide_above: u64,
}

impl Division {
    /// Returns the division for a number of cores.
    pub fn for_cores(cores: u32) -> Self {
        Division {
            cores: cores.max(1),
            home: [2 << 20, 32 << 20],
            part: 32 << 20,
            listed: 250_000,
            connected: 8_000_000,
            family: 200_000,
            family_bytes: 128 << 20,
            wide_above: 1 << 28,
        }
    }

    /// Returns the bytes of a home, for an input of `total` bytes.
    pub fn home_bytes(&self, total: u64) -> u64 {
        let [least, most] = self.home;
        (total / (TURNS * u64::from(self.cores))).clamp(least, most).max(total / HOMES)
    }

    /// Returns the number of parts of the keys.
    pub fn parts(&self, total: u64) -> u32 {
        (total / self.part).clamp(u64::from(2 * self.cores), PARTS.max(u64::from(2 * self.cores))) as u32
    }
}

/// Plans the homes of a run: those of the input, then those of the reference. `first` is the number of the first of them.
pub fn homes(job: &Job<'_>, sources: &Sources, sent: Option<&SentTables>, size: u64, first: u32) -> Vec<HomeSplit> {
    let mut homes = Vec::new();
    match sent {
        Some(sent) => plan_tables(sent, &sources.names(), size, &mut homes),
        None => {
            plan_files(job, sources.input(), false, size, &mut homes);
            plan_files(job, sources.against(), true, size, &mut homes);
        }
    }
    homes.iter_mut().for_each(|home| home.number += first);
    homes
}

/// Plans the homes of tables: each has about `size` bytes of one.
fn plan_tables(sent: &SentTables, names: &[String], size: u64, homes: &mut Vec<HomeSplit>) {
    for ((first_source, table), name) in (0..).zip(&sent.sizes).zip(names) {
        let parts = table.bytes.div_ceil(size.max(1)).clamp(1, table.rows.max(1)) as u32;
        for _ in 0..parts {
            homes.push(HomeSplit {
                number: homes.len() as u32,
                files: vec![HomeFile { path: PathBuf::new(), name: name.clone(), target: PathBuf::new() }],
                chunks: None,
                first_source,
                is_reference: first_source as usize >= sent.inputs,
                is_sent: true,
            });
        }
    }
}

/// Plans the homes of the sources of one side: each has about `size` bytes of the input.
fn plan_files(job: &Job<'_>, sources: &[Source], is_reference: bool, size: u64, homes: &mut Vec<HomeSplit>) {
    let chunks_of_home = (size / job.options.chunk.max(1) as u64).max(1) as u32;
    let mut source_number = homes.last().map_or(0, |home| home.first_source + home.files.len() as u32);
    let (mut files, mut bytes): (Vec<HomeFile>, u64) = (Vec::new(), 0);
    let push = |homes: &mut Vec<HomeSplit>, files: Vec<HomeFile>, chunks, first_source| {
        homes.push(HomeSplit { number: homes.len() as u32, files, chunks, first_source, is_reference, is_sent: false });
    };
    for source in sources {
        // Tasks run elsewhere, in other folders.
        let path = std::path::absolute(&source.path).unwrap_or_else(|_| source.path.clone());
        let file = HomeFile { path, name: source.name.clone(), target: source.root_relative.clone() };
        let is_cut = source.is_read_in_parts() && source.bytes > size;
        if !files.is_empty() && (is_cut || bytes + source.bytes > size || files.len() == FILES) {
            let count = files.len() as u32;
            push(homes, std::mem::take(&mut files), None, source_number - count);
            bytes = 0;
        }
        if is_cut {
            let count = source.bytes.div_ceil(job.options.chunk.max(1) as u64) as u32;
            for start in (0..count).step_by(chunks_of_home as usize) {
                push(homes, vec![file.clone()], Some(start..(start + chunks_of_home).min(count)), source_number);
            }
        } else {
            files.push(file);
            bytes += source.bytes;
        }
        source_number += 1;
    }
    if !files.is_empty() {
        let count = files.len() as u32;
        push(homes, files, None, source_number - count);
    }
}
