//! A run, from inputs to results.

use crate::checkpoint::file_state::FileStates;
use crate::checkpoint::identity;
use crate::checkpoint::ledger::{self, Ledger};
use crate::checkpoint::output::{Output, RUN};
use crate::checkpoint::stage::LedgerStage;
use crate::checkpoint::work_folder::at_work;
use crate::documents::files::Files;
use crate::documents::names::DocumentNames;
use crate::documents::records::RecordCounts;
use crate::documents::signed::SignedCorpus;
use crate::findings::kept_per_duplicate;
use crate::findings::leader_groups::LeaderGroups;
use crate::findings::pairs::{PairFamily, StoredPairs};
use crate::findings::stored::Findings;
use crate::job::given::given;
use crate::job::lexicons;
use crate::job::outcome::Outcome;
use crate::job::{Job, Verb};
use crate::pipeline::pass_count::PassCount;
use crate::pipeline::passes::{Passes, compiled};
use crate::progress::{ProgressUnit, Watch};
use crate::repeated_passages::RepeatedPassages;
use crate::resources::budget::Budget;
use crate::resources::forecast::{DiskNeeds, Forecast};
use crate::resources::longest::beside_documents;
use crate::resources::threads::with_threads;
use crate::results::added_fields::AddedFields;
use crate::results::capped_key::CappedKey;
use crate::results::cluster_table::ClusterTable;
use crate::results::decided_sources::{DecidedSources, needed_responses};
use crate::results::group_counts::GroupCounts;
use crate::results::index::{INDEX, IndexPlan};
use crate::results::kept_files::{self, DROPPED, KEPT};
use crate::results::missing_fields::{self, Lacking};
use crate::results::reading_summary::ReadingSummary;
use crate::results::run_results::Results;
use crate::results::summary::{self, RunSummary, RunVersion};
use crate::results::{kept_stream, page};
use crate::signing::inputs::{Inputs, all_sources, unused_patterns};
use crate::signing::worker::TextTask;
use crate::signing::{count, frames, sign};
use crate::tables::names::TableNames;
use crate::tables::table::gather;
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme;
use neardup_core::signing::segment::StoredChunk;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::Store;
use neardup_corpus::{Reject, Source, check_targets};
use neardup_report::number;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Number of rejected records that a note lists.
const NOTED: usize = 10;

/// Runs a job. Another thread may read `watch`, and stop the job through it.
pub fn run(mut job: Job<'_>, watch: &Watch) -> Result<Outcome> {
    if job.verb == Verb::Sketch && job.scheme.passes().len() > 1 {
        return Err(Error::Usage("a sketch is made by one pass, and the scheme has several: write only that pass".to_owned()));
    }
    job.check_options()?;
    if job.options.past.is_some() {
        return Err(Error::Usage("past: runs on Spark keep it: give engine spark, or an index on one machine".to_owned()));
    }
    kept_files::check(&job)?;
    if job.streams() {
        kept_stream::check(&job)?;
    }
    let added = AddedFields::of(&job)?;
    job.folder().map_or(Ok(()), |output| job.refuse_to_replace(output))?;
    let passes: Vec<CompiledPass> = job.scheme.passes().iter().map(|pass| compiled(&job, pass, None)).collect::<Result<_>>()?;
    job.fields.given = given(&passes)?;
    job.spans_from()?;
    let plan = IndexPlan::of(&job)?;
    let (output, overwrite, threads) = (job.folder().map(Path::to_path_buf), job.options.overwrite, job.threads);
    at_work(output.as_deref(), overwrite, threads, |work, output| match job.verb {
        Verb::Passages => RepeatedPassages { job, passes, watch }.go(work, output),
        _ => Run { job, passes, plan, added, notes: Vec::new(), watch }.go(work, output),
    })
}

/// Where the results of a run are written, and the files that they are made from.
struct Destination<'r> {
    files: &'r Files,
    sources: &'r [Source],
    at_rest: &'r FileStates,
    work: &'r Path,
    output: Option<&'r Output>,
}

struct Run<'a, 'j> {
    job: Job<'j>,
    passes: Vec<CompiledPass>,
    /// Plan of the index that the run writes.
    plan: Option<IndexPlan>,
    /// Fields that the kept records get.
    added: Option<AddedFields>,
    /// Notes on the named fields.
    notes: Vec<String>,
    watch: &'a Watch,
}

impl Run<'_, '_> {
    fn go(mut self, work: &Path, output: Option<&Output>) -> Result<Outcome> {
        let budget = Budget::new(self.job.memory, self.job.threads, self.job.most_threads)?;
        let (input, reference) = all_sources(&self.job, Some(work), self.watch)?;
        let files = Files::of(&input, &reference);
        let unused = unused_patterns(&self.job, &input, &reference);
        let (sources, against) = (input.sources, reference.sources);
        missing_fields::refuse_fields(&self.job, sources.iter().chain(&against))?;
        self.job.fields.may_lack = sources.len() + against.len() + self.job.batch_streams().count() > 1;
        let writes_records = self.job.writes_records();
        if writes_records {
            check_targets(&sources)?;
        }
        if let Some(added) = &self.added {
            added.check(&sources, &self.job.fields)?;
        }
        if self.job.streams() {
            kept_stream::check_sources(&sources, &self.job.fields)?;
        }
        let forecast = self.forecast(budget, work, &sources, &against, writes_records);
        let at_rest = FileStates::of(sources.iter().chain(&against))?;
        let inputs = Inputs {
            sources: &sources,
            against: &against,
            work,
            are_kept: writes_records,
            forecast: Some(&forecast),
            only: None,
            finds_responses: true,
        };
        frames::check(&self.job, sources.iter().chain(&against))?;
        let key = identity::key(&self.job, &self.passes, &sources, &against)?;
        if let Some(summary) = ledger::ended(key.as_deref(), work, output) {
            return Ok(Outcome { summary, tables: Vec::new() });
        }
        let (ledger, store) = Ledger::open(key, LedgerStage::all(&self.job.scheme)?, work, self.watch)?;
        let counted = count::counted(&mut self.job, &inputs, budget, &store, &ledger, self.watch)?;
        if let Some(counted) = &counted {
            self.passes[0] = compiled(&self.job, &self.job.scheme.passes()[0], Some(&counted.lexicon))?;
        }
        let terms = self.passes.iter().flat_map(CompiledPass::lexicons).map(|lexicon| lexicon.terms().len()).sum();
        let budget = budget.beside_terms(terms)?;
        let signed = sign::signed(&mut self.job, &TextTask::Sign(&self.passes[0]), counted, &inputs, &store, &ledger, self.watch)?;
        at_rest.check()?;
        let (fields, options) = (&self.job.fields, &self.job.options);
        let (lacking, all) = (Lacking::of(&signed, fields, options.keep.as_ref())?, sources.iter().chain(&against));
        self.notes = missing_fields::notes(fields, options.keep.as_ref(), options.main_content, &lacking, all)?;
        self.notes.extend(unused);
        self.notes.extend(ledger.note.clone());
        if !ledger.is_done(LedgerStage::Arranged(0)) {
            forecast.settle(&signed, Some(&self.passes[0]))?;
        }
        let passages = if self.job.options.passages { &self.passes[..] } else { &[] };
        let (budget, threads) = beside_documents(&signed, budget, self.job.threads, passages)?;
        let places = Destination { files: &files, sources: &sources, at_rest: &at_rest, work, output };
        with_threads(threads, || self.find(signed, budget, &places, &forecast, &ledger, &store))
    }

    /// Runs all passes over the documents, and writes the results.
    fn find(
        &mut self,
        mut signed: SignedCorpus,
        budget: Budget,
        places: &Destination<'_>,
        forecast: &Forecast,
        ledger: &Ledger<'_>,
        store: &Arc<Store>,
    ) -> Result<Outcome> {
        let Destination { files, sources, at_rest, work, output } = *places;
        let DocumentNames { source_of, rows, ids, order } = signed.document_names(self.job.skips())?;
        self.job.scope(&mut signed)?;
        if let Some(plan) = &self.plan {
            plan.check(&signed, &ids, budget)?;
        }
        let mut passes = Passes {
            job: &self.job,
            compiled: &mut self.passes,
            signed: &mut signed,
            ids: &ids,
            order: &order,
            forecast,
            ledger,
            watch: self.watch,
        };
        let found = passes.run(budget)?;
        let number = self.job.options.keep_per_duplicate;
        let positions = if number > 1 { self.job.positions(&signed, &order)? } else { None };
        let has_archives = sources.iter().any(|source| source.format.is_archive()) || signed.catalogue.has_archives();
        let names = TableNames {
            signed: &signed,
            ids: &ids,
            source_of: &source_of,
            rows: &rows,
            documents: signed.listed(),
            against: self.job.against.is_some(),
            decides: self.passes.iter().any(|pass| pass.deciding().is_some()),
            passes: self.passes.len(),
            has_urls: has_archives || self.job.fields.url.is_some(),
            has_archives,
            has_levels: self.passes[0].signatures[0].has_levels(),
        };
        let mut verdicts = found.verdicts(store, signed.len())?;
        kept_per_duplicate::keep(&mut verdicts, number, &signed, positions.as_deref());
        let results = Results {
            job: &self.job,
            passes: &self.passes,
            verified: self.job.scheme.passes().iter().map(scheme::Pass::is_verified).collect(),
            names: &names,
            counts: PassCount::all(&self.passes, names.documents.len(), &verdicts, self.job.decides()),
            verdicts: self.job.decides().then_some(verdicts),
            clusters: found.clusters(store)?,
            pairs: StoredPairs { store, rows: &found.pairs },
            forest: found.forest.as_ref().map(|rows| StoredPairs { store, rows }),
            passages: found.passages.as_ref(),
        };
        let groups = results.verdicts.as_ref().map(LeaderGroups::new);
        let tables = results.tables();
        // Each file is written by one thread at a time, and the tables are written meanwhile.
        let threads = (self.job.threads / 2).max(1);
        let (fields, added, watch) = (&self.job.fields, self.added.as_ref(), self.watch);
        let decided = results.verdicts.as_ref().filter(|_| self.job.writes_records());
        let needed = match decided {
            Some(verdicts) if self.job.writes_kept() => needed_responses(&names, verdicts, sources)?,
            _ => HashSet::new(),
        };
        let decided = decided.map(|verdicts| DecidedSources { names: &names, verdicts, fields, sources, needed: &needed, threads, watch });
        let Some(output) = output else {
            at_rest.check()?;
            if let Some(decided) = decided {
                let bytes = sources.iter().map(|source| source.bytes).sum();
                watch.phase("write", bytes, ProgressUnit::Bytes, || kept_stream::write(&decided, added, work))?;
                at_rest.check()?;
            }
            let mut summary = self.summary(files, &names, &found, &results, groups.as_ref(), results.digest()?)?;
            if self.job.streams() {
                summary.notes.extend(rejects_note(&signed));
                return Ok(Outcome { summary: summary.to_json(), tables: Vec::new() });
            }
            let tables = tables.iter().map(|(name, table)| Ok((*name, table.schema(), gather(&**table)?))).collect::<Result<_>>()?;
            return Ok(Outcome { summary: summary.to_json(), tables });
        };
        let plan = self.plan.take();
        let digest = ledger.once(LedgerStage::Written, store, || {
            output.clear()?;
            if let Some(plan) = plan {
                let positions = self.job.positions(&signed, &order)?;
                plan.write(&names, positions, &output.tree(INDEX)?, self.watch)?;
            }
            let times = u64::from(self.job.writes_kept()) + u64::from(self.job.writes_dropped());
            let bytes = times * sources.iter().map(|source| source.bytes).sum::<u64>();
            self.watch.phase("write", bytes, ProgressUnit::Bytes, || {
                let copies = || {
                    let Some(decided) = decided else { return Ok(()) };
                    if self.job.writes_kept() {
                        kept_files::write_kept(&decided, added, &output.tree(KEPT)?)?;
                    }
                    if self.job.writes_dropped() { kept_files::write_dropped(&decided, &output.tree(DROPPED)?) } else { Ok(()) }
                };
                let tables = || tables.iter().try_for_each(|(name, table)| output.table(&format!("{name}.parquet"), &**table));
                for (number, pass) in self.passes.iter().enumerate() {
                    if let Some(counts) = lexicons::to_count(&self.job.scheme.passes()[number])?
                        && let Some(lexicon) = counts.counted(pass)
                    {
                        lexicons::write(&output.file(&counts.file(number))?, lexicon)?;
                    }
                }
                let (copies, (tables, digest)) = rayon::join(copies, || rayon::join(tables, || results.digest()));
                copies.and(tables).and(digest)
            })
        })?;
        let mut summary = self.summary(files, &names, &found, &results, groups.as_ref(), digest)?;
        if !needed.is_empty() {
            summary.notes.push(format!("{} dropped responses are in the kept files, because kept revisits refer to them", needed.len()));
        }
        self.watch.phase("report", 0, ProgressUnit::Documents, || {
            let page = page::page(&results, groups.as_ref(), &found.near_misses, &summary)?;
            page.map_or(Ok(()), |page| output.write("report.html", &page))
        })?;
        if !signed.rejects.is_empty() {
            neardup_corpus::write_rejects(&output.file("rejects.jsonl")?, &signed.rejects)?;
        }
        at_rest.check()?;
        summary.phases = self.watch.phase_times();
        let summary = summary.to_json();
        output.write(RUN, &summary)?;
        Ok(Outcome { summary, tables: Vec::new() })
    }

    fn summary(
        &self,
        files: &Files,
        names: &TableNames<'_>,
        found: &Findings,
        results: &Results<'_>,
        groups: Option<&LeaderGroups<'_>>,
        digest: String,
    ) -> Result<RunSummary> {
        let verdicts = results.verdicts.as_ref();
        let pairs = self.job.lists().then_some(found.pairs.len());
        let clusters = match (groups, &results.clusters) {
            (Some(groups), Some(clusters)) => Some(ClusterTable::of_components(clusters, groups.verdicts, names.signed)?),
            (groups, _) => groups.map(ClusterTable::of_groups),
        };
        let stars = |stars: &[PairFamily]| stars.iter().map(|star| (names.ids.get(star.first).into_owned(), star.size)).collect();
        let scheme = self.job.scheme.seal()?;
        let (counted, reading) = rayon::join(
            || summary::counts(names, &self.passes, found, verdicts, pairs, self.watch),
            || ReadingSummary::of(&self.job, names.signed),
        );
        let (counts, listed) = counted?;
        let ids = |documents: &[DocId]| documents.iter().map(|&document| names.ids.get(document).into_owned()).collect();
        let mut notes = counts.notes(&scheme);
        notes.extend(self.notes.iter().cloned());
        // The other notes are about findings, and a sketch has none.
        if self.job.verb != Verb::Sketch {
            notes.extend(scheme.notes_of_run(|pass| found.capped.get(pass).is_some_and(|capped| !capped.is_empty())));
        }
        Ok(RunSummary {
            neardup: env!("CARGO_PKG_VERSION"),
            version: RunVersion::current(),
            verb: self.job.verb.name(),
            command: self.job.options.command.clone(),
            scheme: scheme.to_string(),
            notes,
            keep: self.job.keep().to_string(),
            keep_per_duplicate: Some(self.job.options.keep_per_duplicate).filter(|&number| number != 1),
            verified: scheme.is_verified(),
            digest,
            passes: results.counts.clone(),
            files: files.clone(),
            records: RecordCounts::of(names.signed),
            counts,
            effort: found.near_misses.effort,
            clusters,
            inputs: summary::inputs(names, verdicts),
            groups: GroupCounts::of(names, verdicts, self.job.lists().then_some(results.pairs))?,
            sketch_bytes: names.signed.segments.iter().flat_map(Segments::iter).map(|(_, segment)| segment.sketch_bytes() as u64).sum(),
            work_bytes: names.signed.catalogue.store().len(),
            phases: self.watch.phase_times(),
            certificate: found.certificate.clone(),
            capped: CappedKey::all(names, &self.passes, &found.capped)?,
            stars: stars(&found.stars),
            starred_keys: stars(&found.starred_keys),
            without_text: ids(&listed.without_text),
            thin: ids(&listed.thin),
            reading: reading?,
        })
    }

    /// Returns the forecast of what the run takes. Kept documents and an index each contain the texts once more.
    fn forecast(&self, budget: Budget, work: &Path, sources: &[Source], against: &[Source], writes_records: bool) -> Forecast {
        let bytes = |sources: &[Source]| sources.iter().map(|source| source.bytes).sum::<u64>();
        let copies = (u64::from(writes_records) + u64::from(self.plan.is_some())) * bytes(sources);
        let takes = DiskNeeds { copies, arranging, unknown: self.unknown(), index: self.plan.as_ref().map(IndexPlan::memory) };
        Forecast::new(budget, work, bytes(sources) + bytes(against), takes)
    }

    /// Names the data whose size is unknown while documents are signed, if there are any.
    fn unknown(&self) -> Option<&'static str> {
        let later = self.job.verb != Verb::Sketch && self.passes.iter().any(|pass| !pass.late().is_empty());
        match (later, self.job.lists(), self.job.options.forest) {
            (true, true, _) => Some("the keys of the exact join and the pairs"),
            (true, false, true) => Some("the keys of the exact join and the forest"),
            (true, false, false) => Some("the keys of the exact join"),
            (false, true, _) => Some("the pairs"),
            (false, false, true) => Some("the forest"),
            (false, false, false) => None,
        }
    }
}

/// Returns a note on the first records that were rejected, for a run that leaves no list of them.
fn rejects_note(signed: &SignedCorpus) -> Option<String> {
    let place = |reject: &Reject| format!("{}: {}", reject.unit.place(&reject.source, reject.row), reject.reason);
    let first: Vec<String> = signed.rejects.iter().take(NOTED).map(place).collect();
    (!first.is_empty())
        .then(|| format!("skipped, of {} in all: {}", number::plural(signed.rejects.len() as u64, "record"), first.join("; ")))
}

/// Returns the number of bytes that the keys of a chunk take on disk when they are arranged. Buckets list the documents that
/// share a key, and list them twice when they are split.
fn arranging(segment: &StoredChunk) -> u64 {
    segment.key_bytes() as u64 * 3 / 2
}
