//! The driver of a distributed run: which steps there are, what they take, and the summary of what they count.
//!
//! An engine asks for the [next](Driver::next) step, runs its tasks, keeps the rows that they return, and passes the tallies among
//! them to [`Driver::take`]. All choices are made here, so that every engine gives the same result.

use crate::distributed::home::Home;
use crate::distributed::message::{Message, RepeatedId, Row, StageName, receive};
use crate::distributed::plan::{HomeFile, HomePlace, HomeSplit, Plan};
use crate::distributed::sources::Sources;
use crate::distributed::spread_summary::{SpreadCounts, SpreadSummary};
use crate::distributed::tally::{LinkTally, SignTally, Tally, WriteTally};
use crate::job::Job;
use crate::progress::Watch;
use crate::signing::worker::TextTask;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use neardup_corpus::{MissingFields, Reject, Source};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Maximum number of homes that the size of the input asks for.
const HOMES: u64 = 100_000;
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
    /// Maximum number of links that one task connects: about 100 bytes each.
    pub connected: u64,
}

impl Division {
    /// Returns the division for a number of cores.
    pub fn for_cores(cores: u32) -> Self {
        Division { cores: cores.max(1), home: [2 << 20, 32 << 20], part: 32 << 20, connected: 2_000_000 }
    }

    /// Returns the bytes of a home, for an input of `total` bytes.
    fn home_bytes(&self, total: u64) -> u64 {
        let [least, most] = self.home;
        (total / (TURNS * u64::from(self.cores))).clamp(least, most).max(total / HOMES)
    }

    /// Returns the number of parts of the keys.
    fn parts(&self, total: u64) -> u32 {
        (total / self.part).max(u64::from(2 * self.cores)) as u32
    }
}

/// One step of a run: stages one after another, of which each takes what the one before sends to it.
#[derive(Debug)]
pub struct Step {
    /// The name under which its rows are kept.
    pub name: String,
    /// The stages.
    pub stages: Vec<StageStep>,
}

/// A stage of a step.
#[derive(Debug)]
pub struct StageStep {
    /// The stage.
    pub stage: StageName,
    /// Number of its parts.
    pub parts: u32,
    /// Rows that it takes, besides those from the stage before: the step that they were kept of, and the stage they were sent to.
    pub inputs: Vec<(String, StageName)>,
    /// Messages from the driver.
    pub messages: Vec<Row>,
}

/// What was done last.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Done {
    Nothing,
    /// The name of the step of links.
    Linked(String),
    /// A round of stars, with its number and its changes.
    Stars(String, u32, u64),
    Compared,
    Written,
}

/// The driver of one run.
pub struct Driver {
    division: Division,
    sources: Sources,
    plan: Plan,
    homes: Vec<HomeSplit>,
    done: Done,
    linked: String,
    signed: Vec<SignTally>,
    links: LinkTally,
    counts: SpreadCounts,
    notes: Vec<String>,
}

impl Driver {
    /// Finds the files of a job and plans its run. `output` is the folder in which the results are made.
    ///
    /// # Errors
    /// As a run.
    pub fn new(job: &Job<'_>, division: Division, output: Option<PathBuf>) -> Result<Self> {
        job.check_options()?;
        let sources = Sources::find(job)?;
        let total = sources.input().iter().chain(sources.against()).map(|source| source.bytes).sum::<u64>();
        let size = division.home_bytes(total);
        let mut homes = Vec::new();
        plan_homes(job, sources.input(), false, size, &mut homes);
        plan_homes(job, sources.against(), true, size, &mut homes);
        let places = homes.iter().map(|home| HomePlace {
            name: if home.files.len() == 1 { home.files[0].name.clone() } else { String::new() },
            unit: all(&sources)[home.first_source as usize].format.unit(),
            rows_before: 0,
            is_reference: home.is_reference,
        });
        let plan = Plan {
            homes: places.collect(),
            parts: division.parts(total),
            against: job.against.is_some(),
            has_urls: job.fields.url.is_some(),
            has_ids: job.fields.id.is_some(),
            sets_aside: false,
            output,
        };
        Ok(Driver {
            division,
            sources,
            plan,
            homes,
            done: Done::Nothing,
            linked: String::new(),
            signed: Vec::new(),
            links: LinkTally::default(),
            counts: SpreadCounts::default(),
            notes: Vec::new(),
        })
    }

    /// Whether some documents are records of web archives.
    pub fn has_archives(&self) -> bool {
        all(&self.sources).iter().any(|source| source.format.is_archive())
    }

    /// Returns a digest of the files as they were found, and of how they are divided.
    ///
    /// # Errors
    /// As [`Plan::pack`].
    pub fn identity(&self) -> Result<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.plan.pack()?).update(self.sources.stamps().as_bytes());
        Ok(*hasher.finalize().as_bytes())
    }

    /// Returns the plan, which every task of the next step takes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the next step; `None` after the last one.
    pub fn next(&self) -> Result<Option<Step>> {
        let (homes, parts) = (self.homes.len() as u32, self.plan.parts);
        let plain = |stage: StageName, parts: u32| StageStep { stage, parts, inputs: Vec::new(), messages: Vec::new() };
        let step = match &self.done {
            Done::Nothing => {
                let name = if self.plan.sets_aside { "sign-2" } else { "sign" };
                let inputs = if self.plan.sets_aside { vec![("sign".to_owned(), StageName::Sign)] } else { Vec::new() };
                let sign = StageStep { inputs, messages: self.home_rows(StageName::Sign)?, ..plain(StageName::Sign, homes) };
                Step { name: name.to_owned(), stages: vec![sign, plain(StageName::Link, parts)] }
            }
            Done::Linked(name) if self.links.links > self.division.connected => self.stars(name, 1),
            Done::Stars(name, round, changes) if *changes > 0 => self.stars(name, round + 1),
            Done::Linked(_) | Done::Stars(..) => {
                let mut gather = plain(StageName::Gather, parts);
                gather.inputs.push((self.linked.clone(), StageName::Gather));
                let mut stages = Vec::new();
                match &self.done {
                    Done::Stars(name, ..) => gather.inputs.push((name.clone(), StageName::SmallStar)),
                    _ => {
                        stages.push(StageStep { inputs: vec![(self.linked.clone(), StageName::SmallStar)], ..plain(StageName::Connect, 1) })
                    }
                }
                stages.push(gather);
                stages.push(StageStep { messages: self.home_rows(StageName::Fetch)?, ..plain(StageName::Fetch, homes) });
                stages.push(plain(StageName::Compare, parts));
                Step { name: "compare".to_owned(), stages }
            }
            Done::Compared => {
                let inputs = vec![("compare".to_owned(), StageName::Write), ("sign".to_owned(), StageName::Write)];
                let mut messages = self.home_rows(StageName::Write)?;
                for capped in &self.links.capped {
                    for document in &capped.sample {
                        let packed = Message::Named(vec![document.place()]).pack()?;
                        messages.push(Row { stage: StageName::Write, part: document.home(), packed });
                    }
                }
                Step { name: "write".to_owned(), stages: vec![StageStep { inputs, messages, ..plain(StageName::Write, homes) }] }
            }
            Done::Written => return Ok(None),
        };
        Ok(Some(step))
    }

    fn stars(&self, input: &str, round: u32) -> Step {
        let parts = self.plan.parts;
        let small =
            StageStep { stage: StageName::SmallStar, parts, inputs: vec![(input.to_owned(), StageName::SmallStar)], messages: Vec::new() };
        let large = StageStep { stage: StageName::LargeStar, parts, inputs: Vec::new(), messages: Vec::new() };
        Step { name: format!("stars-{round}"), stages: vec![small, large] }
    }

    fn home_rows(&self, stage: StageName) -> Result<Vec<Row>> {
        let row = |home: &HomeSplit| Ok(Row { stage, part: home.number, packed: Message::Home(home.clone()).pack()? });
        self.homes.iter().map(row).collect()
    }

    /// Takes the tallies of a step, as its tasks packed them.
    ///
    /// # Errors
    /// [`Error::Data`] for the first record that cannot be used, unless the job skips such records.
    pub fn take(&mut self, job: &Job<'_>, name: &str, tallies: &[&[u8]]) -> Result<()> {
        let (mut signed, mut links, mut changes) = (Vec::new(), LinkTally::default(), 0);
        let (mut compared, mut written) = (Vec::new(), Vec::new());
        for packed in tallies {
            let Some(Message::Tally(tally)) = receive(packed, &mut Vec::new())? else { continue };
            match *tally {
                Tally::Signed(mut tallies) => signed.append(&mut tallies),
                Tally::Linked(tally) => links.add(tally),
                Tally::Stars(count) => changes += count,
                Tally::Compared(tally) => compared.push(tally),
                Tally::Written(tally) => written.push(tally),
            }
        }
        self.done = match &self.done {
            Done::Nothing => return self.take_signed(job, name, signed, links),
            Done::Linked(_) | Done::Stars(..) if name.starts_with("stars") => {
                let round = if let Done::Stars(_, round, _) = &self.done { round + 1 } else { 1 };
                Done::Stars(name.to_owned(), round, changes)
            }
            Done::Linked(_) | Done::Stars(..) => {
                compared.into_iter().for_each(|tally| self.counts.compared.add(tally));
                Done::Compared
            }
            Done::Compared | Done::Written => {
                written.into_iter().for_each(|tally: WriteTally| self.counts.add_written(tally));
                Done::Written
            }
        };
        Ok(())
    }

    fn take_signed(&mut self, job: &Job<'_>, name: &str, mut signed: Vec<SignTally>, mut links: LinkTally) -> Result<()> {
        signed.sort_unstable_by_key(|tally| tally.home);
        signed.dedup_by_key(|tally| tally.home);
        for at in 1..signed.len() {
            // Chunks of one source follow each other.
            if self.homes[at].chunks.as_ref().is_some_and(|chunks| chunks.start > 0) {
                self.plan.homes[at].rows_before = self.plan.homes[at - 1].rows_before + signed[at - 1].rows;
            }
        }
        if !job.skips() {
            if let Some(tally) = signed.iter().find(|tally| tally.first_reject.is_some()) {
                let before = self.plan.homes[tally.home as usize].rows_before;
                let reject = tally.first_reject.clone().map(|reject| Reject { row: reject.row + before, ..reject });
                return Err(reject.map_or_else(|| Error::Data(String::new()), |reject| neardup_corpus::Error::Data(reject).into()));
            }
            if let Some(repeated) = links.first_repeated.take() {
                return Err(self.refuse_repeated(job, &repeated)?);
            }
        }
        if self.notes.is_empty() {
            self.notes = self.sources.notes(&self.lacking(&signed))?;
        }
        if links.repeated > 0 && !self.plan.sets_aside {
            // The documents whose id is taken are left out, and everything is linked again.
            self.plan.sets_aside = true;
            return Ok(());
        }
        links.capped.sort_unstable();
        (self.signed, self.links, self.linked) = (signed, links, name.to_owned());
        self.done = Done::Linked(name.to_owned());
        Ok(())
    }

    /// Returns the error that an id is taken.
    fn refuse_repeated(&self, job: &Job<'_>, repeated: &RepeatedId) -> Result<Error> {
        let split = &self.homes[repeated.document.home() as usize];
        let folder = tempfile::tempdir().map_err(Error::file(&std::env::temp_dir(), "make a work folder"))?;
        let (watch, document) = (Watch::default(), DocId(repeated.document.place()));
        let mut job = job.without_inputs();
        let home = Home::open(&mut job, split, &TextTask::Note, folder.path(), &watch)?;
        let before = self.plan.homes[split.number as usize].rows_before;
        let source = &home.signed.catalogue.sources[home.source_of[document.index()] as usize];
        let place = home.signed.catalogue.unit(document).place(source, home.rows[document.index()] + before);
        Ok(Error::Data(format!(
            "{place}: the id \"{}\" is already used at {}; ids must be unique; leave the id field out (--id-field), so that ids are source \
             and row and no record is lost, or continue without such records: --on-error skip",
            home.ids.get(document),
            self.plan.place_of_first(repeated)
        )))
    }

    fn lacking(&self, signed: &[SignTally]) -> crate::distributed::Lacking {
        let names = self.sources.names();
        let mut counts = vec![[0; MissingFields::FLAGS]; names.len()];
        for tally in signed {
            for (own, more) in counts[tally.first_source as usize..].iter_mut().zip(&tally.lacking) {
                own.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            }
        }
        crate::distributed::Lacking {
            sources: names,
            counts,
            records: signed.iter().flat_map(|tally| &tally.documents).sum(),
            has_times: signed.iter().any(|tally| tally.has_times),
            has_numbers: true,
            ranks: signed.iter().flat_map(|tally| tally.ranks.iter().copied()).collect::<BTreeSet<u32>>(),
        }
    }

    /// Returns the summary of the finished run, as `run.json` stores it. `phases` are the names and seconds of its phases.
    ///
    /// # Errors
    /// An input was written meanwhile.
    pub fn summary(&self, job: &Job<'_>, engine: &str, phases: &[(String, f64)]) -> Result<String> {
        self.sources.check()?;
        let summary = SpreadSummary {
            job,
            sources: &self.sources,
            plan: &self.plan,
            signed: &self.signed,
            capped: &self.links.capped,
            counts: &self.counts,
            notes: &self.notes,
        };
        summary.to_json(engine, phases)
    }

    /// Returns the number of records that cannot be used.
    pub fn rejected(&self) -> u64 {
        self.counts.rejected.values().sum::<u64>() + self.counts.rejected_of_reference
    }
}

fn all(sources: &Sources) -> Vec<&Source> {
    sources.input().iter().chain(sources.against()).collect()
}

/// Plans the homes of the sources of one side: each has about `size` bytes of the input.
fn plan_homes(job: &Job<'_>, sources: &[Source], is_reference: bool, size: u64, homes: &mut Vec<HomeSplit>) {
    let chunks_of_home = (size / job.options.chunk.max(1) as u64).max(1) as u32;
    let mut source_number = homes.last().map_or(0, |home| home.first_source + home.files.len() as u32);
    let (mut files, mut bytes): (Vec<HomeFile>, u64) = (Vec::new(), 0);
    let push = |homes: &mut Vec<HomeSplit>, files: Vec<HomeFile>, chunks, first_source| {
        homes.push(HomeSplit { number: homes.len() as u32, files, chunks, first_source, is_reference });
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
