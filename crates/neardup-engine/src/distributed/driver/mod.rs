//! The driver of a distributed run: which steps there are, what they take, and the summary of what they count.
//!
//! An engine asks for the [next](Driver::next) step, runs its tasks, keeps the rows that they return, and passes the tallies among
//! them to [`Driver::take`]. All choices are made here, so that every engine gives the same result.

#[cfg(test)]
mod local;
mod spread_summary;

use crate::distributed::driver::spread_summary::{SpreadCounts, SpreadSummary};
use crate::distributed::home::Home;
use crate::distributed::message::{Message, RepeatedId, Row, StageName, receive};
use crate::distributed::plan::{HomeFile, HomePlace, HomeSplit, Plan};
use crate::distributed::sources::Sources;
use crate::distributed::tally::{Capped, LinkTally, SignTally, Tally, WriteTally};
use crate::documents::names::refuse_repeated;
use crate::job::{Job, Verb};
use crate::progress::Watch;
use crate::results::cluster_table::ClusterTable;
use crate::results::missing_fields::Lacking;
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
    /// Number of pairs of a range, of which each is a part of the table.
    pub listed: u64,
    /// Maximum number of links that one task connects: about 100 bytes each.
    pub connected: u64,
}

impl Division {
    /// Returns the division for a number of cores.
    pub fn for_cores(cores: u32) -> Self {
        Division { cores: cores.max(1), home: [2 << 20, 32 << 20], part: 32 << 20, listed: 250_000, connected: 2_000_000 }
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
    /// The links of a pass, or of the clusters of all, are found.
    Linked,
    /// A round of stars, with its name, its number and its changes.
    Stars(String, u32, u64),
    /// The last pass is compared.
    Compared,
    /// The pairs are listed.
    Listed,
    /// The groups of all passes are counted.
    Settled,
    /// The clusters of all passes are named.
    Named,
    Written,
}

/// The driver of one run.
pub struct Driver {
    division: Division,
    /// Whether pairs are listed.
    lists: bool,
    /// Whether documents are dropped.
    decides: bool,
    /// Names of the tables.
    tables: Vec<&'static str>,
    sources: Sources,
    plan: Plan,
    homes: Vec<HomeSplit>,
    done: Done,
    /// The step that linked the documents of the pass under way.
    linked: String,
    /// The steps that compared the documents of each pass.
    compared: Vec<String>,
    /// Counts of the homes, pass by pass.
    signed: Vec<Vec<SignTally>>,
    link_tally: LinkTally,
    /// Keys above their cap, pass by pass.
    capped: Vec<Vec<Capped>>,
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
            crosses: false,
            has_urls: job.fields.url.is_some(),
            has_ids: job.fields.id.is_some(),
            pass: 0,
            passes: job.scheme.passes().len() as u32,
            has_archives: all(&sources).iter().any(|source| source.format.is_archive()),
            has_pages: job.lists() && job.fields.url.is_some(),
            ranges: Vec::new(),
            clusters: false,
            sets_aside: false,
            output,
        };
        Ok(Driver {
            division,
            lists: job.lists(),
            decides: job.decides(),
            tables: job.tables(),
            sources,
            plan,
            homes,
            done: Done::Nothing,
            linked: String::new(),
            compared: Vec::new(),
            signed: Vec::new(),
            link_tally: LinkTally::default(),
            capped: Vec::new(),
            counts: SpreadCounts::default(),
            notes: Vec::new(),
        })
    }

    /// Whether some documents are records of web archives.
    pub fn has_archives(&self) -> bool {
        self.plan.has_archives
    }

    /// Returns the names of the tables, the verb's own first.
    pub fn tables(&self) -> Vec<&'static str> {
        self.tables.clone()
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
            Done::Nothing => self.sign()?,
            Done::Linked if self.links() > self.division.connected => self.stars(self.linking(), 1),
            Done::Stars(name, round, changes) if *changes > 0 => self.stars(std::slice::from_ref(name), round + 1),
            Done::Linked | Done::Stars(..) if self.plan.clusters => {
                let mut stages = self.connected(StageName::Join, &self.compared);
                stages.push(plain(StageName::Name, parts));
                Step { name: "name".to_owned(), stages }
            }
            Done::Linked | Done::Stars(..) => {
                let mut stages = self.connected(StageName::Gather, std::slice::from_ref(&self.linked));
                stages.push(StageStep { messages: self.home_rows(StageName::Fetch)?, ..plain(StageName::Fetch, homes) });
                stages.push(plain(StageName::Compare, parts));
                Step { name: format!("compare-{}", self.plan.pass + 1), stages }
            }
            Done::Compared if self.lists => {
                let inputs = self.compared.iter().map(|name| (name.clone(), StageName::Route)).collect();
                let route = StageStep { inputs, ..plain(StageName::Route, parts) };
                Step { name: "pairs".to_owned(), stages: vec![route, plain(StageName::List, self.plan.ranges.len() as u32 + 1)] }
            }
            Done::Compared | Done::Listed if self.plan.passes > 1 && self.decides => {
                let settle = |_| plain(StageName::Settle, parts);
                let mut stages: Vec<StageStep> = (1..self.plan.passes).map(settle).collect();
                stages[0].inputs = self.compared.iter().map(|name| (name.clone(), StageName::Settle)).collect();
                stages.push(plain(StageName::Group, parts));
                Step { name: "settle".to_owned(), stages }
            }
            Done::Compared | Done::Listed | Done::Settled | Done::Named => {
                let verdicts = match (&self.done, self.compared.first()) {
                    (Done::Compared | Done::Listed, Some(name)) => vec![name.clone()],
                    (Done::Named, _) => vec!["settle".to_owned(), "name".to_owned()],
                    _ => vec!["settle".to_owned()],
                };
                let inputs = verdicts.into_iter().chain(["sign-1".to_owned()]).map(|name| (name, StageName::Write)).collect();
                let mut messages = self.home_rows(StageName::Write)?;
                let shown = self.capped.iter().flatten().flat_map(|capped| &capped.sample);
                for document in shown.filter(|document| !self.counts.names.contains_key(document)) {
                    let packed = Message::Named(vec![document.place()]).pack()?;
                    messages.push(Row { stage: StageName::Write, part: document.home(), packed });
                }
                Step { name: "write".to_owned(), stages: vec![StageStep { inputs, messages, ..plain(StageName::Write, homes) }] }
            }
            Done::Written => return Ok(None),
        };
        Ok(Some(step))
    }

    /// Returns the step that signs the documents for a pass, and links them.
    fn sign(&self) -> Result<Step> {
        let (homes, parts, pass) = (self.homes.len() as u32, self.plan.parts, self.plan.pass + 1);
        let name = if pass == 1 && self.plan.sets_aside { "sign-again".to_owned() } else { format!("sign-{pass}") };
        // Documents that are set aside, those that are dropped, and those without features in the pass before.
        let mut inputs = self.compared.clone();
        inputs.extend(self.plan.sets_aside.then(|| "sign-1".to_owned()));
        inputs.extend((pass > 1).then(|| self.linked.clone()).filter(|linked| !inputs.contains(linked)));
        let inputs = inputs.into_iter().map(|name| (name, StageName::Sign)).collect();
        let sign = StageStep { stage: StageName::Sign, parts: homes, inputs, messages: self.home_rows(StageName::Sign)? };
        let link = StageStep { stage: StageName::Link, parts, inputs: Vec::new(), messages: Vec::new() };
        Ok(Step { name, stages: vec![sign, link] })
    }

    /// Returns the steps that made the links under way.
    fn linking(&self) -> &[String] {
        if self.plan.clusters { &self.compared } else { std::slice::from_ref(&self.linked) }
    }

    /// Returns the number of these links, as far as they are counted.
    fn links(&self) -> u64 {
        if self.plan.clusters { self.counts.compared.links } else { self.link_tally.links }
    }

    /// Returns the stages in which all links are connected, and `taker` takes the roots with the rows of some steps.
    fn connected(&self, taker: StageName, steps: &[String]) -> Vec<StageStep> {
        let mut inputs: Vec<(String, StageName)> = steps.iter().map(|name| (name.clone(), taker)).collect();
        let mut stages = Vec::new();
        match &self.done {
            Done::Stars(name, ..) => inputs.push((name.clone(), StageName::SmallStar)),
            _ => {
                let links = self.linking().iter().map(|name| (name.clone(), StageName::SmallStar)).collect();
                stages.push(StageStep { stage: StageName::Connect, parts: 1, inputs: links, messages: Vec::new() });
            }
        }
        stages.push(StageStep { stage: taker, parts: self.plan.parts, inputs, messages: Vec::new() });
        stages
    }

    fn stars(&self, inputs: &[String], round: u32) -> Step {
        let parts = self.plan.parts;
        let inputs = inputs.iter().map(|name| (name.clone(), StageName::SmallStar)).collect();
        let small = StageStep { stage: StageName::SmallStar, parts, inputs, messages: Vec::new() };
        let large = StageStep { stage: StageName::LargeStar, parts, inputs: Vec::new(), messages: Vec::new() };
        let of = if self.plan.clusters { "clusters".to_owned() } else { (self.plan.pass + 1).to_string() };
        Step { name: format!("stars-{of}-{round}"), stages: vec![small, large] }
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
        let mut listed = Vec::new();
        for packed in tallies {
            let Some(Message::Tally(tally)) = receive(packed, &mut Vec::new())? else { continue };
            match *tally {
                Tally::Signed(tally) => signed.push(tally),
                Tally::Linked(tally) => links.add(tally),
                Tally::Stars(count) => changes += count,
                Tally::Compared(tally) => compared.push(tally),
                Tally::Listed(tally) => listed.push(tally.sum),
                Tally::Written(tally) => written.push(tally),
            }
        }
        match (&self.done, name) {
            (Done::Nothing, _) => return self.take_signed(job, name, signed, links),
            (Done::Linked, _) if name.starts_with("stars") => self.done = Done::Stars(name.to_owned(), 1, changes),
            (Done::Stars(_, round, _), _) if name.starts_with("stars") => self.done = Done::Stars(name.to_owned(), round + 1, changes),
            (_, "pairs") => {
                if job.verb == Verb::Pairs {
                    self.counts.sums = listed;
                }
                self.done = Done::Listed;
            }
            (_, "settle" | "name") => {
                // Broder's table is of the clusters, if there are any.
                if name == "name" {
                    self.counts.compared.clusters = ClusterTable::default();
                }
                compared.into_iter().for_each(|tally| self.counts.compared.add(tally));
                let has_more = job.verb == Verb::Cluster && name == "settle";
                self.plan.clusters = has_more;
                self.done = match (has_more, name) {
                    (true, _) => Done::Linked,
                    (_, "name") => Done::Named,
                    _ => Done::Settled,
                };
            }
            (Done::Linked | Done::Stars(..), _) => {
                self.counts.passes.push(compared.iter().map(|tally| tally.dropped).sum());
                for mut tally in compared {
                    self.capped[self.plan.pass as usize].append(&mut tally.capped);
                    self.counts.names.extend(std::mem::take(&mut tally.names));
                    self.counts.compared.add(tally);
                }
                self.capped[self.plan.pass as usize].sort_unstable();
                self.compared.push(name.to_owned());
                let is_last = self.plan.pass + 1 == self.plan.passes;
                if is_last && self.lists {
                    self.plan_ranges();
                }
                self.plan.pass += u32::from(!is_last);
                self.done = if is_last { Done::Compared } else { Done::Nothing };
            }
            _ => {
                written.into_iter().for_each(|tally: WriteTally| self.counts.add_written(tally));
                self.done = Done::Written;
            }
        }
        Ok(())
    }

    /// Divides the pairs into ranges of about equal numbers.
    fn plan_ranges(&mut self) {
        let mut sample = std::mem::take(&mut self.counts.compared.pairs.sample);
        let ranges = (self.counts.compared.pairs.count / self.division.listed).min(sample.len() as u64) as usize;
        sample.sort_by(|one, other| self.plan.order(one, other));
        self.plan.ranges = (1..=ranges).map(|range| sample[range * sample.len() / (ranges + 1)].clone()).collect();
    }

    fn take_signed(&mut self, job: &Job<'_>, name: &str, mut signed: Vec<SignTally>, mut links: LinkTally) -> Result<()> {
        signed.sort_unstable_by_key(|tally| tally.home);
        signed.dedup_by_key(|tally| tally.home);
        if self.plan.pass == 0 {
            self.check_records(job, &signed, &mut links)?;
            if links.repeated > 0 && !self.plan.sets_aside {
                // The documents whose id is taken are left out, and everything is linked again.
                self.plan.sets_aside = true;
                return Ok(());
            }
        }
        self.capped.push(std::mem::take(&mut links.capped));
        self.signed.push(signed);
        (self.link_tally, self.linked, self.done) = (links, name.to_owned(), Done::Linked);
        Ok(())
    }

    /// Checks the records of the first pass, and learns the rows before every home.
    fn check_records(&mut self, job: &Job<'_>, signed: &[SignTally], links: &mut LinkTally) -> Result<()> {
        for at in 1..signed.len() {
            // Chunks of one source follow each other.
            if self.homes[at].chunks.as_ref().is_some_and(|chunks| chunks.start > 0) {
                self.plan.homes[at].rows_before = self.plan.homes[at - 1].rows_before + signed[at - 1].rows;
            }
        }
        if !job.skips() {
            if let Some((home, reject)) = signed.iter().find_map(|tally| Some((tally.home, tally.first_reject.clone()?))) {
                let row = reject.row + self.plan.homes[home as usize].rows_before;
                return Err(neardup_corpus::Error::Data(Reject { row, ..reject }).into());
            }
            if let Some(repeated) = links.first_repeated.take() {
                return Err(self.refuse_repeated(job, &repeated)?);
            }
        }
        self.plan.crosses = signed.iter().any(|tally| tally.is_reference && tally.documents.iter().any(|count| *count > 0));
        if self.notes.is_empty() {
            self.notes = self.sources.notes(&self.lacking(signed))?;
        }
        Ok(())
    }

    /// Returns the error that an id is taken.
    fn refuse_repeated(&self, job: &Job<'_>, repeated: &RepeatedId) -> Result<Error> {
        let split = &self.homes[repeated.document.home() as usize];
        let folder = tempfile::tempdir().map_err(Error::file(&std::env::temp_dir(), "make a work folder"))?;
        let (watch, document) = (Watch::default(), DocId(repeated.document.place()));
        let mut job = job.without_inputs();
        let home = Home::open(&mut job, split, false, &TextTask::Note, folder.path(), &watch)?;
        let before = self.plan.homes[split.number as usize].rows_before;
        let source = &home.signed.catalogue.sources[home.source_of[document.index()] as usize];
        let place = home.signed.catalogue.unit(document).place(source, home.rows[document.index()] + before);
        Ok(refuse_repeated(&place, &home.ids.get(document), &self.plan.place_of_first(repeated)))
    }

    fn lacking(&self, signed: &[SignTally]) -> Lacking {
        let names = self.sources.names();
        let mut counts = vec![[0; MissingFields::FLAGS]; names.len()];
        for tally in signed {
            for (own, more) in counts[tally.first_source as usize..].iter_mut().zip(&tally.lacking) {
                own.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            }
        }
        Lacking {
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
            capped: &self.capped,
            counts: &self.counts,
            notes: &self.notes,
        };
        summary.to_json(engine, phases)
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
