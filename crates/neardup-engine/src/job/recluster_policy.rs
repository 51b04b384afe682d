//! Policies: which pairs make clusters, and whether a run has listed them all.

use crate::{Error, Result};
use neardup_core::measures::Overlap;
use neardup_core::scheme::Pass;
use neardup_core::util::ratio::Ratio;
use std::str::FromStr;

/// The condition on which the two documents of a pair belong to one cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReclusterPolicy {
    /// They resemble each other: |A n B| / |A u B| reaches the threshold.
    Resemblance,
    /// Either is contained in the other: |A n B| / min(|A|, |B|) reaches the threshold.
    Containment,
    /// Every document joins the largest document that contains it: two documents that merely contain the same third one stay in
    /// separate clusters.
    ContainedBy,
}

impl ReclusterPolicy {
    const ALL: [(ReclusterPolicy, &'static str); 3] = [
        (ReclusterPolicy::Resemblance, "resemblance"),
        (ReclusterPolicy::Containment, "containment"),
        (ReclusterPolicy::ContainedBy, "contained-by"),
    ];

    /// Returns its name in options.
    pub(crate) fn name(self) -> &'static str {
        ReclusterPolicy::ALL.iter().find(|(policy, _)| *policy == self).map_or("", |(_, name)| name)
    }

    /// Whether a pair meets this policy at `threshold`.
    pub(crate) fn holds(self, overlap: Overlap, threshold: &Ratio) -> bool {
        let whole = match self {
            ReclusterPolicy::Resemblance => overlap.union(),
            ReclusterPolicy::Containment | ReclusterPolicy::ContainedBy => u64::from(overlap.left.min(overlap.right)),
        };
        threshold.at_least(overlap.shared.into(), whole)
    }

    /// Returns the threshold from which the pairs of a pass include all that this policy needs; `None` if no threshold
    /// guarantees that.
    pub(crate) fn least(self, pass: &Pass) -> Option<Ratio> {
        let least = |measure| pass.floor(measure);
        match self {
            // The containment of a pair is never below its resemblance, so the pairs from a containment on include those from
            // that resemblance on.
            ReclusterPolicy::Resemblance => [least("resemblance"), least("containment")].into_iter().flatten().min(),
            ReclusterPolicy::Containment | ReclusterPolicy::ContainedBy => least("containment").filter(|_| least("resemblance").is_none()),
        }
    }

    /// Checks that the pairs of a pass include all that this policy needs at `threshold`; otherwise returns the reason.
    pub(crate) fn check(self, pass: &Pass, threshold: &Ratio) -> Result<(), String> {
        match self.least(pass) {
            Some(least) if *threshold >= least => Ok(()),
            Some(least) => Err(format!("threshold is {threshold}; the run lists pairs from {least} on, so allowed are {least} to 1")),
            None => Err(format!("policy is {}; the run lists pairs by {}, which may miss pairs it needs", self.name(), pass.condition())),
        }
    }
}

impl FromStr for ReclusterPolicy {
    type Err = Error;

    fn from_str(name: &str) -> Result<ReclusterPolicy> {
        let allowed = || ReclusterPolicy::ALL.map(|(_, name)| name).join(", ");
        let found = ReclusterPolicy::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(policy, _)| *policy).ok_or_else(|| Error::Usage(format!("policy is {name}; allowed are {}", allowed())))
    }
}
