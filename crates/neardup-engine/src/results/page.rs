//! The report page of a run: its counts, curves and evidence.

use crate::Result;
use crate::findings::decisions::DroppedDocument;
use crate::findings::leader_groups::{LeaderGroup, LeaderGroups};
use crate::findings::near_misses::NearMisses;
use crate::findings::pairs::{ScoredPair, StoredPairs};
use crate::job::{Job, Verb};
use crate::results::capped_key::CappedKey;
use crate::results::cluster_table::ClusterTable;
use crate::results::group_counts::GroupCount;
use crate::results::host_counts;
use crate::results::run_results::Results;
use crate::results::steps::ThresholdStep;
use crate::results::summary::RunSummary;
use crate::tables::names::TableNames;
use neardup_core::decide::misses::{BINS, bin, millionths};
use neardup_core::keys::OverCap;
use neardup_core::keys::promise::{Chance, Promise};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::pass::rule::Rule;
use neardup_core::scheme;
use neardup_core::util::ids::DocId;
use neardup_core::util::ratio::Ratio;
use neardup_report as report;

/// Number of clusters in each list on the page, of members of each, and of rejected pairs.
const CLUSTERS: usize = 10;
const MEMBERS: usize = 5;
const REJECTED: usize = 10;
/// Number of hosts in the table of hosts.
const HOSTS: usize = 50;
/// Number of bytes of a text that are read for the page.
const TEXT: usize = 16 << 10;

/// Renders the report page of a run; `None` if nothing is compared.
pub fn page(results: &Results<'_>, groups: Option<&LeaderGroups<'_>>, misses: &NearMisses, summary: &RunSummary) -> Result<Option<String>> {
    let Results { job, passes, names, pairs, forest, .. } = *results;
    let verb = match job.verb {
        Verb::Dedup => report::ReportedJob::Dedup,
        Verb::Cluster => report::ReportedJob::Cluster,
        Verb::Pairs => report::ReportedJob::Pairs,
        Verb::Sketch | Verb::Passages => return Ok(None),
    };
    let page = PageContent { names, subjects: job.scheme.passes().iter().map(scheme::Pass::subject).collect() };
    let mut histogram = report::Histogram { accepted: vec![0; BINS], rejected: misses.histogram.clone() };
    let mut note = |overlap| histogram.accepted[bin(overlap)] += 1;
    if job.lists() {
        pairs.each(|pair| note(pair.overlap))?;
    } else {
        groups.iter().flat_map(|groups| &groups.verdicts.dropped).for_each(|dropped| note(dropped.overlap));
    }
    let clusters = summary.clusters.clone().unwrap_or_default();
    let led = match job.verb {
        Verb::Cluster => groups.map(ClusterTable::of_groups).unwrap_or_default(),
        _ => clusters.clone(),
    };
    let (hosts, all_hosts) = host_counts::largest_hosts(names, results.verdicts.as_ref(), HOSTS)?;
    let report = report::Report {
        job: verb,
        command: summary.command.clone().unwrap_or_else(|| summary.verb.to_owned()),
        version: summary.neardup.to_owned(),
        scheme: summary.scheme.clone(),
        condition: job.scheme.passes().iter().map(scheme::Pass::condition).collect::<Vec<_>>().join(" ; "),
        threshold: threshold(job).map(|threshold| threshold.to_string()).unwrap_or_default(),
        features: features(job).to_owned(),
        recall: recall(job, summary),
        digest: summary.digest.clone(),
        verified: summary.verified,
        counts: counts(summary),
        notes: summary.counts.notes(&job.scheme),
        table: table(summary, &clusters),
        leader_groups: table(summary, &led),
        phases: summary
            .phases
            .iter()
            .map(|phase| report::Phase {
                name: phase.name.to_owned(),
                seconds: phase.seconds,
                work: if phase.unit == "bytes" { report::PhaseWork::Bytes(phase.amount) } else { report::PhaseWork::Items(phase.amount) },
            })
            .collect(),
        inputs: summary
            .inputs
            .iter()
            .map(|input| report::InputFile { name: input.name.clone(), documents: input.documents, kept: input.kept })
            .collect(),
        groups: summary.groups.iter().flat_map(|groups| &groups.listed).map(group).collect(),
        hosts: hosts.into_iter().map(|host| report::InputFile { name: host.name, documents: host.documents, kept: host.kept }).collect(),
        all_hosts,
        histogram,
        sizes: clusters.sizes,
        steps: steps(job, forest, names.signed.len())?,
        largest: page.clusters(groups, |group| Some(std::cmp::Reverse(group.size())))?,
        riskiest: page.clusters(groups, |group| {
            let mixed = group.followers().filter(|dropped| dropped.rule != Rule::Identical);
            mixed.map(|dropped| millionths(dropped.overlap)).min()
        })?,
        rejected: misses.nearest.iter().take(REJECTED).map(|miss| page.pair(miss)).collect::<Result<_>>()?,
        capped: summary.capped.iter().map(|capped| page.capped(capped, passes)).collect::<Result<_>>()?,
    };
    report::render(&report, &report::PageLimits::default()).map(Some).map_err(|error| crate::Error::Data(format!("report: {error}")))
}

/// Number of points of the drawn curve.
const POINTS: usize = 201;

/// Returns the threshold, if a single one says what all pairs have reached.
fn threshold(job: &Job<'_>) -> Option<Ratio> {
    match job.scheme.passes() {
        [pass] => pass.threshold(),
        _ => None,
    }
}

/// Returns the text of the certificate, if it says more than the promise, and whether it is an estimate.
fn certificate(summary: &RunSummary, promise: &Promise) -> (Option<String>, bool) {
    let Some(certificate) = &summary.certificate else { return (None, false) };
    let estimated = certificate.recall.is_some() && !certificate.proven;
    let says = if certificate.proven {
        *promise != Promise::Exact
    } else {
        estimated || certificate.judges_by.is_some() || *promise == Promise::Exact
    };
    (says.then(|| format!("{}recall {}", if estimated { "estimated " } else { "" }, certificate.says)), estimated)
}

/// Returns the clusters at every threshold that the forest covers.
fn steps(job: &Job<'_>, forest: Option<StoredPairs<'_>>, documents: usize) -> Result<Vec<report::ThresholdStep>> {
    let (Some(forest), Some(least)) = (forest, job.spans_from()?) else { return Ok(Vec::new()) };
    let shown = |step: ThresholdStep| report::ThresholdStep {
        threshold: step.threshold.to_string(),
        clusters: step.clusters,
        clustered: step.clustered,
        largest: step.largest,
        sizes: step.sizes,
    };
    Ok(crate::results::steps::steps(forest, documents, least)?.into_iter().map(shown).collect())
}

fn recall(job: &Job<'_>, summary: &RunSummary) -> report::Recall {
    let is_capped = !summary.capped.is_empty();
    let [pass] = job.scheme.passes() else {
        let is_sure = |pass: &scheme::Pass| matches!(pass.promise(), Promise::Exact | Promise::Estimated);
        let promise = if job.scheme.passes().iter().all(is_sure) {
            Promise::Exact
        } else {
            Promise::Nothing("of several passes each promises for itself, as the notes in run.json say")
        };
        let (certificate, estimated) = certificate(summary, &promise);
        return report::Recall { promise: promise.of_run(is_capped), certificate, estimated, chance: None, curve: Vec::new() };
    };
    let (promise, chance) = (pass.promise(), pass.chance());
    let curve = match (chance, pass.floor("resemblance")) {
        (Some(chance), _) => chance.curve(POINTS),
        (None, Some(floor)) if promise == Promise::Exact => {
            let floor = floor.approximate();
            vec![(0.0, 0.0), (floor, 0.0), (floor, 1.0), (1.0, 1.0)]
        }
        _ => Vec::new(),
    };
    let chance = chance.map(|chance| report::Chance {
        keys: match chance {
            Chance::Bands { grid, least } => report::KeyRequirement::Bands { bands: grid.bands, rows: grid.rows, least },
            Chance::Minima { size } => report::KeyRequirement::Minima { size },
        },
        at_threshold: pass.threshold().map(|threshold| chance.at(threshold.approximate())),
    });
    let (certificate, estimated) = certificate(summary, &promise);
    report::Recall { promise: promise.of_run(is_capped), certificate, estimated, chance, curve }
}

/// Returns the name of a scheme's features, in the plural.
fn features<'a>(job: &'a Job<'_>) -> &'a str {
    match job.scheme.passes() {
        [pass] if pass.features().name() != "abstract" => pass.features().name(),
        _ => "features",
    }
}

fn counts(summary: &RunSummary) -> report::Counts {
    let counts = &summary.counts;
    report::Counts {
        documents: counts.documents,
        kept: counts.kept,
        identical: counts.identical,
        lexical: counts.lexical,
        shingles: counts.shingles,
        near: counts.near,
        originals: counts.originals,
        blank: counts.without_text,
        short: counts.short,
        thin: counts.thin_samples,
        rejected: counts.rejected,
        reference: counts.reference,
    }
}

fn table(summary: &RunSummary, table: &ClusterTable) -> report::ClusterTable {
    report::ClusterTable {
        documents: summary.counts.documents,
        clusters: table.clusters,
        identical_clusters: table.identical_clusters,
        identical_documents: table.identical_documents,
        mixed_clusters: table.mixed_clusters,
        mixed_documents: table.mixed_documents,
    }
}

struct PageContent<'a> {
    names: &'a TableNames<'a>,
    /// For each pass, the name of the number that decides in it.
    subjects: Vec<Option<String>>,
}

impl PageContent<'_> {
    /// Returns the first clusters by a key; clusters without a key are left out.
    fn clusters<K: Ord + Send>(
        &self,
        groups: Option<&LeaderGroups<'_>>,
        key: impl Fn(LeaderGroup<'_>) -> Option<K> + Sync,
    ) -> Result<Vec<report::Cluster>> {
        groups.iter().flat_map(|groups| groups.first(CLUSTERS, &key)).map(|group| self.cluster(group)).collect()
    }

    fn cluster(&self, group: LeaderGroup<'_>) -> Result<report::Cluster> {
        let mut shown: Vec<&DroppedDocument> = group.followers().collect();
        shown.sort_by_key(|dropped| (millionths(dropped.overlap), dropped.document));
        // The page shows what a member shares with the leader. If a member met another document, only its number is known.
        let verdicts = group.verdicts();
        let members = shown.into_iter().filter(|dropped| verdicts.met_leader(dropped).is_some()).take(MEMBERS).map(|dropped| {
            let pair = ScoredPair { overlap: dropped.overlap.reversed(), ..ScoredPair::from(*dropped) };
            Ok(report::ClusterMember { document: self.document(dropped.document)?, evidence: self.evidence(Some(dropped.rule), &pair) })
        });
        Ok(report::Cluster { leader: self.document(group.leader())?, size: group.size(), members: members.collect::<Result<_>>()? })
    }

    fn pair(&self, pair: &ScoredPair) -> Result<report::ShownPair> {
        Ok(report::ShownPair { left: self.document(pair.left)?, right: self.document(pair.right)?, evidence: self.evidence(None, pair) })
    }

    fn evidence(&self, rule: Option<Rule>, &ScoredPair { pass, overlap, value, .. }: &ScoredPair) -> report::Evidence {
        let rule = rule.map(|rule| match rule {
            Rule::Identical => report::Rule::Identical,
            Rule::Lexical => report::Rule::Lexical,
            Rule::Shingles => report::Rule::Shingles,
            Rule::Near => report::Rule::Near,
        });
        let decided = value.get().zip(self.subjects[pass as usize].as_ref());
        report::Evidence {
            rule,
            shared: overlap.shared.into(),
            left_size: overlap.left.into(),
            right_size: overlap.right.into(),
            decided: decided.map(|(value, subject)| report::Decided { subject: subject.clone(), value }),
        }
    }

    fn capped(&self, capped: &CappedKey, passes: &[CompiledPass]) -> Result<report::CappedKey> {
        let kind = passes[capped.pass - 1].kind_of(capped.table);
        let key = format!("{}:{:08x}", capped.table, capped.key);
        let sample = match &capped.says {
            Some(says) => says.clone(),
            None => self.document(capped.first)?.text,
        };
        Ok(report::CappedKey {
            key: if passes.len() == 1 { key } else { format!("pass {}, {key}", capped.pass) },
            size: capped.size as u64,
            over: if kind.is_some_and(|kind| kind.over == OverCap::Drop) { report::CappedFate::Drop } else { report::CappedFate::Star },
            sample,
        })
    }

    fn document(&self, document: DocId) -> Result<report::ShownDocument> {
        let mut text = self.names.signed.read(document)?;
        let bytes = text.len() as u64;
        text.truncate(text.floor_char_boundary(TEXT));
        Ok(report::ShownDocument {
            id: Some(self.names.ids.get(document).into_owned()),
            source: self.names.source(document).to_owned(),
            row: self.names.rows[document.index()],
            text,
            bytes,
        })
    }
}

fn group(group: &GroupCount) -> report::ReportedGroup {
    let GroupCount { name, documents, dropped, pairs } = group.clone();
    report::ReportedGroup { name, documents, dropped, pairs }
}
