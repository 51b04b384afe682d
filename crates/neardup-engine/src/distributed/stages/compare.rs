//! Comparing: the families of a part are compared, and the verdicts on all their documents, copies included, are sent home.

use crate::Result;
use crate::distributed::family::FamilyFindings;
use crate::distributed::key_limits::KeyLimits;
use crate::distributed::message::{
    ClassMember, ClusterNode, CopyClass, DocName, DocNumber, Dropped, HomeVerdict, Message, Outbox, StageName, TextDigest, TextRow, part_of,
};
use crate::distributed::plan::Plan;
use crate::distributed::stages::compared::Compared;
use crate::distributed::stages::copies::{CopyVerdicts, DecidedMember, count_dropped, send_decided, send_gone};
use crate::distributed::stages::shelve::send_led;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{Capped, CompareTally, LargeTally, PairsTally, Tally};
use crate::findings::decisions::DroppedDocument;
use crate::job::Verb;
use crate::results::cluster_table::ClusterTable;
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;
use std::collections::{BTreeMap, HashMap};

/// Compares the families of a part.
pub fn compare(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let plan = task.plan;
    // Large families are compared in later steps.
    let (parts, large) = (plan.parts, LargeTally::of(plan, &inbox.large_texts));
    outbox.send_all(StageName::Divide, inbox.large_texts, |row| part_of(row.node.0, parts), Message::LargeTexts)?;
    outbox.send_all(StageName::Expand, inbox.large_classes, |class| part_of(class.node.0, parts), Message::LargeClasses)?;
    outbox.send_all(StageName::Expand, inbox.large_digests, |digest| part_of(digest.node.0, parts), Message::LargeDigests)?;
    let mut foreseen: Vec<u64> = inbox.foreseen.into_iter().map(|(_, key)| key).collect();
    foreseen.sort_unstable();
    foreseen.dedup();
    let compared = Compared::of(task, task.job.verb, &foreseen, inbox.texts, Vec::new())?;
    let classes: HashMap<DocNumber, &CopyClass> = inbox.classes.iter().map(|class| (class.node, class)).collect();
    let digests: HashMap<(DocNumber, u128), TextDigest> =
        inbox.digests.iter().map(|(_, digest)| ((digest.node, digest.raw), *digest)).collect();
    let Compared { rows, found, sizes, .. } = &compared;
    let families = ComparedFamilies { plan, rows, nodes: nodes_of(rows, plan), classes, digests, found, sizes };
    let (mut pairs, mut stars) = (PairsTally::default(), Vec::new());
    if task.job.lists() {
        let (found, large) = families.pairs(task.job.options.max_family);
        pairs = PairsTally::of(&found, plan);
        stars = large;
        outbox.send_all(StageName::Route, found, |pair| part_of(pair.left.number.0, plan.parts), Message::Pairs)?;
    }
    let starred_keys = families.starred_keys();
    let (decided, signs_only) = families.decide();
    let limits = KeyLimits::of(&task.pass()?);
    let (capped, names) = families.capped(&limits);
    let dropped = count_dropped(&decided);
    let tally = CompareTally { signs_only, dropped, capped, names, pairs, stars, starred_keys, large, ..CompareTally::default() };
    if task.job.verb == Verb::Pairs {
        send_gone(plan, &decided, outbox)?;
        return outbox.report(Tally::Compared(tally));
    }
    if plan.passes > 1 {
        let links = families.send_on(task.job.verb, decided, outbox)?;
        return outbox.report(Tally::Compared(CompareTally { links, ..tally }));
    }
    let led = decided.iter().filter_map(|decided| Some((decided.dropped.as_ref()?.original.number, decided.count())));
    send_led(plan, led, outbox)?;
    let (verdicts, clusters) = families.verdicts(task.job.verb, decided);
    let home = |(document, _): &(DocNumber, HomeVerdict)| document.home();
    let message = |verdicts: Vec<(DocNumber, HomeVerdict)>| Message::Verdicts(verdicts.into_iter().map(|(_, verdict)| verdict).collect());
    outbox.send_all(StageName::Write, verdicts, home, message)?;
    outbox.report(Tally::Compared(CompareTally { clusters, ..tally }))
}

/// Returns the evidence that a document is a duplicate of the document `original`.
pub fn dropped(found: &DroppedDocument, original: DocName, pass: u32) -> Dropped {
    Dropped { original, leader: None, pass, rule: found.rule, overlap: found.overlap, value: found.value.words() }
}

/// Returns the representatives of each node: the first of them, one of the reference if there is any, with all.
fn nodes_of(rows: &[TextRow<'_>], plan: &Plan) -> Vec<(DocId, Vec<DocId>)> {
    let mut nodes: BTreeMap<DocNumber, Vec<DocId>> = BTreeMap::new();
    for (document, row) in DocId::FIRST.onwards().zip(rows) {
        nodes.entry(row.node).or_default().push(document);
    }
    let key = |document: &DocId| (!plan.is_reference(rows[document.index()].member.name.number), *document);
    nodes.into_values().map(|documents| (documents.iter().copied().min_by_key(key).unwrap_or_default(), documents)).collect()
}

/// The families of a part, compared. Rows are numbered as in the findings.
pub(super) struct ComparedFamilies<'f> {
    pub(super) plan: &'f Plan,
    pub(super) rows: &'f [TextRow<'f>],
    /// The representatives of each node, the first of them with all.
    pub(super) nodes: Vec<(DocId, Vec<DocId>)>,
    pub(super) classes: HashMap<DocNumber, &'f CopyClass>,
    pub(super) digests: HashMap<(DocNumber, u128), TextDigest>,
    pub(super) found: &'f FamilyFindings,
    /// Number of features of the documents that represent copies.
    pub(super) sizes: &'f HashMap<DocId, u32>,
}

impl<'f> ComparedFamilies<'f> {
    /// Returns the verdicts on all documents of the input, and the number of those that differ from their original in signs only.
    fn decide(&self) -> (Vec<DecidedMember<'f>>, u64) {
        let (mut decided, mut signs_only) = (Vec::new(), 0);
        for &(first, ref of_class) in &self.nodes {
            match self.class(first) {
                None => decided.push(self.alone(first)),
                Some(class) => signs_only += self.expand(first, of_class, class, &mut decided),
            }
        }
        (decided, signs_only)
    }

    /// Sends the findings to the steps that join those of all passes, and the dropped documents to the next pass. Returns the number of
    /// documents in clusters.
    fn send_on(&self, verb: Verb, decided: Vec<DecidedMember<'f>>, outbox: &mut Outbox) -> Result<u64> {
        let parts = self.plan.parts;
        let mut count = 0;
        send_decided(self.plan, decided, outbox)?;
        if verb == Verb::Cluster {
            let nodes = self.clusters().nodes;
            count = nodes.len() as u64;
            let links = nodes.iter().filter(|node| node.root != node.name.number).map(|node| [node.name.number, node.root]);
            outbox.send_all(StageName::SmallStar, links, |link| part_of(link[0].0, parts), Message::Links)?;
            outbox.send_all(StageName::Join, nodes.iter().cloned(), |node| part_of(node.name.number.0, parts), Message::Nodes)?;
        }
        Ok(count)
    }

    /// Returns the verdicts on all documents of the input that are dropped, lead a group, or are in a cluster with others, and Broder's
    /// table.
    fn verdicts(&self, verb: Verb, decided: Vec<DecidedMember<'f>>) -> (Vec<(DocNumber, HomeVerdict)>, ClusterTable) {
        let clusters = (verb == Verb::Cluster).then(|| self.clusters());
        let mut group_sizes: HashMap<DocNumber, u32> = HashMap::new();
        let mut identical: HashMap<DocNumber, bool> = HashMap::new();
        let led: HashMap<DocNumber, u32> = self.rows.iter().map(|row| (row.member.name.number, row.led)).collect();
        for (dropped, count) in decided.iter().filter_map(|decided| Some((decided.dropped.as_ref()?, decided.count()))) {
            let leader = dropped.original.number;
            *group_sizes.entry(leader).or_insert(1 + led.get(&leader).copied().unwrap_or(0)) += count;
            *identical.entry(dropped.original.number).or_insert(true) &= dropped.rule == Rule::Identical;
        }
        let mut table = ClusterTable::default();
        match &clusters {
            None => group_sizes.iter().for_each(|(leader, size)| table.add(u64::from(*size), identical[leader])),
            Some(clusters) => clusters.count(&mut table),
        }
        let verdict = |decided: DecidedMember<'f>| {
            let number = decided.name.number;
            let leader = decided.dropped.as_ref().map_or(number, |dropped| dropped.original.number);
            let group_size = group_sizes.get(&leader).copied().unwrap_or(1);
            let cluster = clusters.as_ref().and_then(|clusters| clusters.of(number));
            let says_something = decided.dropped.is_some() || group_size > 1 || cluster.is_some();
            let verdict =
                HomeVerdict { place: number.place(), of_copies: decided.copies > 0, dropped: decided.dropped, group_size, cluster };
            (says_something && !self.plan.is_reference(number)).then_some((number, verdict))
        };
        (decided.into_iter().filter_map(verdict).collect(), table)
    }

    /// Returns the keys above their cap that propose pairs, and the names of a few of their documents.
    fn capped(&self, limits: &[KeyLimits]) -> (Vec<Capped>, Vec<(DocNumber, String)>) {
        let (mut capped, mut names) = (Vec::new(), Vec::new());
        for found in self.found.capped.iter().filter(|found| limits.get(found.table).is_none_or(|limits| !limits.drops)) {
            let sample: Vec<&DocName> = found.sample.iter().map(|document| self.name(*document)).collect();
            names.extend(sample.iter().map(|name| (name.number, self.plan.id(name))));
            let sample = sample.iter().map(|name| name.number).collect();
            capped.push(Capped { bucket: (found.table as u64) << 32 | u64::from(found.key), size: found.size as u64, sample });
        }
        (capped, names)
    }

    /// Returns the class of copies of a representative, if it has any.
    pub(super) fn class(&self, document: DocId) -> Option<&'f CopyClass> {
        self.classes.get(&self.rows[document.index()].node).copied()
    }

    pub(super) fn is_reference(&self, document: DocId) -> bool {
        self.plan.is_reference(self.name(document).number)
    }

    pub(super) fn name(&self, document: DocId) -> &'f DocName {
        &self.rows[document.index()].member.name
    }

    fn alone(&self, document: DocId) -> DecidedMember<'f> {
        DecidedMember {
            name: self.name(document),
            copies: 0,
            dropped: self.found.verdicts.get(document).map(|dropped| self.dropped(dropped)),
        }
    }

    fn dropped(&self, found: &DroppedDocument) -> Dropped {
        dropped(found, self.name(found.original).clone(), self.plan.pass)
    }

    /// Whether two texts of a class are equal; the same text may be stored in two ways.
    pub(super) fn are_identical(&self, class: &CopyClass, one: u128, other: u128) -> bool {
        self.copies().are_identical(class, one, other)
    }

    fn copies(&self) -> CopyVerdicts<'_> {
        CopyVerdicts { plan: self.plan, digests: &self.digests }
    }

    /// See [`CopyVerdicts::expand`].
    fn expand(&self, first: DocId, of_class: &[DocId], class: &'f CopyClass, decided: &mut Vec<DecidedMember<'f>>) -> u64 {
        let of_input = of_class.iter().copied().find(|document| !self.is_reference(*document));
        let fate = of_input.and_then(|document| self.found.verdicts.get(document)).map(|dropped| self.dropped(dropped));
        let size = self.sizes.get(&first).copied().unwrap_or(0);
        self.copies().expand(class, &self.rows[first.index()].member, fate, size, decided)
    }

    /// Returns the clusters of two and more documents.
    fn clusters(&self) -> NamedClusters<'f> {
        let mut members: BTreeMap<DocId, Vec<(&'f ClassMember, u128)>> = BTreeMap::new();
        for &(first, _) in &self.nodes {
            let Some(root) = self.found.clusters.as_ref().map(|clusters| clusters.of(first)) else { continue };
            let of_cluster = members.entry(root).or_default();
            match self.class(first) {
                None => of_cluster.push((&self.rows[first.index()].member, self.rows[first.index()].member.raw)),
                Some(class) => {
                    let copies = self.copies();
                    of_cluster.extend(class.members.iter().map(|member| (member, copies.text(class, member.raw))));
                }
            }
        }
        let mut clusters = NamedClusters::default();
        for of_cluster in members.into_values() {
            let count = of_cluster.iter().map(|(member, _)| member.count()).sum::<u32>();
            let names = || of_cluster.iter().map(|(member, _)| &member.name);
            let least = of_cluster.iter().map(|(member, _)| member.least()).min_by(|one, other| self.plan.order(one, other));
            let Some(name) = least.filter(|_| count > 1) else { continue };
            let root = names().map(|name| name.number).min().unwrap_or_default();
            let is_identical = of_cluster.iter().all(|(_, text)| *text == of_cluster[0].1);
            let has_input = names().any(|name| !self.plan.is_reference(name.number));
            clusters.kinds.push((u64::from(count), is_identical, has_input));
            clusters.of.extend(names().map(|member| (member.number, (name, count))));
            let pass = self.plan.pass;
            clusters.nodes.extend(of_cluster.iter().map(|(member, text)| ClusterNode::of(member, root, pass, *text)));
        }
        clusters
    }
}

/// The clusters of two and more documents of some families.
#[derive(Default)]
struct NamedClusters<'f> {
    /// Name and size of the cluster of each document.
    of: HashMap<DocNumber, (&'f DocName, u32)>,
    /// Size of each cluster, whether all its texts are equal, and whether it has a document of the input.
    kinds: Vec<(u64, bool, bool)>,
    /// The documents of all clusters.
    nodes: Vec<ClusterNode>,
}

impl NamedClusters<'_> {
    fn of(&self, document: DocNumber) -> Option<(DocName, u32)> {
        self.of.get(&document).map(|(name, size)| ((*name).clone(), *size))
    }

    fn count(&self, table: &mut ClusterTable) {
        self.kinds.iter().filter(|kind| kind.2).for_each(|&(size, is_identical, _)| table.add(size, is_identical));
    }
}
