//! The driver of a distributed run: which steps there are, what they take, and the summary of what they count.
//!
//! An engine asks for the [next](Driver::next) step, runs its tasks, keeps the rows that they return, and passes the tallies among
//! them to [`Driver::take`]. All choices are made here, so that every engine gives the same result.

mod division;
mod large_families;
#[cfg(test)]
mod local;
mod spread_summary;

use crate::distributed::driver::large_families::LargeFamilies;
use crate::distributed::driver::spread_summary::{SpreadCounts, SpreadSummary};
use crate::distributed::message::{Message, RepeatedId, Row, StageName, receive};
use crate::distributed::past::{self, Past, PastBatch};
use crate::distributed::plan::{HomePlace, HomeSplit, PastPlan, Plan};
use crate::distributed::sent_tables::{self, SentTables, needed, rows_of};
use crate::distributed::signing_pass::given_values;
use crate::distributed::sources::Sources;
use crate::distributed::tally::{Capped, CountTally, DescribeTally, LargeTally, LinkTally, SignTally, Tally, WriteTally};
use crate::documents::names::refuse_repeated;
use crate::job::lexicons::{self, LexiconTask, to_count};
use crate::job::{Job, Verb};
use crate::results::cluster_table::ClusterTable;
use crate::results::missing_fields::Lacking;
use crate::signing::frames;
use crate::{Error, Result};
use arrow_array::RecordBatch;
use neardup_core::scheme::Scheme;
use neardup_core::terms::lexicon::Lexicon;
use neardup_corpus::{Fields, MissingFields, PlaceUnit, Reject};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use division::Division;

/// The step that has the rows of tables, which are sent to their homes.
pub const ROWS: &str = "rows";

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
    /// The terms of the documents that a pass sees are counted.
    Counted,
    /// An id is found that several documents have: the first of them.
    Repeated(RepeatedId),
    /// The links of a pass, or of the clusters of all, are found.
    Linked,
    /// A round of stars, with its name, its number and its changes.
    Stars(String, u32, u64),
    /// The families of a pass are compared, except the large ones; so many blocks of these are decided.
    Divided(u32),
    /// The documents of large families are connected.
    Tied,
    /// The last pass is compared.
    Compared,
    /// The pairs are listed.
    Listed,
    /// The dropped documents of all passes are counted, part by part.
    Followed,
    /// The leader groups of all passes are counted.
    Settled,
    /// The documents in the clusters of all passes are counted, part by part.
    Joined,
    /// The clusters of all passes are named.
    Named,
    Written,
}

/// The driver of one run.
pub struct Driver {
    division: Division,
    /// Bytes of the input and the reference.
    bytes: u64,
    /// Whether pairs are listed.
    lists: bool,
    /// Whether documents are dropped.
    decides: bool,
    /// Names of the tables.
    tables: Vec<&'static str>,
    scheme: Scheme,
    fields: Fields,
    sources: Sources,
    /// The tables whose rows are sent; `None` for files.
    sent: Option<SentTables>,
    plan: Plan,
    /// The past, if it is kept.
    past: Option<Past>,
    homes: Vec<HomeSplit>,
    done: Done,
    /// The step that linked the documents of the pass under way.
    linked: String,
    /// The step that linked those of the first pass.
    first_linked: String,
    /// The steps that compared the documents of each pass.
    compared: Vec<String>,
    /// The step that found the large families of the pass under way, if they are too many links for one task.
    sized: Option<String>,
    large: LargeFamilies,
    /// Counts of the homes, pass by pass.
    signed: Vec<Vec<SignTally>>,
    link_tally: LinkTally,
    /// The lexicon of the pass under way, if that counts its documents.
    lexicon: Option<Arc<Lexicon>>,
    /// Keys above their cap, pass by pass.
    capped: Vec<Vec<Capped>>,
    counts: SpreadCounts,
    notes: Vec<String>,
}

impl Driver {
    /// Finds the files of a job and plans its run. `sent` are the tables of a job whose input is streams; their rows are not read.
    /// `output` is the folder in which the results are made.
    ///
    /// # Errors
    /// As a run.
    pub fn new(job: &Job<'_>, division: Division, sent: Option<SentTables>, output: Option<PathBuf>) -> Result<Self> {
        job.check_options()?;
        let sources = Sources::find(job)?;
        frames::check(job, sources.all())?;
        let of_tables = sent.iter().flat_map(|sent| &sent.sizes).map(|table| table.bytes).sum::<u64>();
        let total = of_tables + sources.all().map(|source| source.bytes).sum::<u64>();
        let past = job.options.past.as_deref().map(|folder| Past::open(folder, job)).transpose()?;
        if past.is_some() {
            past::check(job, sent.as_ref().is_some_and(|sent| sent.by_id))?;
        }
        let of_past: Vec<HomePlace> = past.iter().flat_map(Past::homes).cloned().collect();
        let homes = division::homes(job, &sources, sent.as_ref(), division.home_bytes(total), of_past.len() as u32);
        let formats: Vec<PlaceUnit> = sources.all().map(|source| source.format.unit()).collect();
        // Homes of one source follow each other.
        let follows = |at: usize| at > 0 && homes[at - 1].first_source == homes[at].first_source;
        let places = homes.iter().enumerate().map(|(at, home)| HomePlace {
            name: if home.files.len() == 1 { home.files[0].name.clone() } else { String::new() },
            unit: formats.get(home.first_source as usize).copied().unwrap_or(PlaceUnit::Row),
            follows: follows(at),
            rows_before: 0,
            is_reference: home.is_reference,
        });
        let has_archives = sources.all().any(|source| source.format.is_archive());
        let (past_homes, parts) = (of_past.len() as u32, division.parts(total));
        let parts_of_past = past.as_ref().map(|past| past.parts).filter(|parts| *parts > 0).unwrap_or(parts);
        let past_plan = job.options.past.as_deref().map(|folder| PastPlan {
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
            batches: past.as_ref().map_or(0, |past| past.batches.len() as u32),
            parts: parts_of_past,
        });
        let plan = Plan {
            homes: of_past.into_iter().chain(places).collect(),
            parts,
            key_parts: parts.next_multiple_of(parts_of_past),
            against: job.against.is_some(),
            crosses: false,
            has_urls: job.fields.url.is_some() || has_archives,
            has_ids: job.fields.id.is_some(),
            by_id: sent.as_ref().is_some_and(|sent| sent.by_id),
            pass: 0,
            passes: job.scheme.passes().len() as u32,
            has_archives,
            has_pages: job.lists() && (job.fields.url.is_some() || has_archives),
            ranges: Vec::new(),
            clusters: false,
            sets_aside: false,
            past_homes,
            has_wide_keys: past.is_some() || total > division.wide_above,
            past: past_plan,
            family: 0,
            divided: Vec::new(),
            foreseen: Vec::new(),
            output,
        };
        Ok(Driver {
            division,
            bytes: total,
            lists: job.lists(),
            decides: job.decides(),
            tables: job.tables(),
            scheme: job.scheme.clone(),
            // Another table may have the field.
            fields: Fields {
                given: given_values(job)?,
                may_lack: sent.as_ref().is_some_and(|sent| sent.sizes.len() > 1),
                ..job.fields.clone()
            },
            sources,
            sent,
            past,
            plan,
            homes,
            done: Done::Nothing,
            linked: String::new(),
            first_linked: String::new(),
            compared: Vec::new(),
            sized: None,
            large: LargeFamilies::default(),
            signed: Vec::new(),
            link_tally: LinkTally::default(),
            lexicon: None,
            capped: Vec::new(),
            counts: SpreadCounts::default(),
            notes: Vec::new(),
        })
    }

    /// Returns the homes of a table, of which each has a part of the rows in order.
    pub fn homes_of(&self, table: usize) -> Range<u32> {
        let is_of = |home: &&HomeSplit| home.is_sent && home.first_source as usize == table;
        let mut numbers = self.homes.iter().filter(is_of).map(|home| home.number);
        numbers.next().map_or(0..0, |first| first..first + 1 + numbers.count() as u32)
    }

    /// Packs all rows of a table in memory for their homes.
    ///
    /// # Errors
    /// [`neardup_corpus::Error::Field`] for a field that the table lacks.
    pub fn pack(&self, table: usize, batches: &[RecordBatch]) -> Result<Vec<Row>> {
        let (homes, rows) = (self.homes_of(table), batches.iter().map(|batch| batch.num_rows() as u64).sum());
        let (mut sent, mut first) = (Vec::new(), 0);
        let name = &self.sources.names()[table];
        for batch in batches {
            let batch = needed(name, batch, &self.fields)?;
            let end = first + batch.num_rows() as u64;
            for home in homes.clone() {
                let of_home = rows_of(rows, u64::from(home - homes.start), homes.len() as u64);
                let (start, stop) = (of_home.start.max(first), of_home.end.min(end));
                if start < stop {
                    let slice = batch.slice((start - first) as usize, (stop - start) as usize);
                    // No two messages of a home have the same row.
                    let number = (start - of_home.start) as u32;
                    sent.extend(sent_tables::pack(home, number, &slice)?);
                }
            }
            first = end;
        }
        Ok(sent)
    }

    /// Notes that the run is about to add its documents to the past.
    ///
    /// # Errors
    /// The past cannot be written.
    pub fn begin_past(&self, output: &Path) -> Result<()> {
        let (Some(past), Some(plan)) = (self.past.clone(), &self.plan.past) else { return Ok(()) };
        past.begin(&plan.folder, output)
    }

    /// Adds the documents of the finished run to the past.
    ///
    /// # Errors
    /// The past cannot be written.
    pub fn close_past(&self) -> Result<()> {
        let (Some(past), Some(plan)) = (self.past.clone(), &self.plan.past) else { return Ok(()) };
        let homes = self.plan.homes[self.plan.past_homes as usize..].iter().map(|home| HomePlace { is_reference: true, ..home.clone() });
        let documents = self.signed.iter().flatten().flat_map(|tally| &tally.documents).sum::<u64>();
        let kept = documents - self.counts.rules.iter().sum::<u64>();
        Past { parts: plan.parts, ..past }.close(&plan.folder, PastBatch { homes: homes.collect(), documents, kept })
    }

    /// Returns the lexicon of the pass under way, if that counts its documents.
    pub fn lexicon(&self) -> Option<&Arc<Lexicon>> {
        self.lexicon.as_ref()
    }

    /// Returns the names of the files in which the output has the lexicons that the passes count.
    ///
    /// # Errors
    /// As [`to_count`].
    pub fn lexicon_files(&self) -> Result<Vec<String>> {
        let file = |(number, pass): (usize, &neardup_core::scheme::Pass)| Ok(to_count(pass)?.map(|counts| counts.file(number)));
        self.scheme.passes().iter().enumerate().map(file).filter_map(Result::transpose).collect()
    }

    /// Returns the names of the tables, the verb's own first.
    pub fn tables(&self) -> Vec<&'static str> {
        self.tables.clone()
    }

    /// Returns a digest of the files as they were found, and of how they are divided. It does not depend on the path of a folder `root`
    /// that has them, nor on that of the output.
    ///
    /// # Errors
    /// As [`Plan::pack`].
    pub fn identity(&self, root: Option<&str>) -> Result<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        let stamps = self.sources.stamps();
        let stamps = root.map_or_else(|| stamps.clone(), |root| stamps.replace(root, ""));
        hasher.update(&Plan { output: None, ..self.plan.clone() }.pack()?).update(stamps.as_bytes());
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
            Done::Nothing if to_count(self.pass())?.is_some() => self.count()?,
            Done::Nothing | Done::Counted => self.sign()?,
            Done::Repeated(repeated) => self.describe(repeated)?,
            Done::Linked if self.links() > self.division.connected => self.stars(self.linking(), 1),
            Done::Stars(name, round, changes) if *changes > 0 => self.stars(std::slice::from_ref(name), round + 1),
            Done::Stars(name, ..) if self.plan.family > 0 && !self.plan.clusters && self.sized.is_none() => {
                let inputs = vec![(name.clone(), StageName::SmallStar)];
                let weigh = StageStep { inputs, ..plain(StageName::Weigh, parts) };
                Step { name: format!("sizes-{}", self.plan.pass + 1), stages: vec![weigh, plain(StageName::Large, parts)] }
            }
            Done::Linked | Done::Stars(..) if self.plan.clusters => {
                Step { name: "join".to_owned(), stages: self.connected(StageName::Join, &self.compared) }
            }
            Done::Joined => self.grouped("name", "join"),
            Done::Followed => self.grouped("groups", "settle"),
            Done::Linked | Done::Stars(..) => {
                let of_nodes: Vec<String> = [self.linked.clone()].into_iter().chain(self.sized.clone()).collect();
                let mut stages = self.connected(StageName::Gather, &of_nodes);
                let fetch =
                    StageStep { inputs: self.sent_rows(), messages: self.home_rows(StageName::Fetch)?, ..plain(StageName::Fetch, homes) };
                stages.push(fetch);
                stages.push(plain(StageName::Compare, parts));
                Step { name: format!("compare-{}", self.plan.pass + 1), stages }
            }
            Done::Divided(round) if !self.large.left.is_empty() => {
                let inputs = vec![(self.large.last().to_owned(), StageName::Divide)];
                let divide = StageStep { inputs, ..plain(StageName::Divide, parts) };
                let (blocks, chunks) = (self.plan.divided.len() as u32, self.plan.divided.last().map_or(0, |family| family.chunks.end));
                let stages = vec![divide, plain(StageName::Lead, blocks + chunks), plain(StageName::Chase, chunks)];
                Step { name: format!("lead-{}-{}", self.plan.pass + 1, round + 1), stages }
            }
            Done::Divided(_) if !self.plan.divided.is_empty() => {
                let inputs = vec![(self.large.first().to_owned(), StageName::Divide)];
                let ties = self.plan.divided.last().map_or(0, |family| family.first_tie + family.ties());
                let pair = StageStep { inputs, ..plain(StageName::Pair, parts) };
                Step { name: format!("tie-{}", self.plan.pass + 1), stages: vec![pair, plain(StageName::Tie, ties)] }
            }
            Done::Divided(_) | Done::Tied => {
                let inputs = self.large.steps.iter().map(|name| (name.clone(), StageName::Expand)).collect();
                let expand = StageStep { inputs, ..plain(StageName::Expand, parts) };
                Step { name: format!("expand-{}", self.plan.pass + 1), stages: vec![expand] }
            }
            Done::Compared if self.lists => {
                let inputs = self.compared.iter().map(|name| (name.clone(), StageName::Route)).collect();
                let route = StageStep { inputs, ..plain(StageName::Route, parts) };
                Step { name: "pairs".to_owned(), stages: vec![route, plain(StageName::List, self.plan.ranges.len() as u32 + 1)] }
            }
            Done::Compared | Done::Listed if (self.plan.passes > 1 || self.large.are_there) && self.decides => {
                let settle = |_| plain(StageName::Settle, parts);
                let mut stages: Vec<StageStep> = (1..self.plan.passes).map(settle).collect();
                stages.push(plain(StageName::Follow, parts));
                let first = stages[0].stage;
                stages[0].inputs = self.compared.iter().map(|name| (name.clone(), first)).collect();
                Step { name: "settle".to_owned(), stages }
            }
            Done::Compared | Done::Listed | Done::Settled | Done::Named => {
                // With one pass, families that one task compares are decided there.
                let mut verdicts: Vec<String> = self.compared.iter().take(usize::from(self.plan.passes == 1)).cloned().collect();
                verdicts.extend(matches!(self.done, Done::Settled | Done::Named).then(|| "groups".to_owned()));
                verdicts.extend((self.done == Done::Named).then(|| "name".to_owned()));
                let mut inputs = self.sent_rows();
                inputs.extend(verdicts.into_iter().chain(["sign-1".to_owned()]).map(|name| (name, StageName::Write)));
                let mut messages = self.home_rows(StageName::Write)?;
                let shown = self.capped.iter().flatten().flat_map(|capped| &capped.sample);
                for document in shown.filter(|document| !self.counts.names.contains_key(document)) {
                    let packed = Message::Named(vec![document.place()]).pack()?;
                    messages.push(Row { stage: StageName::Write, part: document.home(), packed });
                }
                let mut stages = vec![StageStep { inputs, messages, ..plain(StageName::Write, homes) }];
                if let Some(past) = &self.plan.past {
                    let mut inputs = vec![("compare-1".to_owned(), StageName::Past)];
                    inputs.extend((self.done == Done::Settled).then(|| ("settle".to_owned(), StageName::Past)));
                    stages.push(StageStep { inputs, ..plain(StageName::Past, past.parts) });
                }
                Step { name: "write".to_owned(), stages }
            }
            Done::Written => return Ok(None),
        };
        Ok(Some(step))
    }

    /// Returns a stage at the homes, with what it takes to know which documents the pass under way sees.
    fn seen(&self, stage: StageName) -> Result<StageStep> {
        // Documents that are set aside, those that are dropped, and those without features in the pass before.
        let mut inputs = self.compared.clone();
        inputs.extend(self.plan.sets_aside.then(|| "sign-1".to_owned()));
        for linked in [&self.first_linked, &self.linked] {
            inputs.extend((self.plan.pass > 0 && !inputs.contains(linked)).then(|| linked.clone()));
        }
        let inputs = self.sent_rows().into_iter().chain(inputs.into_iter().map(|name| (name, StageName::Sign))).collect();
        Ok(StageStep { stage, parts: self.homes.len() as u32, inputs, messages: self.home_rows(stage)? })
    }

    /// Returns the pass under way.
    fn pass(&self) -> &neardup_core::scheme::Pass {
        &self.scheme.passes()[self.plan.pass as usize]
    }

    /// Returns the step that counts the documents that a pass sees, for its lexicon.
    fn count(&self) -> Result<Step> {
        let parts = |stage: StageName| StageStep { stage, parts: self.plan.parts, inputs: Vec::new(), messages: Vec::new() };
        let stages = match to_count(self.pass())? {
            Some(LexiconTask::Frame(..)) => {
                let inputs = self.sent_rows();
                let messages = self.home_rows(StageName::Shingles)?;
                let shingles = StageStep { stage: StageName::Shingles, parts: self.homes.len() as u32, inputs, messages };
                vec![self.seen(StageName::Hosts)?, parts(StageName::Texts), parts(StageName::Sample), shingles, parts(StageName::Frame)]
            }
            _ => vec![self.seen(StageName::Count)?, parts(StageName::Sum)],
        };
        Ok(Step { name: format!("count-{}", self.plan.pass + 1), stages })
    }

    /// Returns the step that describes a document whose id another one has.
    fn describe(&self, repeated: &RepeatedId) -> Result<Step> {
        let home = repeated.document.home();
        let mut messages: Vec<Row> = self.home_rows(StageName::Describe)?.into_iter().filter(|row| row.part == home).collect();
        let packed = Message::Named(vec![repeated.document.place()]).pack()?;
        messages.push(Row { stage: StageName::Describe, part: home, packed });
        let describe = StageStep { stage: StageName::Describe, parts: self.homes.len() as u32, inputs: self.sent_rows(), messages };
        Ok(Step { name: "describe".to_owned(), stages: vec![describe] })
    }

    /// Returns the step that has the rows of tables, if there are any.
    fn sent_rows(&self) -> Vec<(String, StageName)> {
        self.sent.iter().map(|_| (ROWS.to_owned(), StageName::Home)).collect()
    }

    /// Returns the step that signs the documents for a pass, and links them.
    fn sign(&self) -> Result<Step> {
        let pass = self.plan.pass + 1;
        let name = if pass == 1 && self.plan.sets_aside { "sign-again".to_owned() } else { format!("sign-{pass}") };
        let sign = self.seen(StageName::Sign)?;
        let link = StageStep { stage: StageName::Link, parts: self.plan.key_parts, inputs: Vec::new(), messages: Vec::new() };
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

    /// Returns the step that adds up the shares of groups which another step counted.
    fn grouped(&self, name: &str, counted: &str) -> Step {
        let stage = |stage| StageStep { stage, parts: self.plan.parts, inputs: vec![(counted.to_owned(), stage)], messages: Vec::new() };
        Step { name: name.to_owned(), stages: vec![stage(StageName::Group), stage(StageName::Learn)] }
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
        let (mut listed, mut counted, mut described) = (Vec::new(), Vec::new(), None);
        for packed in tallies {
            let Some(Message::Tally(tally)) = receive(packed)? else { continue };
            match *tally {
                Tally::Counted(tally) => counted.push(tally),
                Tally::Described(tally) => described = Some(tally),
                Tally::Signed(tally) => signed.push(tally),
                Tally::Linked(tally) => links.add(tally),
                Tally::Stars(count) => changes += count,
                Tally::Compared(tally) => compared.push(tally),
                Tally::Listed(tally) => listed.push(tally.sum),
                Tally::Written(tally) => written.push(tally),
            }
        }
        match (&self.done, name) {
            (Done::Nothing, _) if name.starts_with("count") => return self.take_counted(counted),
            (Done::Nothing | Done::Counted, _) => return self.take_signed(job, name, signed, links),
            (Done::Repeated(repeated), _) => return Err(self.refuse_repeated(described.unwrap_or_default(), repeated)),
            (Done::Stars(..), _) if name.starts_with("sizes") => self.sized = Some(name.to_owned()),
            (Done::Linked, _) if name.starts_with("stars") => self.done = Done::Stars(name.to_owned(), 1, changes),
            (Done::Stars(_, round, _), _) if name.starts_with("stars") => self.done = Done::Stars(name.to_owned(), round + 1, changes),
            (_, "pairs") => {
                if job.verb == Verb::Pairs {
                    self.counts.sums = listed;
                }
                self.done = Done::Listed;
            }
            (_, "settle") => self.done = Done::Followed,
            (_, "join") => self.done = Done::Joined,
            (_, "groups" | "name") => {
                let has_more = job.verb == Verb::Cluster && name == "groups";
                // Broder's table is of the clusters, if there are any.
                compared.iter_mut().filter(|_| has_more).for_each(|tally| tally.clusters = ClusterTable::default());
                compared.into_iter().for_each(|tally| self.counts.compared.add(tally));
                self.plan.clusters = has_more;
                self.done = match (has_more, name) {
                    (true, _) => Done::Linked,
                    (_, "name") => Done::Named,
                    _ => Done::Settled,
                };
            }
            (Done::Linked | Done::Stars(..), _) => {
                self.counts.passes.push(compared.iter().map(|tally| tally.dropped).sum());
                let mut large = LargeTally::default();
                for mut tally in compared {
                    large.add(std::mem::take(&mut tally.large));
                    self.capped[self.plan.pass as usize].append(&mut tally.capped);
                    self.counts.names.extend(std::mem::take(&mut tally.names));
                    self.counts.compared.add(tally);
                }
                self.capped[self.plan.pass as usize].sort_unstable();
                self.compared.push(name.to_owned());
                if large.families.is_empty() {
                    self.finish_pass();
                } else {
                    self.large.begin(name, large);
                    self.plan.divided = self.large.blocks(self.plan.family);
                    self.done = Done::Divided(0);
                }
            }
            (Done::Divided(round), _) if name.starts_with("lead") => {
                self.done = Done::Divided(round + 1);
                self.large.lead(name, compared);
                self.plan.divided = self.large.blocks(self.plan.family);
                if self.plan.divided.is_empty() && job.verb == Verb::Cluster {
                    self.plan.divided = self.large.ties(self.plan.family);
                }
            }
            (Done::Divided(_), _) if name.starts_with("tie") => {
                compared.into_iter().for_each(|tally| self.counts.compared.add(tally));
                self.compared.push(name.to_owned());
                self.done = Done::Tied;
            }
            (Done::Divided(_) | Done::Tied, _) => {
                let dropped = compared.iter().map(|tally| tally.dropped).sum::<u64>();
                self.counts.passes.last_mut().into_iter().for_each(|count| *count += dropped);
                compared.into_iter().for_each(|tally| self.counts.compared.add(tally));
                self.compared.push(name.to_owned());
                self.finish_pass();
            }
            _ => {
                written.into_iter().for_each(|tally: WriteTally| self.counts.add_written(tally));
                self.done = Done::Written;
            }
        }
        Ok(())
    }

    /// Goes to the next pass, or to what follows the last one.
    fn finish_pass(&mut self) {
        let is_last = self.plan.pass + 1 == self.plan.passes;
        if is_last && self.lists {
            self.plan_ranges();
        }
        self.plan.pass += u32::from(!is_last);
        self.plan.divided = Vec::new();
        self.sized = None;
        self.lexicon = self.lexicon.take().filter(|_| is_last);
        self.done = if is_last { Done::Compared } else { Done::Nothing };
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
            self.check_records(job, &signed)?;
            if let Some(repeated) = links.first_repeated.take().filter(|_| !job.skips() || self.plan.by_id) {
                self.done = Done::Repeated(repeated);
                return Ok(());
            }
            if links.repeated > 0 && !self.plan.sets_aside {
                // The documents whose id is taken are left out, and everything is linked again.
                self.plan.sets_aside = true;
                return Ok(());
            }
        }
        // A key that only bounds comparisons needs all its documents in one task, and so do lists of pairs.
        let documents = signed.iter().flat_map(|tally| &tally.documents).sum::<u64>();
        let family = self.division.family.min(self.division.family_bytes / (self.bytes / documents.max(1)).max(1)).max(2);
        let divides = !self.lists && links.bounded == 0 && links.links >= family;
        self.plan.family = if divides { family } else { 0 };
        self.plan.foreseen = links.capped.iter().map(|capped| capped.bucket).filter(|_| divides).collect();
        self.capped.push(std::mem::take(&mut links.capped));
        self.signed.push(signed);
        (self.link_tally, self.linked, self.done) = (links, name.to_owned(), Done::Linked);
        if self.plan.pass == 0 {
            self.first_linked = name.to_owned();
        }
        Ok(())
    }

    /// Checks the records of the first pass, and learns the rows before every home.
    fn check_records(&mut self, job: &Job<'_>, signed: &[SignTally]) -> Result<()> {
        let past = self.plan.past_homes as usize;
        for at in past + 1..self.plan.homes.len() {
            if self.plan.homes[at].follows {
                self.plan.homes[at].rows_before = self.plan.homes[at - 1].rows_before + signed[at - 1 - past].rows;
            }
        }
        if !job.skips()
            && let Some((home, reject)) = signed.iter().find_map(|tally| Some((tally.home, tally.first_reject.clone()?)))
        {
            let row = reject.row + self.plan.homes[home as usize].rows_before;
            return Err(neardup_corpus::Error::Data(Reject { row, ..reject }).into());
        }
        self.plan.crosses = signed.iter().any(|tally| tally.is_reference && tally.documents.iter().any(|count| *count > 0));
        if self.notes.is_empty() {
            self.notes = self.sources.notes(&self.lacking(signed))?;
        }
        Ok(())
    }

    /// Returns the error that an id is taken.
    fn refuse_repeated(&self, described: DescribeTally, repeated: &RepeatedId) -> Error {
        let DescribeTally { place, id } = described;
        if self.plan.by_id {
            return Error::Data(format!("the id \"{id}\" occurs more than once, and a DataFrame has no first: ids must be unique"));
        }
        refuse_repeated(&place, &id, &self.plan.place_of_first(repeated))
    }

    /// Makes the lexicon of the pass under way from the counts of its documents.
    fn take_counted(&mut self, counted: Vec<CountTally>) -> Result<()> {
        self.done = Done::Counted;
        let Some(counts) = to_count(self.pass())? else { return Ok(()) };
        let sum = |count: fn(&CountTally) -> u64| counted.iter().map(count).sum::<u64>();
        if matches!(counts, LexiconTask::Frame(..)) && sum(|tally| tally.seen) > 0 && sum(|tally| tally.hosted) == 0 {
            return Err(frames::without_hosts(frames::NO_HOST));
        }
        let documents = sum(|tally| tally.documents);
        let mut terms: BTreeMap<u64, u32> = BTreeMap::new();
        counted.iter().flat_map(|tally| &tally.terms).for_each(|(term, count)| *terms.entry(*term).or_default() += count);
        let (terms, numbers) = terms.into_iter().unzip();
        let lexicon = Lexicon::new(documents, counts.counting().counted().to_owned(), terms, numbers).map_err(Error::Usage)?;
        if let Some(output) = &self.plan.output {
            lexicons::write(&output.join(counts.file(self.plan.pass as usize)), &lexicon)?;
        }
        self.lexicon = Some(Arc::new(lexicon));
        Ok(())
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
