//! Linking: documents that share a key are linked, unless their sketches prove that they cannot match; copies are grouped; and ids
//! that occur twice are found.

mod rows;

use crate::Result;
use crate::distributed::key_limits::KeyLimits;
use crate::distributed::known::{self, SketchBrief};
use crate::distributed::message::{ClassMember, CopyClass, DocNumber, IdRow, KeyRow, Message, Outbox, RepeatedId, StageName, part_of};
use crate::distributed::stages::link::rows::LinkRows;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{Capped, LinkTally, Tally};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::forest::Forest;
use std::collections::HashMap;

/// Number of documents reported for a capped key.
const SAMPLE: usize = 5;
/// Maximum number of documents of a key for which every pair is checked; in larger groups all documents are linked.
const CHECKED: usize = 64;

/// Links the documents of the keys of a part.
pub fn link(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let pass = task.pass()?;
    let limits = KeyLimits::of(&pass);
    let Inbox { briefs, tallies, featureless, represented, .. } = inbox;
    let LinkRows { mut keys, copies, ids, briefs } = LinkRows::of(task, inbox.keys, limits.len(), inbox.copies, inbox.ids, briefs)?;
    let parts = task.plan.parts;
    let mut tally = LinkTally::default();
    keys.sort_unstable();
    let briefs = briefs.iter().map(|(document, bytes)| (*document, known::read(bytes))).collect();
    let mut linking = Linking {
        limits,
        pass: &pass,
        max_family: task.job.options.max_family,
        briefs,
        links: Vec::new(),
        foreseen: Vec::new(),
        capped: Vec::new(),
        bounded: 0,
        past_homes: task.plan.past_homes,
    };
    for bucket in keys.chunk_by(|one, other| one.bucket() == other.bucket()) {
        linking.bucket(bucket);
    }
    let Linking { links, foreseen, capped, bounded, .. } = linking;
    (tally.capped, tally.bounded) = (capped, bounded);
    let links = spanning(links);
    tally.links = links.len() as u64;
    outbox.send_all(StageName::SmallStar, links, |link| part_of(link[0].0, parts), Message::Links)?;
    outbox.send_all(StageName::Gather, foreseen, |(node, _)| part_of(node.0, parts), Message::Foreseen)?;
    let new_classes = classes(copies).into_iter().filter(|class| class.members.iter().any(|member| !task.plan.is_past(member.name.number)));
    outbox.send_all(StageName::Gather, new_classes, |class| part_of(class.node.0, parts), Message::Classes)?;
    let repeated = repeated(ids);
    tally.repeated = repeated.len() as u64;
    tally.first_repeated = repeated.iter().min().cloned();
    for stage in [StageName::Sign, StageName::Write] {
        outbox.send_all(stage, repeated.iter().cloned(), |repeated| repeated.document.home(), Message::Repeated)?;
    }
    // What homes send to themselves takes the way of the keys, too.
    for (home, places) in featureless {
        outbox.send(StageName::Sign, home, &Message::Featureless(home, places))?;
    }
    for represented in represented {
        outbox.send(StageName::Sign, represented.home, &Message::Represented(represented))?;
    }
    outbox.hand_on(StageName::Driver, tallies)?;
    outbox.report(Tally::Linked(tally))
}

struct Linking<'a> {
    pass: &'a CompiledPass,
    /// Limits of each table, numbered through all kinds.
    limits: Vec<KeyLimits>,
    /// Maximum number of documents of a key of which all pairs are listed.
    max_family: usize,
    briefs: HashMap<DocNumber, SketchBrief>,
    links: Vec<[DocNumber; 2]>,
    foreseen: Vec<(DocNumber, u64)>,
    capped: Vec<Capped>,
    /// Number of keys above their cap whose documents are compared with the first only.
    bounded: u64,
    /// Number of homes of the past.
    past_homes: u32,
}

impl Linking<'_> {
    /// Links the documents of a key. The rows are sorted, so those with equal further bits, and of those the copies, are together.
    fn bucket(&mut self, rows: &[KeyRow]) {
        if rows.len() == 1 {
            return;
        }
        let bucket = rows[0].bucket();
        let limits = self.limits[(bucket >> 32) as usize];
        // Of the past, only documents that meet new ones are needed.
        let past_homes = self.past_homes;
        let is_new = |row: &KeyRow| row.document.home() >= past_homes;
        if !rows.iter().any(is_new) {
            return;
        }
        let mut size = 0;
        let mut nodes: Vec<KeyRow> = Vec::new();
        for copies in rows.chunk_by(|one, other| (one.key, one.class) == (other.key, other.class)) {
            size += 1;
            nodes.push(copies[0]);
        }
        let is_capped = limits.cap.is_some_and(|cap| size > cap as usize);
        if is_capped && limits.drops {
            let mut sample: Vec<DocNumber> = nodes.iter().map(|row| row.document).collect();
            sample.sort_unstable();
            sample.truncate(SAMPLE);
            self.capped.push(Capped { bucket, size: size as u64, sample });
            self.foreseen.extend(nodes.iter().map(|row| (row.document, bucket)));
            return;
        }
        self.bounded += u64::from(is_capped);
        let is_whole = is_capped || size > self.max_family;
        let mut rest = rows;
        for group in nodes.chunk_by(|one, other| one.key == other.key) {
            let of_group = rest.partition_point(|row| row.key <= group[0].key);
            let (members, others) = rest.split_at(of_group);
            rest = others;
            if members.iter().any(is_new) {
                self.group(group, is_whole);
            }
        }
    }

    fn group(&mut self, group: &[KeyRow], is_whole: bool) {
        // Reports on a large or capped family cover all its documents, so none is excluded.
        if group.len() > CHECKED || is_whole || self.briefs.is_empty() {
            let first = group.iter().map(|row| row.document).min().unwrap_or_default();
            let others = group.iter().map(|row| row.document).filter(|document| *document != first);
            self.links.extend(others.map(|document| [document, first]));
            return;
        }
        for (at, right) in group.iter().enumerate() {
            for left in &group[..at] {
                let known = [left, right].map(|row| self.briefs.get(&row.document));
                if let [Some(one), Some(other)] = known
                    && !known::possible(self.pass, one, other)
                {
                    continue;
                }
                self.links.push([left.document.max(right.document), left.document.min(right.document)]);
            }
        }
    }
}

/// Returns links that connect the same documents, at most one for each: every document is tied to the smallest of its tree.
pub fn spanning(mut links: Vec<[DocNumber; 2]>) -> Vec<[DocNumber; 2]> {
    links.sort_unstable();
    links.dedup();
    let mut nodes: Vec<DocNumber> = links.as_flattened().to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    let place = |node: DocNumber| nodes.binary_search(&node).unwrap_or_default() as u32;
    let mut forest: Forest<u32> = Forest::new(nodes.len());
    links.iter().for_each(|[one, other]| forest.union(place(*one), place(*other)));
    let roots = (0..nodes.len() as u32).map(|node| forest.find(node));
    let mut firsts: HashMap<u32, DocNumber> = HashMap::new();
    let tied: Vec<(DocNumber, u32)> = nodes.iter().copied().zip(roots).collect();
    // Ascending, so the first node of a tree is its smallest.
    tied.iter().for_each(|&(node, root)| _ = firsts.entry(root).or_insert(node));
    tied.into_iter().map(|(node, root)| [node, firsts[&root]]).filter(|[node, root]| node != root).collect()
}

/// Returns the classes of two and more documents with equal digests, copies that others represent included.
fn classes(mut copies: Vec<(u128, ClassMember)>) -> Vec<CopyClass> {
    copies.sort_unstable_by_key(|(lexical, member)| (*lexical, member.name.number));
    let mut classes = Vec::new();
    let mut rest = copies.into_iter().peekable();
    while let Some((lexical, member)) = rest.next() {
        let mut members = vec![member];
        while let Some((_, member)) = rest.next_if(|(next, _)| *next == lexical) {
            members.push(member);
        }
        if members.len() > 1 || members[0].copies > 0 {
            let node = members[0].name.number;
            classes.push(CopyClass { root: node, node, members });
        }
    }
    classes
}

/// Returns the documents whose id an earlier one has.
fn repeated(mut ids: Vec<IdRow>) -> Vec<RepeatedId> {
    ids.sort_unstable_by_key(|row| (row.id, row.document));
    let mut repeated = Vec::new();
    for equal in ids.chunk_by(|one, other| one.id == other.id) {
        let first = &equal[0];
        repeated.extend(equal[1..].iter().map(|row| RepeatedId {
            document: row.document,
            first: first.document,
            first_row: first.row,
            first_place: first.place.clone(),
        }));
    }
    repeated
}
