//! The context of the templates: figures ready to print, and names cut to a length.

use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::charts;
use crate::texts::difference::difference;
use crate::texts::side_by_side::{same, side_by_side};
use crate::texts::title::title;
use crate::{Cluster, Evidence, InputFile, PageLimits, PhaseWork, Report, Rule, ShownDocument, number};

/// Number of characters shown of a name, a path or a sample.
const NAME: usize = 160;

/// Number of characters shown of a command or a scheme line.
const LINE: usize = 2_000;

/// Number of rows shown of a table.
const ROWS: usize = 50;

/// Returns the context of `report.html`: everything outside the three lists. Its size is bounded, whatever the run.
pub(crate) fn frame(report: &Report, limits: &PageLimits) -> Value {
    // This float is for drawing only; it never takes part in the decisions of a run.
    let tau: Option<f64> = report.threshold.parse().ok().filter(|tau| (0.0..=1.0).contains(tau));
    let chance = report.recall.chance;
    let (inputs, hosts) = (kept_shares(&report.inputs), kept_shares(&report.hosts));
    let more_hosts = report.all_hosts.saturating_sub(hosts.len() as u64);
    let groups: Vec<_> = report
        .groups
        .iter()
        .take(ROWS)
        .map(|group| context! { name => cut(&group.name, NAME), documents => group.documents, dropped => group.dropped, pairs => group.pairs })
        .collect();
    let capped: Vec<_> = report
        .capped
        .iter()
        .take(ROWS)
        .map(|capped| {
            context! { key => cut(&capped.key, NAME), size => capped.size, over => Value::from(Serde(capped.over)),
            sample => cut(&capped.sample, NAME) }
        })
        .collect();
    context! {
        job => Value::from(Serde(report.job)),
        command => cut(&report.command, LINE), scheme => cut(&report.scheme, LINE),
        version => cut(&report.version, NAME), digest => cut(&report.digest, NAME),
        condition => cut(&report.condition, NAME), threshold => cut(&report.threshold, NAME),
        verified => report.verified, counts => Value::from(Serde(report.counts)), notes => report.notes.clone(),
        dropped => report.counts.dropped(), table => Value::from(Serde(report.table)),
        group => report.job.group(), largest => report.sizes.last_key_value().map(|(size, _)| *size),
        pairs => report.histogram.accepted.iter().sum::<u64>(),
        rejected => report.histogram.rejected.iter().sum::<u64>(), features => cut(&report.features, NAME),
        promise => cut(&report.recall.promise, LINE), promised => sentence(&cut(&report.recall.promise, LINE)),
        estimated => report.recall.estimated,
        certificate => report.recall.certificate.as_deref().map(|certificate| cut(certificate, LINE)),
        keys => chance.map(|chance| Value::from(Serde(chance.keys))),
        chance => chance.and_then(|chance| chance.at_threshold).map(|chance| format!("{chance:.4}")),
        phases => report.phases.iter().take(ROWS).map(|phase| PhaseView::new(phase, &report.phases)).map(|phase| Value::from(Serde(phase))).collect::<Vec<_>>(),
        seconds => report.phases.iter().map(|phase| phase.seconds).sum::<f64>(),
        hosts, more_hosts, inputs, more_inputs => report.inputs.len().saturating_sub(ROWS) as u64,
        groups, more_groups => report.groups.len().saturating_sub(ROWS) as u64,
        capped, more_capped => report.capped.len().saturating_sub(ROWS) as u64,
        scores => Value::from(Serde(charts::histogram(&report.histogram, tau, if report.verified { "verified" } else { "accepted" }))),
        sizes => Value::from(Serde(charts::clusters(&report.sizes))),
        steps => charts::steps(&report.steps).into_iter().map(|step| Value::from(Serde(step))).collect::<Vec<_>>(),
        curve => Value::from(Serde(charts::curve(&report.recall, tau))),
        page => limits.page as u64,
    }
}

/// Returns the rows of a table of inputs or hosts.
fn kept_shares(parts: &[InputFile]) -> Vec<Value> {
    let row = |part: &InputFile| {
        let dropped = part.documents.saturating_sub(part.kept);
        context! { name => cut(&part.name, NAME), documents => part.documents, kept => part.kept, dropped => dropped }
    };
    parts.iter().take(ROWS).map(row).collect()
}

#[derive(Serialize)]
pub(crate) struct PhaseView {
    name: String,
    seconds: f64,
    /// Time in percent of that of the longest phase.
    share: String,
    work: String,
    rate: Option<String>,
}

impl PhaseView {
    /// Creates the view of one of `phases`.
    pub fn new(phase: &crate::Phase, phases: &[crate::Phase]) -> PhaseView {
        let longest = phases.iter().map(|phase| phase.seconds).fold(0.0, f64::max);
        let (work, rate) = match phase.work {
            PhaseWork::Bytes(n) => (number::bytes(n), number::rate(n, phase.seconds, true)),
            PhaseWork::Items(n) => (number::count(n), number::rate(n, phase.seconds, false)),
        };
        let share = if longest > 0.0 { phase.seconds / longest * 100.0 } else { 0.0 };
        PhaseView { name: cut(&phase.name, NAME), seconds: phase.seconds, share: format!("{share:.1}"), work, rate }
    }
}

/// A cluster with the members to be shown, lowest score first.
#[derive(Serialize)]
pub(crate) struct ClusterView {
    name: String,
    title: String,
    size: u64,
    lowest: Option<String>,
    members: Vec<PairView>,
}

impl ClusterView {
    pub fn new(cluster: &Cluster, limits: &PageLimits) -> ClusterView {
        let mut members: Vec<_> = cluster.members.iter().collect();
        members.sort_by(|a, b| {
            let (a, b) = (a.evidence.resemblance(), b.evidence.resemblance());
            let across = |x: u64, y: u64| u128::from(x) * u128::from(y.max(1));
            across(a.numerator, b.denominator).cmp(&across(b.numerator, a.denominator))
        });
        let view = |member: &&crate::ClusterMember| {
            PairView::new(&cluster.leader, &member.document, &member.evidence, ["leader", "member"], limits)
        };
        ClusterView {
            name: cut(&cluster.leader.name(), NAME),
            title: title(&cluster.leader.text),
            size: cluster.size.max(cluster.members.len() as u64 + 1),
            lowest: members.first().map(|member| member.evidence.resemblance().decimal()),
            members: members.iter().take(limits.members).map(view).collect(),
        }
    }
}

/// Two documents side by side with their scores.
#[derive(Serialize)]
pub(crate) struct PairView {
    rule: Option<Rule>,
    score: String,
    shared: u64,
    union: u64,
    left_in_right: String,
    right_in_left: String,
    decided: Option<String>,
    /// The difference of the texts in a line; `None` if only their beginnings were available.
    difference: Option<String>,
    left: DocumentView,
    right: DocumentView,
    texts: Value,
}

impl PairView {
    pub fn new(
        left: &ShownDocument,
        right: &ShownDocument,
        evidence: &Evidence,
        roles: [&'static str; 2],
        limits: &PageLimits,
    ) -> PairView {
        let resemblance = evidence.resemblance();
        let texts = match evidence.rule {
            Some(Rule::Identical) => same(&left.text.as_str().into(), limits.text),
            _ => side_by_side(&left.text, &right.text, limits.text),
        };
        PairView {
            rule: evidence.rule,
            score: resemblance.decimal(),
            shared: evidence.shared,
            union: resemblance.denominator,
            left_in_right: evidence.left_in_right().decimal(),
            right_in_left: evidence.right_in_left().decimal(),
            decided: evidence.decided.as_ref().map(ToString::to_string),
            difference: (left.is_whole() && right.is_whole()).then(|| difference(&left.text, &right.text).to_string()),
            left: DocumentView::new(left, roles[0]),
            right: DocumentView::new(right, roles[1]),
            texts: Value::from_safe_string(texts),
        }
    }
}

#[derive(Serialize)]
struct DocumentView {
    role: &'static str,
    name: String,
    title: String,
    source: String,
    row: u64,
    bytes: u64,
    /// Number of bytes of the text that were available to compare; `None` if the whole text was.
    given: Option<u64>,
}

impl DocumentView {
    fn new(document: &ShownDocument, role: &'static str) -> DocumentView {
        let given = document.text.len() as u64;
        DocumentView {
            role,
            name: cut(&document.name(), NAME),
            title: title(&document.text),
            source: cut(&document.source, NAME),
            row: document.row,
            bytes: document.bytes.max(given),
            given: (!document.is_whole()).then_some(given),
        }
    }
}

/// Returns the text with a capital.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

/// Returns the first `limit` characters, with an ellipsis if something is missing.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
