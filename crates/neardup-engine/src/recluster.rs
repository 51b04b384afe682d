//! Reclustering: the clusters of a run of `pairs` at another threshold, without its documents.
//!
//! Phase four of Broder, Glassman, Manasse, Zweig 1997: "cheap, and repeated".

use crate::output::{Output, RUN, read_batches};
use crate::recluster::link::{Link, Links};
use crate::run::Outcome;
use crate::tables::{batch, schema};
use crate::{Error, Result};
use arrow::array::{Array, AsArray, RecordBatch, StringArray, UInt32Array};
use arrow::datatypes::{DataType, UInt32Type};
use neardup_core::measures::Overlap;
use neardup_core::ratio::Ratio;
use neardup_core::scheme::{Pass, Scheme};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

mod link;

/// What makes one cluster of the two documents of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// They resemble each other: |A n B| / |A u B| reaches the threshold.
    Resemblance,
    /// Either is contained in the other: |A n B| / min(|A|, |B|) reaches the threshold.
    Containment,
    /// Every document goes to the largest one that contains it: two documents that merely contain the same third stay
    /// apart.
    ContainedBy,
}

impl Policy {
    const ALL: [(Policy, &'static str); 3] =
        [(Policy::Resemblance, "resemblance"), (Policy::Containment, "containment"), (Policy::ContainedBy, "contained-by")];

    fn name(self) -> &'static str {
        Policy::ALL.iter().find(|(policy, _)| *policy == self).map_or("", |(_, name)| name)
    }

    /// Whether a pair is one by this policy.
    fn holds(self, overlap: Overlap, threshold: &Ratio) -> bool {
        let whole = match self {
            Policy::Resemblance => overlap.union(),
            Policy::Containment | Policy::ContainedBy => u64::from(overlap.left.min(overlap.right)),
        };
        threshold.at_least(overlap.shared.into(), whole)
    }

    /// Whether the pairs of a pass hold all that this policy asks for at `threshold`; the reason when they do not.
    fn check(self, pass: &Pass, threshold: &Ratio) -> Result<(), String> {
        let least = |measure| pass.floor(measure);
        let seen = match self {
            // A containment is never below the resemblance, so its pairs hold those of a resemblance.
            Policy::Resemblance => [least("resemblance"), least("containment")].into_iter().flatten().min(),
            Policy::Containment | Policy::ContainedBy => least("containment").filter(|_| least("resemblance").is_none()),
        };
        match seen {
            Some(least) if *threshold >= least => Ok(()),
            Some(least) => Err(format!("threshold is {threshold}; the run lists pairs from {least} on, so allowed are {least} to 1")),
            None => Err(format!("policy is {}; the run lists pairs by {}, which need not hold them all", self.name(), pass.condition())),
        }
    }
}

impl FromStr for Policy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Policy> {
        let allowed = || Policy::ALL.map(|(_, name)| name).join(", ");
        let found = Policy::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(policy, _)| *policy).ok_or_else(|| Error::Usage(format!("policy is {name}; allowed are {}", allowed())))
    }
}

/// What is read of the run's `run.json`.
#[derive(Deserialize)]
struct Run {
    verb: String,
    scheme: String,
    digest: String,
    counts: Counts,
}

#[derive(Deserialize)]
struct Counts {
    documents: u64,
}

/// What `run.json` says of clusters that were made again.
#[derive(Serialize)]
struct Summary {
    neardup: &'static str,
    verb: &'static str,
    run: String,
    scheme: String,
    policy: &'static str,
    threshold: String,
    verified: bool,
    digest: String,
    counts: Found,
}

/// Totals.
#[derive(Serialize)]
struct Found {
    /// Documents of the run.
    documents: u64,
    /// Pairs that the policy takes.
    pairs: u64,
    /// Clusters of two or more.
    clusters: u64,
    /// Documents in them.
    clustered: u64,
}

/// Makes the clusters of the pairs in the folder `run` again.
///
/// # Errors
/// [`Error::Usage`] when the folder holds no run of `pairs`, when the threshold lies below that of the run, or when
/// its keys could not see what the policy asks for.
pub fn recluster(run: &Path, threshold: &Ratio, policy: Policy, output: Option<(&Path, bool)>) -> Result<Outcome> {
    let text = std::fs::read_to_string(run.join(RUN)).map_err(|_| refuse(run, "not a finished result of neardup"))?;
    let of: Run = serde_json::from_str(&text).map_err(|_| refuse(run, "not a result of neardup pairs"))?;
    if of.verb != "pairs" {
        return Err(refuse(run, &format!("a result of neardup {}, which keeps no list of pairs; run neardup pairs", of.verb)));
    }
    let scheme: Scheme = of.scheme.parse()?;
    let [pass] = scheme.passes() else {
        return Err(refuse(run, "a result of several passes, of which each saw only what those before it kept; run neardup pairs by one"));
    };
    policy.check(pass, threshold).map_err(Error::Usage)?;
    let mut links = Links::default();
    for rows in read_batches(&run.join("pairs.parquet"))? {
        take(&rows?, threshold, policy, &mut links);
    }
    let clusters = links.clusters(policy);
    let mut hash = blake3::Hasher::new();
    clusters.iter().for_each(|(id, cluster, _)| {
        [id, cluster].into_iter().for_each(|text| {
            hash.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        });
    });
    let summary = Summary {
        neardup: env!("CARGO_PKG_VERSION"),
        verb: "recluster",
        run: of.digest,
        scheme: of.scheme,
        policy: policy.name(),
        threshold: threshold.to_string(),
        verified: true,
        digest: hash.finalize().to_hex().to_string(),
        counts: Found {
            documents: of.counts.documents,
            pairs: links.count(),
            clusters: clusters.iter().filter(|(id, cluster, _)| id == cluster).count() as u64,
            clustered: clusters.len() as u64,
        },
    };
    // Strings and numbers only: nothing in a summary can fail to be written.
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

fn refuse(run: &Path, reason: &str) -> Error {
    Error::Usage(format!("{}: {reason}", run.display()))
}

/// Links the pairs of some rows that the policy takes.
fn take(rows: &RecordBatch, threshold: &Ratio, policy: Policy, links: &mut Links) {
    let (ids, counts) = (|name: &str| rows[name].as_string::<i32>(), |name: &str| rows[name].as_primitive::<UInt32Type>());
    let (left, right) = (ids("left"), ids("right"));
    let (shared, left_size, right_size) = (counts("shared"), counts("left_size"), counts("right_size"));
    for row in 0..left.len() {
        let overlap = Overlap { shared: shared.value(row), left: left_size.value(row), right: right_size.value(row) };
        if policy.holds(overlap, threshold) {
            links.add(Link { left: left.value(row), right: right.value(row), sizes: [overlap.left, overlap.right] });
        }
    }
}
