//! The summary of a distributed run, made from the tallies of its tasks.

use crate::digests::row_sum::RowSum;
use crate::distributed::message::{DocName, DocNumber};
use crate::distributed::plan::Plan;
use crate::distributed::sources::Sources;
use crate::distributed::tally::{Capped, CompareTally, LISTED, SignTally, WriteTally};
use crate::documents::files::Files;
use crate::documents::records::RecordCounts;
use crate::job::Job;
use crate::pipeline::pass_count::PassCount;
use crate::results::cluster_table::ClusterTable;
use crate::results::summary::{Counts, InputCount, RunVersion};
use crate::{Error, Result};
use neardup_core::pass::rule::Rule;
use neardup_corpus::PassedOver;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// What the tasks of a run counted after the links were found.
#[derive(Debug, Default)]
pub struct SpreadCounts {
    /// Counts of all families.
    pub compared: CompareTally,
    /// Sums of the rows of the verb's own table.
    pub sums: Vec<Vec<u8>>,
    /// Number of dropped documents of each source.
    pub dropped: BTreeMap<u32, u64>,
    /// Number of documents that each pass dropped.
    pub passes: Vec<u64>,
    /// Number of rejected records of each source of the input.
    pub rejected: BTreeMap<u32, u64>,
    /// Number of rejected records of the reference.
    pub rejected_of_reference: u64,
    /// Number of documents dropped by each rule.
    pub rules: [u64; Rule::ALL.len()],
    /// Names of documents that are shown.
    pub names: HashMap<DocNumber, String>,
}

impl SpreadCounts {
    /// Returns the number of records that cannot be used.
    pub fn all_rejected(&self) -> u64 {
        self.rejected.values().sum::<u64>() + self.rejected_of_reference
    }

    /// Adds the counts of a home.
    pub fn add_written(&mut self, tally: WriteTally) {
        self.sums.extend(Some(tally.sum).filter(|sum| !sum.is_empty()));
        tally.dropped.into_iter().for_each(|(source, count)| *self.dropped.entry(source).or_default() += count);
        tally.rejected.into_iter().for_each(|(source, count)| *self.rejected.entry(source).or_default() += count);
        self.rejected_of_reference += tally.rejected_of_reference;
        self.rules.iter_mut().zip(tally.rules).for_each(|(sum, count)| *sum += count);
        self.names.extend(tally.names);
    }
}

/// A finished run, of which a summary is made.
pub struct SpreadSummary<'a> {
    /// The job.
    pub job: &'a Job<'a>,
    /// The files.
    pub sources: &'a Sources,
    /// The plan.
    pub plan: &'a Plan,
    /// Counts of the homes in order, pass by pass.
    pub signed: &'a [Vec<SignTally>],
    /// Keys above their cap, pass by pass.
    pub capped: &'a [Vec<Capped>],
    /// Counts after that.
    pub counts: &'a SpreadCounts,
    /// Notes on the records.
    pub notes: &'a [String],
}

/// A key above its cap, as `run.json` shows it.
#[derive(Serialize)]
struct CappedShown {
    pass: usize,
    table: u64,
    key: u32,
    size: u64,
    sample: Vec<String>,
    says: Option<String>,
}

/// Time of a phase, as `run.json` shows it.
#[derive(Serialize)]
struct PhaseShown<'a> {
    name: &'a str,
    seconds: f64,
    unit: &'static str,
    amount: u64,
    rate: f64,
}

/// Totals; thin samples are not counted.
#[derive(Serialize)]
struct CountsShown {
    #[serde(flatten)]
    counts: Counts,
    thin_samples: Option<u64>,
}

/// Contents of `run.json`.
#[derive(Serialize)]
struct Contents<'a> {
    neardup: &'static str,
    #[serde(flatten)]
    version: RunVersion,
    engine: &'a str,
    verb: &'static str,
    command: Option<String>,
    scheme: String,
    notes: Vec<String>,
    keep: String,
    verified: bool,
    digest: String,
    passes: Vec<PassCount>,
    files: &'a Files,
    records: RecordCounts,
    counts: CountsShown,
    effort: Option<u64>,
    clusters: Option<&'a ClusterTable>,
    inputs: Vec<InputCount>,
    phases: Vec<PhaseShown<'a>>,
    certificate: Option<u64>,
    capped: Vec<CappedShown>,
    stars: Vec<(String, u64)>,
    starred_keys: Vec<(String, u64)>,
    without_text: Vec<String>,
    thin: Vec<String>,
}

impl SpreadSummary<'_> {
    /// Returns the text of `run.json`.
    pub fn to_json(&self, engine: &str, phases: &[(String, f64)]) -> Result<String> {
        let scheme = self.job.scheme.seal()?;
        let counts = self.totals();
        let mut notes = counts.notes(&scheme);
        notes.extend(self.notes.iter().cloned());
        notes.extend(scheme.notes_of_run(|pass| self.capped.get(pass).is_some_and(|capped| !capped.is_empty())));
        let table = self.job.tables()[0];
        let phase = |(name, seconds): &'_ (String, f64)| {
            let rate = if *seconds > 0.0 { counts.documents as f64 / seconds } else { 0.0 };
            (name.clone(), *seconds, rate)
        };
        let phases: Vec<(String, f64, f64)> = phases.iter().map(phase).collect();
        let contents = Contents {
            neardup: env!("CARGO_PKG_VERSION"),
            version: RunVersion::current(),
            engine,
            verb: self.job.verb.name(),
            command: self.job.options.command.clone(),
            scheme: scheme.to_string(),
            notes,
            keep: self.job.keep().to_string(),
            verified: scheme.is_verified(),
            digest: self.digest(table)?,
            passes: self.passes(&counts),
            files: self.sources.files(),
            records: self.records(),
            counts: CountsShown { counts, thin_samples: None },
            effort: None,
            clusters: self.job.decides().then_some(&self.counts.compared.clusters),
            inputs: self.inputs(),
            phases: phases
                .iter()
                .map(|(name, seconds, rate)| PhaseShown {
                    name,
                    seconds: *seconds,
                    unit: "documents",
                    amount: counts.documents,
                    rate: *rate,
                })
                .collect(),
            certificate: None,
            capped: (1..).zip(self.capped).flat_map(|(pass, capped)| capped.iter().map(move |capped| self.shown(pass, capped))).collect(),
            stars: self.named(&self.counts.compared.stars),
            starred_keys: self.named(&self.counts.compared.starred_keys),
            without_text: self.without_text(),
            thin: Vec::new(),
        };
        serde_json::to_string_pretty(&contents).map_err(|error| Error::Data(error.to_string()))
    }

    /// Returns the digest of a table, whose rows were summed where they are.
    fn digest(&self, table: &str) -> Result<String> {
        let merge = |merged: RowSum, sum: &Vec<u8>| Ok::<_, Error>(merged.merge(RowSum::from_bytes(sum)?));
        Ok(self.counts.sums.iter().try_fold(RowSum::default(), merge)?.digest(table))
    }

    /// Returns the counts of all homes in the first pass.
    fn first(&self) -> &[SignTally] {
        self.signed.first().map_or(&[], Vec::as_slice)
    }

    fn input(&self) -> impl Iterator<Item = &SignTally> {
        self.first().iter().filter(|tally| !tally.is_reference)
    }

    fn ignores_signs(&self) -> bool {
        self.signed.iter().flatten().any(|tally| tally.ignores_signs)
    }

    fn totals(&self) -> Counts {
        let sum = |count: fn(&SignTally) -> u64| self.input().map(count).sum::<u64>();
        let documents = sum(|tally| tally.documents.iter().sum());
        let [identical, lexical, shingles, near] = self.counts.rules;
        let dropped = self.counts.rules.iter().sum::<u64>();
        Counts {
            documents,
            kept: documents - dropped,
            dropped,
            identical,
            lexical,
            shingles,
            near,
            signs_only: (self.job.decides() && self.ignores_signs()).then_some(self.counts.compared.signs_only),
            pairs: self.job.lists().then_some(self.counts.compared.pairs.count),
            without_text: sum(|tally| tally.without_text),
            without_features: self
                .signed
                .last()
                .map_or(0, |last| last.iter().filter(|tally| !tally.is_reference).map(|tally| tally.without_features).sum()),
            short: sum(|tally| tally.short),
            rejected: self.counts.all_rejected(),
            reference: self.first().iter().filter(|tally| tally.is_reference).flat_map(|tally| &tally.documents).sum(),
            ..Counts::default()
        }
    }

    fn passes(&self, counts: &Counts) -> Vec<PassCount> {
        let mut documents = counts.documents;
        let pass = |(number, tallies): (usize, &Vec<SignTally>)| {
            let first = tallies.first().cloned().unwrap_or_default();
            let dropped = self.counts.passes.get(number).copied().unwrap_or(0);
            let is_last = number + 1 == self.signed.len();
            let seen = documents;
            documents -= dropped;
            let dropped = Some(dropped).filter(|_| self.job.decides() || !is_last);
            PassCount { documents: seen, dropped, lexicon: first.lexicon, frame: first.frame, caps: first.caps }
        };
        self.signed.iter().enumerate().map(pass).collect()
    }

    fn records(&self) -> RecordCounts {
        let read = self.first().iter().flat_map(|tally| &tally.documents).sum::<u64>();
        let all = |of: fn(&SignTally) -> &Vec<(u32, PassedOver)>| self.first().iter().flat_map(of).cloned().collect::<Vec<_>>();
        let (passed_over, flaws) = (all(|tally| &tally.passed_over), all(|tally| &tally.flaws));
        RecordCounts::of_counts(read as usize, self.counts.all_rejected() as usize, &passed_over, &flaws)
    }

    fn inputs(&self) -> Vec<InputCount> {
        if self.plan.by_id {
            return Vec::new();
        }
        let count = |name: String| InputCount { name, documents: 0, kept: 0, rejected: 0, passed_over: 0 };
        let mut inputs: Vec<InputCount> = self.sources.names().into_iter().take(self.sources.inputs()).map(count).collect();
        for tally in self.input() {
            let first = tally.first_source as usize;
            inputs[first..].iter_mut().zip(&tally.documents).for_each(|(input, documents)| input.documents += documents);
            for (source, kinds) in &tally.passed_over {
                inputs[first + *source as usize].passed_over += kinds.values().sum::<u64>();
            }
        }
        for (number, input) in (0..).zip(&mut inputs) {
            input.rejected = self.counts.rejected.get(&number).copied().unwrap_or(0);
            input.kept = input.documents - self.counts.dropped.get(&number).copied().unwrap_or(0);
        }
        inputs
    }

    fn shown(&self, pass: usize, capped: &Capped) -> CappedShown {
        let name = |document: &DocNumber| self.counts.names.get(document).cloned();
        CappedShown {
            pass,
            table: capped.bucket >> 32,
            key: capped.bucket as u32,
            size: capped.size,
            sample: capped.sample.iter().filter_map(name).collect(),
            says: None,
        }
    }

    /// Returns families by the ids of their first documents. Near-copies share many keys, so those with the same first are one.
    fn named(&self, families: &[(DocName, u64)]) -> Vec<(String, u64)> {
        families.iter().map(|(first, size)| (self.plan.id(first), *size)).collect()
    }

    fn without_text(&self) -> Vec<String> {
        self.input().flat_map(|tally| &tally.without_text_names).take(LISTED).map(|name| self.plan.id(name)).collect()
    }
}
