//! Reclustering: clusters of a run at other thresholds, without its documents. They are made from its pairs, or from the maximum
//! spanning forest of these: the forest connects the same documents as all pairs do, at every resemblance.
//!
//! Phase four of Broder, Glassman, Manasse, Zweig 1997: "cheap, and repeated".
//!
//! The input is pairs.parquet, or forest.parquet if there are no pairs. A threshold below that of the run is refused, and so is a
//! policy for which the run may lack pairs. A containment is never below the resemblance, so pairs by containment include those
//! by resemblance. The reverse does not hold, and a forest is of resemblances. Under `contained-by` each document joins the
//! largest document that contains it.

use crate::checkpoint::output::{Output, RUN};
use crate::job::outcome::Outcome;
use crate::recluster::link::{ClusterLink, LinkedClusters, Links};
use crate::results::digest::TableSum;
use crate::results::summary::RunVersion;
use crate::tables::read::read_batches;
use crate::tables::table::{batch, schema};
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::DataType;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::scheme::Scheme;
use neardup_core::util::ratio::Ratio;
use neardup_disk::owned::refuse_inputs;
use neardup_disk::regular;
use neardup_report::number;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

mod link;

pub use crate::job::recluster_policy::ReclusterPolicy;

const FOREST: &str = "forest.parquet";

/// The part of the run's `run.json` that reclustering reads.
#[derive(Deserialize)]
struct FinishedRun {
    verb: String,
    #[serde(flatten)]
    version: RunVersion,
    scheme: String,
    digest: String,
    counts: ReclusterCounts,
    stars: Vec<(String, usize)>,
    starred_keys: Vec<(String, usize)>,
    capped: Vec<CappedCount>,
}

#[derive(Deserialize)]
struct CappedCount {
    size: usize,
}

#[derive(Deserialize)]
struct ReclusterCounts {
    documents: u64,
    pairs: Option<u64>,
    reference: u64,
}

/// Contents of `run.json` for clusters that were made again.
#[derive(Serialize)]
struct ReclusterSummary {
    neardup: &'static str,
    #[serde(flatten)]
    version: RunVersion,
    verb: &'static str,
    run: String,
    scheme: String,
    policy: &'static str,
    threshold: String,
    verified: bool,
    digest: String,
    counts: Totals,
    warnings: Vec<String>,
}

/// Totals of a reclustering.
#[derive(Serialize)]
struct Totals {
    /// Number of documents of the run.
    documents: u64,
    /// Number of pairs that the policy accepts; `None` if the run does not list all pairs.
    pairs: Option<u64>,
    /// Number of clusters of two or more documents.
    clusters: u64,
    /// Number of documents in these clusters.
    clustered: u64,
    /// Number of documents in the largest cluster.
    largest: u64,
}

/// Counts of the clusters at one threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtThreshold {
    /// The threshold.
    pub threshold: Ratio,
    /// Number of clusters of two or more documents.
    pub clusters: u64,
    /// Number of documents in these clusters.
    pub clustered: u64,
    /// Number of documents in the largest cluster.
    pub largest: u64,
}

/// Makes the clusters of the run in the folder `run` again, at `threshold`, and writes them to `output` or returns them.
///
/// # Errors
/// [`Error::Usage`] if the folder contains no run with all the pairs that the policy needs, or if the threshold is below that of
/// the run.
pub fn recluster(run: &Path, threshold: &Ratio, policy: ReclusterPolicy, output: Option<(&Path, bool)>) -> Result<Outcome> {
    let of = FinishedRun::open(run)?;
    if let Some((target, _)) = output {
        refuse_inputs(target, [run])?;
    }
    of.refuse_without_signs(run, &[*threshold])?;
    let links = of.links(run, threshold, policy)?;
    let found = links.found(policy, threshold);
    let [count, clustered, largest] = found.counts();
    let LinkedClusters { clusters, links } = found;
    let mut sum = TableSum::default();
    for (id, cluster, _) in &clusters {
        sum.add(|row| [id, cluster].into_iter().for_each(|id| row.text(id)));
    }
    let summary = ReclusterSummary {
        neardup: env!("CARGO_PKG_VERSION"),
        version: of.version.clone().with_own_digest(),
        verb: "recluster",
        warnings: of.warnings(),
        run: of.digest,
        scheme: of.scheme,
        policy: policy.name(),
        threshold: threshold.to_string(),
        verified: true,
        digest: sum.digest("clusters"),
        counts: Totals { documents: of.counts.documents, pairs: of.counts.pairs.map(|_| links), clusters: count, clustered, largest },
    };
    // A summary consists of strings and numbers only, so serialisation cannot fail.
    let summary = serde_json::to_string_pretty(&summary).unwrap_or_default();
    let columns = [("id", DataType::Utf8, false), ("cluster", DataType::Utf8, false), ("size", DataType::UInt32, false)];
    let table = batch(
        schema(&columns, &[]),
        vec![
            Arc::new(clusters.iter().map(|row| Some(row.0)).collect::<StringArray>()),
            Arc::new(clusters.iter().map(|row| Some(row.1)).collect::<StringArray>()),
            Arc::new(clusters.iter().map(|row| row.2).collect::<UInt32Array>()),
        ],
    )?;
    let Some((target, overwrite)) = output else {
        return Ok(Outcome { summary, tables: vec![("clusters", table.schema(), vec![table])] });
    };
    let output = Output::open(target, overwrite)?;
    output.clear()?;
    output.rows("clusters.parquet", &table)?;
    output.write(RUN, &summary)?;
    output.finish()?;
    Ok(Outcome { summary, tables: Vec::new() })
}

/// Counts the clusters of the run in the folder `run` at each of several thresholds, and returns warnings about pairs that the
/// run lacks. With `words_alone`, texts that differ in signs alone may be equal.
///
/// # Errors
/// As [`recluster`].
pub fn at_thresholds(
    run: &Path,
    thresholds: &[Ratio],
    policy: ReclusterPolicy,
    words_alone: bool,
) -> Result<(Vec<AtThreshold>, Vec<String>)> {
    let Some(least) = thresholds.iter().min() else { return Ok(Default::default()) };
    let of = FinishedRun::open(run)?;
    if !words_alone {
        of.refuse_without_signs(run, thresholds)?;
    }
    let links = of.links(run, least, policy)?;
    let at = |&threshold: &Ratio| {
        let [clusters, clustered, largest] = links.found(policy, &threshold).counts();
        AtThreshold { threshold, clusters, clustered, largest }
    };
    Ok((thresholds.iter().map(at).collect(), of.warnings()))
}

impl FinishedRun {
    /// Reads the summary of the run in a folder; fails if the run cannot be clustered again.
    fn open(folder: &Path) -> Result<FinishedRun> {
        let refuse = |reason: &str| Err(refuse(folder, reason));
        let Ok(text) = regular::read_to_string(&folder.join(RUN)) else { return refuse("not a finished result of neardup") };
        let Ok(run) = serde_json::from_str::<FinishedRun>(&text) else {
            return refuse("not a result that can be clustered again; run neardup cluster --forest, or neardup pairs");
        };
        if run.counts.reference > 0 {
            return refuse(
                "a result with a reference, whose documents may have the ids of the input's; \
                 run it without --against, all documents being input",
            );
        }
        Ok(run)
    }

    /// Refuses the threshold 1 if the run left out signs: texts that differ in signs alone would be equal.
    fn refuse_without_signs(&self, folder: &Path, thresholds: &[Ratio]) -> Result<()> {
        let scheme: Scheme = self.scheme.parse()?;
        if !thresholds.contains(&Ratio::ONE) || !scheme.passes().iter().any(|pass| pass.token_rules().ignores_signs()) {
            return Ok(());
        }
        let reason = "a result without signs, in which texts that differ in signs alone have resemblance 1; \
                      run it again with --threshold 1, or with signs=keep in its scheme line";
        Err(refuse(folder, reason))
    }

    /// Returns the links at or above the threshold `least`: from the pairs if the run lists them, otherwise from the forest.
    fn links(&self, folder: &Path, least: &Ratio, policy: ReclusterPolicy) -> Result<Links> {
        let scheme: Scheme = self.scheme.parse()?;
        let [pass] = scheme.passes() else {
            let reason =
                "a result of several passes, of which each saw only what those before it kept; run neardup cluster --forest by one";
            return Err(refuse(folder, reason));
        };
        policy.check(pass, least).map_err(Error::Usage)?;
        let path = match self.counts.pairs {
            Some(_) => folder.join("pairs.parquet"),
            None if self.verb != "cluster" => {
                return Err(refuse(
                    folder,
                    &format!("a result of neardup {}, which keeps no pairs; run neardup cluster --forest", self.verb),
                ));
            }
            None if policy != ReclusterPolicy::Resemblance => {
                return Err(refuse(folder, "a forest is of resemblances; for a policy of containment run it again with --pairs"));
            }
            None if !folder.join(FOREST).exists() => {
                return Err(refuse(folder, "a result of neardup cluster, which keeps no forest of its pairs; run it again with --forest"));
            }
            None => folder.join(FOREST),
        };
        let mut links = Links::default();
        for rows in read_batches(&path)? {
            take(&rows?, least, policy, &mut links).ok_or_else(|| Error::Data(format!("{}: not as the run wrote it", path.display())))?;
        }
        Ok(links)
    }

    /// Returns warnings about pairs that the run lacks.
    fn warnings(&self) -> Vec<String> {
        let largest = |stars: &[(String, usize)]| stars.iter().map(|star| star.1).max();
        let families = |count: usize| format!("{count} {}", if count == 1 { "family" } else { "families" });
        let keys = largest(&self.starred_keys).map(|size| {
            format!(
                "{} of up to {size} documents that share a key: only pairs with the first document of each were compared, and documents \
                 whose other pairs are not in the run may stand apart; run it again with --max-family {size} to compare them all",
                families(self.starred_keys.len())
            )
        });
        let copies = largest(&self.stars).map(|size| {
            format!(
                "{} of up to {size} equal documents, as stars in the run: clusters are whole all the same, but the \
                 pairs of a family with its first alone are counted",
                families(self.stars.len())
            )
        });
        let listed = self.counts.pairs.is_some();
        let capped = self.capped.iter().map(|capped| capped.size).max().map(|size| {
            format!(
                "{} of up to {size} documents, capped: documents whose pairs only such keys would propose may be in different clusters",
                number::plural(self.capped.len() as u64, "key")
            )
        });
        // A forest has all the pairs it needs of equal documents and of keys that are not capped.
        [capped, keys.filter(|_| listed), copies.filter(|_| listed)].into_iter().flatten().collect()
    }
}

fn refuse(folder: &Path, reason: &str) -> Error {
    Error::Usage(format!("{}: {reason}", folder.display()))
}

/// Adds the pairs of some rows that the policy accepts to `links`; returns `None` if the rows are not pairs.
fn take(rows: &RecordBatch, threshold: &Ratio, policy: ReclusterPolicy, links: &mut Links) -> Option<()> {
    let texts = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
    let counts = |name: &str| rows.column_by_name(name)?.as_primitive_opt::<UInt32Type>();
    let (left, right, rule) = (texts("left")?, texts("right")?, texts("rule")?);
    let (shared, left_size, right_size) = (counts("shared")?, counts("left_size")?, counts("right_size")?);
    for row in 0..left.len() {
        let overlap = Overlap { shared: shared.value(row), left: left_size.value(row), right: right_size.value(row) };
        if policy.holds(overlap, threshold) {
            let copies = Rule::ALL.iter().any(|known| known.is_certain() && known.name() == rule.value(row));
            links.add(ClusterLink { left: left.value(row), right: right.value(row), overlap, copies });
        }
    }
    Some(())
}
