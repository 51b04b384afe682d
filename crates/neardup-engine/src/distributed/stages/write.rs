//! Writing: the verdicts on the documents of a home become rows of the result's tables, and the home is written again without the
//! documents that are dropped.

use crate::distributed::home::{Home, HomeCopies, member, no_home};
use crate::distributed::message::{DocName, DocNumber, Dropped, HomeVerdict, Outbox, RepeatedId, StageName};
use crate::distributed::output::{put, write_table};
use crate::distributed::past::{ShelvedText, write_shelf};
use crate::distributed::plan::{HomeSplit, PastPlan, Plan};
use crate::distributed::stages::sign::HomeSigning;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{Tally, WriteTally};
use crate::documents::ids::Ids;
use crate::documents::names::{repeated_reason, sort_rejects};
use crate::findings::clusters::Clusters;
use crate::findings::decisions::{DroppedDocument, DroppedDocuments};
use crate::job::Verb;
use crate::results::digest;
use crate::results::kept_files::KEPT;
use crate::results::tables::clusters::ClusterRows;
use crate::results::tables::decisions::Decisions;
use crate::signing::worker::TextTask;
use crate::tables::names::TableNames;
use crate::{Error, Result};
use neardup_core::decide::value::PairValue;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::ids::DocId;
use neardup_corpus::{Reject, SourceSpan, excerpt, keep, outside, write_rejects};
use neardup_disk::regular;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the folder of rejects, in the output.
pub const REJECTS: &str = "rejects.jsonl";

/// Writes the results of a home.
pub fn write(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let input = inbox.home().ok_or_else(no_home)?;
    let split = &input.split;
    let folder = task.folder()?;
    let (verb, chunk, writes_kept, decides) =
        (task.job.verb, task.job.options.chunk as u64, task.job.writes_kept(), task.has_deciding_value()?);
    let pass = task.plan.past.is_some().then(|| task.pass_to_sign()).transpose()?;
    let doing = pass.as_ref().map_or(TextTask::Note, TextTask::Sign);
    let mut home = task.open(&input, &doing, folder.path())?;
    set_aside(&mut home, task.plan, split, &inbox.repeated)?;
    let before = task.plan.homes[split.number as usize].rows_before;
    let rows: Vec<u64> = home.rows.iter().map(|row| row + before).collect();
    let aside = inbox.repeated.iter().map(|repeated| repeated.document.place()).collect();
    let found = joined(inbox.verdicts, inbox.clustered, &task.copies_at(split, &home, &aside)?);
    if let (Some(pass), Some(past)) = (&pass, &task.plan.past) {
        shelve(task, past, &input.split, &home, pass, &found, outbox)?;
    }
    let foreign = Foreign::of(task.plan, split, &found);
    home.signed.reference = (home.signed.len() + foreign.inputs) as u32;
    let results = HomeResults { plan: task.plan, split, home: &home, rows: &rows, decides };
    let mut tally = results.tally(&found, &inbox.named);
    results.write_rejects()?;
    if split.is_reference || verb == Verb::Pairs {
        return outbox.report(Tally::Written(tally));
    }
    let ids = foreign.ids(task.plan, &home, &rows);
    let (verdicts, clusters) = results.verdicts(found, &foreign);
    let names = results.names(&ids);
    let sum = if verb == Verb::Cluster {
        let table = ClusterRows { names: &names, verdicts: &verdicts, clusters: &clusters };
        write_table(task.plan, "clusters", split.number, &table, outbox)?;
        digest::sum_clusters(&names, &verdicts, &clusters)
    } else {
        let table = Decisions { names: &names, verdicts: &verdicts, verified: &task.verified() };
        write_table(task.plan, "decisions", split.number, &table, outbox)?;
        digest::sum_decisions(&names, &verdicts)
    };
    tally.sum = sum.to_bytes();
    // Rows that were sent are kept by the caller, whose table has them.
    if writes_kept && !split.is_sent {
        results.write_kept(&verdicts, chunk, task)?;
    }
    let taker = if task.plan.past.is_some() { StageName::Past } else { StageName::Driver };
    outbox.hand_on(taker, [Tally::Written(tally)])
}

/// Adds the kept documents of a home to the past: their keys, and their texts.
fn shelve(
    task: &StageTask<'_, '_>,
    past: &PastPlan,
    split: &HomeSplit,
    home: &Home,
    pass: &CompiledPass,
    found: &[HomeVerdict],
    outbox: &mut Outbox,
) -> Result<()> {
    let dropped = found.iter().filter(|verdict| verdict.dropped.is_some()).map(|verdict| verdict.place);
    let aside: HashSet<u32> = dropped.chain(home.signed.set_aside.iter().map(|document| document.0)).collect();
    // Kept texts differ from each other.
    let copies = HomeCopies::default();
    let signing = HomeSigning { task, home, split, aside: &aside, copies: &copies, to: StageName::Past, parts: past.parts };
    signing.send_keys(pass, outbox)?;
    signing.send_copies(None, outbox)?;
    if task.plan.has_ids {
        signing.send_ids(outbox)?;
    }
    let led: HashMap<u32, u32> = found.iter().map(|verdict| (verdict.place, verdict.group_size - 1)).collect();
    let raw = home.signed.segments[0].column(|segment| segment.raw)?;
    let texts = home.documents().filter(|document| !aside.contains(&document.0)).map(|document| {
        let member = member(home, split, task.plan, None, raw[document.index()], document);
        Ok(ShelvedText { member, led: led.get(&document.0).copied().unwrap_or(0), text: home.signed.read(document)? })
    });
    write_shelf(&past.folder, split.number, texts)
}

/// Returns the verdicts on all documents, also on copies that others represent, with the clusters that all passes together connect.
fn joined(verdicts: Vec<HomeVerdict>, clustered: Vec<(u32, DocName, u32)>, copies: &HomeCopies) -> Vec<HomeVerdict> {
    let mut all: BTreeMap<u32, HomeVerdict> = BTreeMap::new();
    for verdict in verdicts {
        let own = [verdict.place];
        let places = if verdict.of_copies { copies.represented(verdict.place) } else { &own };
        all.extend(places.iter().map(|place| (*place, HomeVerdict { place: *place, of_copies: false, ..verdict.clone() })));
    }
    for (place, name, size) in clustered {
        for place in [place].iter().chain(copies.represented(place)) {
            all.entry(*place).or_insert(HomeVerdict::kept(*place)).cluster = Some((name.clone(), size));
        }
    }
    all.into_values().collect()
}

/// Sets documents aside whose id is taken: they are rejects.
fn set_aside(home: &mut Home, plan: &Plan, split: &HomeSplit, repeated: &[RepeatedId]) -> Result<()> {
    let mut rejects = Vec::new();
    for repeated in repeated {
        let document = DocId(repeated.document.place());
        let (signed, row) = (&home.signed, home.rows[document.index()]);
        let span = signed.catalogue.span(document)?;
        rejects.push(Reject {
            source: signed.catalogue.sources[home.source_of[document.index()] as usize].clone(),
            unit: signed.catalogue.unit(document),
            row,
            offset: span.offset,
            len: span.len,
            reason: repeated_reason(&home.ids.get(document), &plan.place_of_first(repeated)),
            excerpt: excerpt(signed.read(document)?.as_bytes()),
        });
        home.signed.set_aside.push(document);
    }
    home.signed.set_aside.sort_unstable();
    let before = plan.homes[split.number as usize].rows_before;
    home.signed.rejects.append(&mut rejects);
    sort_rejects(&mut home.signed.rejects, &home.signed.catalogue.sources);
    home.signed.rejects.iter_mut().for_each(|reject| reject.row += before);
    Ok(())
}

/// Documents of other homes, which are originals or name clusters here: those of the input first.
struct Foreign {
    names: Vec<DocName>,
    /// Number of those of the input.
    inputs: usize,
}

impl Foreign {
    fn of(plan: &Plan, split: &HomeSplit, verdicts: &[HomeVerdict]) -> Foreign {
        let mut named: BTreeMap<(bool, DocNumber), &DocName> = BTreeMap::new();
        for verdict in verdicts {
            let originals = verdict.dropped.iter().flat_map(|dropped| dropped.leader.iter().chain([&dropped.original]));
            for name in originals.chain(verdict.cluster.iter().map(|(name, _)| name)) {
                if name.number.home() != split.number {
                    named.insert((plan.is_reference(name.number), name.number), name);
                }
            }
        }
        let inputs = named.keys().filter(|(is_reference, _)| !is_reference).count();
        Foreign { names: named.into_values().cloned().collect(), inputs }
    }

    /// Returns the local number of every foreign document; those of the home follow from their places.
    fn places(&self, home: &Home, number: u32) -> LocalNumbers {
        let first = home.signed.len() as u32;
        LocalNumbers { home: number, foreign: (first..).zip(&self.names).map(|(local, name)| (name.number, DocId(local))).collect() }
    }

    /// Returns the ids of the documents of the home, with `rows`, and of the foreign ones.
    fn ids(&self, plan: &Plan, home: &Home, rows: &[u64]) -> Ids {
        let own = if plan.has_ids {
            None
        } else {
            Some(Ids::places(home.signed.catalogue.sources.clone(), Arc::clone(&home.source_of), Arc::new(rows.to_vec())))
        };
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        for document in home.documents() {
            own.as_ref().unwrap_or(&home.ids).append(document, &mut text);
            ends.push(text.len() as u64);
        }
        for name in &self.names {
            text.extend_from_slice(plan.id(name).as_bytes());
            ends.push(text.len() as u64);
        }
        Ids::given(String::from_utf8_lossy(&text).into_owned(), ends)
    }
}

/// Local numbers of documents.
struct LocalNumbers {
    home: u32,
    foreign: HashMap<DocNumber, DocId>,
}

impl LocalNumbers {
    fn of(&self, number: DocNumber) -> DocId {
        if number.home() == self.home { DocId(number.place()) } else { self.foreign.get(&number).copied().unwrap_or_default() }
    }
}

/// The results of a home, while they are written.
struct HomeResults<'h> {
    plan: &'h Plan,
    split: &'h HomeSplit,
    home: &'h Home,
    /// Row of every document in its source.
    rows: &'h [u64],
    /// Whether a number other than shared features decides in some pass.
    decides: bool,
}

impl HomeResults<'_> {
    fn tally(&self, verdicts: &[HomeVerdict], named: &[u32]) -> WriteTally {
        let mut tally = WriteTally::default();
        for verdict in verdicts {
            if let Some(dropped) = &verdict.dropped {
                let source = self.split.first_source + self.home.source_of[verdict.place as usize];
                *tally.dropped.entry(source).or_default() += 1;
                tally.rules[dropped.rule as usize] += 1;
            }
        }
        let places: HashMap<&str, u32> =
            self.home.signed.catalogue.sources.iter().map(String::as_str).zip(self.split.first_source..).collect();
        for reject in &self.home.signed.rejects {
            if self.split.is_reference {
                tally.rejected_of_reference += 1;
            } else if self.plan.by_id {
                *tally.rejected.entry(self.split.first_source).or_default() += 1;
            } else if let Some(&source) = places.get(&*reject.source) {
                *tally.rejected.entry(source).or_default() += 1;
            }
        }
        let id =
            |place: &u32| (DocNumber::new(self.split.number, *place), self.plan.id(&self.home.name(self.split, self.plan, DocId(*place))));
        tally.names = named.iter().map(id).collect();
        tally
    }

    /// Returns the verdicts and the clusters by local numbers.
    fn verdicts(&self, found: Vec<HomeVerdict>, foreign: &Foreign) -> (DroppedDocuments, Clusters) {
        let places = foreign.places(self.home, self.split.number);
        let count = self.home.signed.len() + foreign.names.len();
        let (mut dropped, mut group_sizes) = (Vec::new(), vec![1; count]);
        let mut cluster_of: Vec<DocId> = DocId::first(count).collect();
        let mut sizes = vec![1; count];
        for verdict in found {
            let document = DocId(verdict.place);
            let leader =
                verdict.dropped.as_ref().map_or(document, |dropped| places.of(dropped.leader.as_ref().unwrap_or(&dropped.original).number));
            group_sizes[leader.index()] = verdict.group_size;
            if let Some((name, size)) = &verdict.cluster {
                cluster_of[document.index()] = places.of(name.number);
                sizes[document.index()] = *size;
            }
            dropped.extend(verdict.dropped.map(|dropped| {
                let original = places.of(dropped.original.number);
                let (value, Dropped { rule, pass, overlap, .. }) = (PairValue::of_words(dropped.value), dropped);
                (DroppedDocument { document, original, rule, pass, overlap, value }, leader)
            }));
        }
        dropped.sort_unstable_by_key(|(dropped, _)| dropped.document);
        let (dropped, leaders) = dropped.into_iter().unzip();
        (DroppedDocuments::of_some(dropped, leaders, group_sizes), Clusters::of_some(cluster_of, sizes))
    }

    fn names<'n>(&'n self, ids: &'n Ids) -> TableNames<'n> {
        let signed = &self.home.signed;
        TableNames {
            signed,
            ids,
            source_of: &self.home.source_of,
            rows: self.rows,
            documents: self.home.documents().filter(|document| !signed.is_set_aside(*document)).collect(),
            against: self.plan.against,
            decides: self.decides,
            passes: self.plan.passes as usize,
            has_urls: self.plan.has_urls,
            has_archives: self.plan.has_archives,
            has_levels: false,
        }
    }

    /// Writes the sources without the documents that are dropped or set aside, and without the records that cannot be used.
    fn write_kept(&self, verdicts: &DroppedDocuments, chunk: u64, task: &StageTask<'_, '_>) -> Result<()> {
        let (Some(output), signed) = (&self.plan.output, &self.home.signed) else { return Ok(()) };
        let mut leaving: Vec<Vec<SourceSpan>> = vec![Vec::new(); self.home.sources.len()];
        signed.catalogue.each_span(|document, span| {
            if verdicts.get(document).is_some() {
                leaving[self.home.source_of[document.index()] as usize].push(span);
            }
        })?;
        for (source, leaving) in self.home.sources.iter().zip(&mut leaving) {
            let rejects = signed.rejects.iter().filter(|reject| reject.source == source.name).filter_map(SourceSpan::of_reject);
            leaving.extend(rejects);
            let target = match &self.split.chunks {
                None => PathBuf::from(KEPT).join(&source.root_relative),
                Some(chunks) => {
                    let [start, end] =
                        [chunks.start, chunks.end].map(|number| line_start(&source.path, u64::from(number) * chunk, source.bytes));
                    let here = SourceSpan { offset: start?, len: 0 };
                    let here = SourceSpan { len: end? - here.offset, ..here };
                    leaving.extend(outside(&[here], source.bytes));
                    let name = format!("part-{:05}", self.split.number - chunks_before(self.plan, self.split));
                    let name = source.path.extension().map_or(name.clone(), |suffix| format!("{name}.{}", suffix.to_string_lossy()));
                    PathBuf::from(KEPT).join(&source.root_relative).join(name)
                }
            };
            leaving.sort_unstable();
            leaving.dedup();
            put(output, &target, |path| Ok(keep(source, leaving, path, 1, &task.watch.corpus).map(drop)?))?;
        }
        Ok(())
    }

    fn write_rejects(&self) -> Result<()> {
        let (Some(output), rejects) = (&self.plan.output, &self.home.signed.rejects) else { return Ok(()) };
        if rejects.is_empty() {
            return Ok(());
        }
        let part = PathBuf::from(REJECTS).join(format!("part-{:05}.jsonl", self.split.number));
        put(output, &part, |path| Ok(write_rejects(path, rejects)?))
    }
}

/// Returns the number of the first home of the source of a home.
fn chunks_before(plan: &Plan, split: &HomeSplit) -> u32 {
    let here = split.number as usize;
    let following = plan.homes[..=here].iter().rev().take_while(|home| home.follows).count();
    split.number - following as u32
}

/// Returns where the first line begins that begins at `at` or later, in a file of `len` bytes.
fn line_start(path: &Path, at: u64, len: u64) -> Result<u64> {
    if at == 0 || at >= len {
        return Ok(at.min(len));
    }
    let fail = || Error::file(path, "read");
    let mut file = regular::open(path).map_err(fail())?;
    file.seek(SeekFrom::Start(at - 1)).map_err(fail())?;
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    let count = reader.read_until(b'\n', &mut line).map_err(fail())?;
    Ok(at - 1 + count as u64)
}
