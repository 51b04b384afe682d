//! Comparing: the families of a part are compared, and the verdicts on all their documents, copies included, are sent home.

use crate::Result;
use crate::distributed::family::{self, FamilyFindings};
use crate::distributed::message::{CopyClass, DocName, DocNumber, Dropped, Message, Outbox, StageName, TextDigest, TextRow, Verdict};
use crate::distributed::plan::Plan;
use crate::distributed::stages::gather::policy_order;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{CompareTally, Tally};
use crate::findings::decisions::DroppedDocument;
use crate::job::Verb;
use crate::results::cluster_table::ClusterTable;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;
use std::collections::{BTreeMap, HashMap};

/// Compares the families of a part.
pub fn compare(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let plan = task.plan;
    let mut texts = inbox.texts;
    texts.sort_by(|one, other| policy_order(plan, &one.member, &other.member));
    let (references, inputs): (Vec<TextRow<'_>>, Vec<TextRow<'_>>) =
        texts.into_iter().partition(|row| plan.is_reference(row.member.name.number));
    let mut foreseen: Vec<u64> = inbox.foreseen.into_iter().map(|(_, key)| key).collect();
    foreseen.sort_unstable();
    foreseen.dedup();
    let count = inputs.len();
    let rows: Vec<TextRow<'_>> = inputs.into_iter().chain(references).collect();
    let classes: HashMap<DocNumber, &CopyClass> = inbox.classes.iter().map(|class| (class.node, class)).collect();
    let digests: HashMap<(DocNumber, u128), TextDigest> =
        inbox.digests.iter().map(|(_, digest)| ((digest.node, digest.raw), *digest)).collect();
    // The number of features is the evidence of copies.
    let firsts = firsts_of(&rows, &classes, plan);
    let sides = [&rows[..count], &rows[count..]].map(|rows| rows.iter().map(|row| &*row.text).collect::<Vec<&str>>());
    let found = family::compare(task.job, sides, foreseen, &firsts, task.watch)?;
    let sizes = firsts.into_iter().zip(found.sizes.iter().copied()).collect();
    let families = Families { plan, rows: &rows, classes, digests, found, sizes };
    let (verdicts, tally) = families.decide(task.job.verb);
    let home = |(document, _): &(DocNumber, Verdict)| document.home();
    let message = |verdicts: Vec<(DocNumber, Verdict)>| Message::Verdicts(verdicts.into_iter().map(|(_, verdict)| verdict).collect());
    outbox.send_all(StageName::Write, verdicts, home, message)?;
    outbox.report(Tally::Compared(tally))
}

/// Returns the first representative of each class.
fn firsts_of(rows: &[TextRow<'_>], classes: &HashMap<DocNumber, &CopyClass>, plan: &Plan) -> Vec<DocId> {
    let mut firsts: BTreeMap<DocNumber, (bool, DocId)> = BTreeMap::new();
    for (document, row) in DocId::FIRST.onwards().zip(rows).filter(|(_, row)| classes.contains_key(&row.node)) {
        let entry = (!plan.is_reference(row.member.name.number), document);
        firsts.entry(row.node).and_modify(|first| *first = entry.min(*first)).or_insert(entry);
    }
    firsts.into_values().map(|(_, document)| document).collect()
}

/// The families of a part, compared. Rows are numbered as in the findings.
struct Families<'f> {
    plan: &'f Plan,
    rows: &'f [TextRow<'f>],
    classes: HashMap<DocNumber, &'f CopyClass>,
    digests: HashMap<(DocNumber, u128), TextDigest>,
    found: FamilyFindings,
    /// Number of features of the first of every class.
    sizes: HashMap<DocId, u32>,
}

/// A document with what is known of its side and its verdict.
struct Decided<'f> {
    name: &'f DocName,
    dropped: Option<Dropped>,
}

impl<'f> Families<'f> {
    /// Returns the verdicts on all documents of the input that are dropped, lead a group, or are in a cluster with others.
    fn decide(&self, verb: Verb) -> (Vec<(DocNumber, Verdict)>, CompareTally) {
        let mut decided: Vec<Decided<'f>> = Vec::new();
        let mut signs_only = 0;
        for (first, of_class) in self.by_class() {
            match self.classes.get(&self.rows[first.index()].node) {
                None => decided.push(self.alone(first)),
                Some(class) => signs_only += self.expand(first, &of_class, class, &mut decided),
            }
        }
        let clusters = (verb == Verb::Cluster).then(|| self.clusters());
        let mut group_sizes: HashMap<DocNumber, u32> = HashMap::new();
        let mut identical: HashMap<DocNumber, bool> = HashMap::new();
        for dropped in decided.iter().filter_map(|decided| decided.dropped.as_ref()) {
            *group_sizes.entry(dropped.original.number).or_insert(1) += 1;
            *identical.entry(dropped.original.number).or_insert(true) &= dropped.rule == Rule::Identical;
        }
        let mut table = ClusterTable::default();
        match &clusters {
            None => group_sizes.iter().for_each(|(leader, size)| table.add(u64::from(*size), identical[leader])),
            Some(clusters) => clusters.count(&mut table),
        }
        let verdict = |decided: Decided<'f>| {
            let number = decided.name.number;
            let leader = decided.dropped.as_ref().map_or(number, |dropped| dropped.original.number);
            let group_size = group_sizes.get(&leader).copied().unwrap_or(1);
            let cluster = clusters.as_ref().and_then(|clusters| clusters.of(number));
            let says_something = decided.dropped.is_some() || group_size > 1 || cluster.is_some();
            let verdict = Verdict { place: number.place(), dropped: decided.dropped, group_size, cluster };
            (says_something && !self.plan.is_reference(number)).then_some((number, verdict))
        };
        let tally = CompareTally { clusters: table, signs_only };
        (decided.into_iter().filter_map(verdict).collect(), tally)
    }

    /// Returns the representatives of each node, the first of them with all.
    fn by_class(&self) -> Vec<(DocId, Vec<DocId>)> {
        let mut nodes: BTreeMap<DocNumber, Vec<DocId>> = BTreeMap::new();
        for (document, row) in DocId::FIRST.onwards().zip(self.rows) {
            nodes.entry(row.node).or_default().push(document);
        }
        let first = |documents: &Vec<DocId>| {
            documents.iter().copied().min_by_key(|document| (!self.is_reference(*document), *document)).unwrap_or_default()
        };
        nodes.into_values().map(|documents| (first(&documents), documents)).collect()
    }

    fn is_reference(&self, document: DocId) -> bool {
        self.plan.is_reference(self.name(document).number)
    }

    fn name(&self, document: DocId) -> &'f DocName {
        &self.rows[document.index()].member.name
    }

    fn alone(&self, document: DocId) -> Decided<'f> {
        Decided { name: self.name(document), dropped: self.found.verdicts.get(document).map(|dropped| self.dropped(dropped)) }
    }

    fn dropped(&self, dropped: &DroppedDocument) -> Dropped {
        Dropped {
            original: self.name(dropped.original).clone(),
            rule: dropped.rule,
            overlap: dropped.overlap,
            value: dropped.value.words(),
        }
    }

    /// Adds the verdicts on the members of a class of copies, and returns the number of those that differ from their original in
    /// signs only. A copy is dropped like the representative of its side; or for the first copy, if the representative is kept or
    /// dropped for it.
    fn expand(&self, first: DocId, of_class: &[DocId], class: &'f CopyClass, decided: &mut Vec<Decided<'f>>) -> u64 {
        let (mut signs_only, first_number) = (0, self.name(first).number);
        let of_input = of_class.iter().copied().find(|document| !self.is_reference(*document));
        let fate = of_input.and_then(|document| self.found.verdicts.get(document)).filter(|dropped| dropped.original != first);
        let size = self.sizes.get(&first).copied().unwrap_or(0);
        let first_raw = self.rows[first.index()].member.raw;
        for member in &class.members {
            if self.plan.is_reference(member.name.number) {
                continue;
            }
            let dropped = match fate {
                Some(dropped) => Some(self.dropped(dropped)),
                None if member.name.number == first_number => None,
                None => {
                    let [own, original] = [member.raw, first_raw].map(|raw| self.digests.get(&(class.node, raw)));
                    let is_identical = match (own, original) {
                        (Some(own), Some(original)) => own.decoded == original.decoded,
                        _ => member.raw == first_raw,
                    };
                    signs_only += u64::from(!is_identical && own.map(|digest| digest.signs) != original.map(|digest| digest.signs));
                    Some(Dropped {
                        original: self.name(first).clone(),
                        rule: if is_identical { Rule::Identical } else { Rule::Lexical },
                        overlap: Overlap { shared: size, left: size, right: size },
                        value: neardup_core::decide::value::PairValue::NONE.words(),
                    })
                }
            };
            decided.push(Decided { name: &member.name, dropped });
        }
        signs_only
    }

    /// Returns the clusters of two and more documents.
    fn clusters(&self) -> NamedClusters<'f> {
        let mut members: BTreeMap<DocId, Vec<&'f DocName>> = BTreeMap::new();
        let mut texts: BTreeMap<DocId, Vec<Option<u128>>> = BTreeMap::new();
        for (first, _) in self.by_class() {
            let Some(root) = self.found.clusters.as_ref().map(|clusters| clusters.of(first)) else { continue };
            let (of_cluster, texts) = (members.entry(root).or_default(), texts.entry(root).or_default());
            match self.classes.get(&self.rows[first.index()].node) {
                None => {
                    of_cluster.push(self.name(first));
                    texts.push(Some(self.rows[first.index()].member.raw));
                }
                Some(class) => {
                    of_cluster.extend(class.members.iter().map(|member| &member.name));
                    let decoded = |raw: u128| self.digests.get(&(class.node, raw)).map_or(raw, |digest| digest.decoded);
                    texts.extend(class.members.iter().map(|member| Some(decoded(member.raw))));
                }
            }
        }
        let mut clusters = NamedClusters::default();
        for ((_, of_cluster), mut texts) in members.into_iter().zip(texts.into_values()).filter(|((_, members), _)| members.len() > 1) {
            let Some(name) = of_cluster.iter().copied().min_by(|one, other| self.plan.order(one, other)) else { continue };
            texts.sort_unstable();
            texts.dedup();
            let has_input = of_cluster.iter().any(|name| !self.plan.is_reference(name.number));
            clusters.kinds.push((of_cluster.len() as u64, texts.len() == 1, has_input));
            clusters.of.extend(of_cluster.iter().map(|member| (member.number, (name, of_cluster.len() as u32))));
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
}

impl NamedClusters<'_> {
    fn of(&self, document: DocNumber) -> Option<(DocName, u32)> {
        self.of.get(&document).map(|(name, size)| ((*name).clone(), *size))
    }

    fn count(&self, table: &mut ClusterTable) {
        self.kinds.iter().filter(|kind| kind.2).for_each(|&(size, is_identical, _)| table.add(size, is_identical));
    }
}
