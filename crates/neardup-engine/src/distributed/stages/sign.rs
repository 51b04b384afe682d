//! Signing at home: keys go to the parts of keys, digests of tokens to those of copies, ids to those of ids.

use crate::Result;
use crate::distributed::home::{Home, HomeCopies, PolicyOrder, member, no_home};
use crate::distributed::known;
use crate::distributed::message::{ClassMember, DocNumber, IdRow, Message, Outbox, PackedKeys, Represented, Row, StageName, part_of};
use crate::distributed::plan::HomeSplit;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{SignTally, Tally};
use crate::job::Verb;
use crate::signing::worker::TextTask;
use neardup_core::keys::Keys;
use neardup_core::keys::rows::StoredKeys;
use neardup_core::pass::compiled::{CompiledPass, SketchContent};
use neardup_core::sets::parts::SketchPart;
use neardup_core::sets::sketch::Sketches;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::DocId;
use neardup_text::Text;
use std::collections::HashSet;

/// Signs a home.
pub fn sign(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let input = inbox.home().ok_or_else(no_home)?;
    let set_aside: HashSet<u32> = inbox.repeated.iter().map(|repeated| repeated.document.place()).collect();
    let (aside, split) = (inbox.unseen(task.plan), &input.split);
    let pass = task.pass_to_sign()?;
    let folder = task.folder()?;
    let (keep, prefers) = (task.job.keep(), !task.job.fields.prefer.is_empty());
    let home = task.open(&input, &TextTask::Sign(&pass), folder.path())?;
    let order = task.policy_order(&input, &home, folder.path(), &keep, prefers)?;
    // Later passes do not see the copies: the first one drops them.
    let copies = if task.plan.pass == 0 { task.copies_at(split, &home, &set_aside)? } else { HomeCopies::default() };
    let signing = HomeSigning { task, home: &home, split, aside: &aside, copies: &copies, to: StageName::Link, parts: task.plan.key_parts };
    signing.send_keys(&pass, outbox)?;
    signing.send_copies(order.as_ref(), outbox)?;
    if task.plan.has_ids && !task.plan.sets_aside && task.plan.pass == 0 {
        signing.send_ids(outbox)?;
    }
    let before = inbox.featureless.into_iter().map(|(_, places)| places.into_iter().collect::<HashSet<u32>>());
    let before = before.reduce(|one, other| &one & &other);
    let featureless = featureless(&home, &set_aside, &aside, before)?;
    let tally =
        SignTally { without_features: featureless.len() as u64, ..SignTally::of(task.job, &home, split, &pass, task.plan, &aside)? };
    if task.plan.pass + 1 < task.plan.passes {
        outbox.send(StageName::Link, split.number, &Message::Featureless(split.number, featureless))?;
        let lexical = home.signed.segments[0].column(|segment| segment.lexical)?;
        // A text without tokens is no copy.
        let places = copies.all().filter(|place| lexical[*place as usize] != 0).collect();
        let represented = Represented { home: split.number, sets_aside: task.plan.sets_aside, places };
        outbox.send(StageName::Link, split.number, &Message::Represented(represented))?;
    }
    outbox.hand_on(StageName::Link, [Tally::Signed(tally)])
}

/// Returns the documents with tokens that have no feature in any pass so far. No pass signs what an earlier one dropped. `before` are
/// those of the earlier passes.
fn featureless(home: &Home, set_aside: &HashSet<u32>, aside: &HashSet<u32>, before: Option<HashSet<u32>>) -> Result<Vec<u32>> {
    let segments = &home.signed.segments[0];
    let (tokens, features) = (segments.column(|segment| segment.tokens)?, segments.column(|segment| segment.features)?);
    let lacks = |place: &u32| {
        let document = *place as usize;
        let was_lacking = before.as_ref().map_or(tokens[document] > 0, |before| before.contains(place));
        was_lacking && !set_aside.contains(place) && (features[document] == 0 || aside.contains(place))
    };
    Ok((0..tokens.len() as u32).filter(lacks).collect())
}

/// Returns sketches with further bits of all keys, if the pass keeps these.
fn further_bits(pass: &CompiledPass, segments: &Segments) -> Result<Option<Sketches>> {
    if pass.kept.first() != Some(&SketchContent::Further(0)) {
        return Ok(None);
    }
    let documents: Vec<DocId> = DocId::first(segments.len()).collect();
    Ok(Some(segments.sketches(&documents, &Ignored::new(pass, &[]))?))
}

/// The signed documents of a home.
pub struct HomeSigning<'s, 'a, 'j> {
    /// The task.
    pub task: &'s StageTask<'a, 'j>,
    /// The documents.
    pub home: &'s Home,
    /// Their home.
    pub split: &'s HomeSplit,
    /// Documents that send nothing.
    pub aside: &'s HashSet<u32>,
    /// Documents that others represent.
    pub copies: &'s HomeCopies,
    /// The stage that takes the messages.
    pub to: StageName,
    /// Number of its parts.
    pub parts: u32,
}

impl HomeSigning<'_, '_, '_> {
    /// Sends the keys of all documents with features. Of those of this home with the same tokens, only the first sends them.
    pub fn send_keys(&self, pass: &CompiledPass, outbox: &mut Outbox) -> Result<()> {
        let (segments, parts) = (&self.home.signed.segments[0], self.parts);
        let lexical = segments.column(|segment| segment.lexical)?;
        let features = segments.column(|segment| segment.features)?;
        let mut seen = HashSet::with_capacity(lexical.len());
        let sends: Vec<bool> =
            (0..lexical.len()).map(|place| features[place] > 0 && self.is_sent(place as u32) && seen.insert(lexical[place])).collect();
        let keys: usize =
            segments.iter().flat_map(|(_, segment)| (0..pass.kinds.len()).filter_map(|kind| segment.rows(kind))).map(StoredKeys::len).sum();
        let room = keys / parts as usize * 9 / 8;
        let mut packed: Vec<PackedKeys> = (0..parts).map(|_| PackedKeys::with_room(self.split.number, room)).collect();
        let (are_sketched, mut sketched) = (known::are_sent(pass), Vec::new());
        let sketches = further_bits(pass, segments)?;
        let mut first_table = 0u64;
        for (kind, kinds) in pass.kinds.iter().enumerate() {
            let tables = Keys::tables(&kinds.keys);
            for table in 0..tables {
                let number = first_table + table as u64;
                for (first, segment) in segments.iter() {
                    let Some(rows) = segment.rows(kind) else { continue };
                    rows.each(segments.store(), table, first, segment.len(), |key, document| {
                        if sends[document.index()] {
                            let bucket = number << 32 | u64::from(key);
                            let class = (lexical[document.index()] >> 64) as u64;
                            let part = part_of(bucket, parts);
                            let further = sketches
                                .as_ref()
                                .map_or(0, |sketches| Keys::further(SketchPart::nth(sketches.get(document.0).parts, kind), table));
                            packed[part as usize].push(bucket << 16 | u64::from(further), class, document.0);
                            if are_sketched {
                                sketched.push((part, document));
                            }
                        }
                    })?;
                }
            }
            first_table += tables as u64;
        }
        for (part, keys) in (0..).zip(packed) {
            outbox.rows.extend(keys.finish().map(|packed| Row { stage: self.to, part, packed }));
        }
        if are_sketched { self.send_briefs(pass, sketched, outbox) } else { Ok(()) }
    }

    /// Sends the documents to those with the same tokens.
    pub fn send_copies(&self, order: Option<&PolicyOrder>, outbox: &mut Outbox) -> Result<()> {
        let (segments, plan) = (&self.home.signed.segments[0], self.task.plan);
        let (lexical, raw) = (segments.column(|segment| segment.lexical)?, segments.column(|segment| segment.raw)?);
        let named = self.home.documents().filter(|document| lexical[document.index()] != 0 && self.is_sent(document.0));
        let named = named.map(|document| {
            let own = member(self.home, self.split, plan, order, raw[document.index()], document);
            let represented = self.copies.represented(document.0);
            // Only clusters are named by the least id.
            let names = represented.iter().filter(|_| self.task.job.verb == Verb::Cluster);
            let least = names.map(|copy| self.home.name(self.split, plan, DocId(*copy))).min_by(|one, other| plan.order(one, other));
            let least = least.filter(|least| plan.order(least, &own.name).is_lt()).map(Box::new);
            (lexical[document.index()], ClassMember { copies: represented.len() as u32, least, ..own })
        });
        outbox.send_all(self.to, named, |(lexical, _)| part_of((lexical >> 64) as u64, self.parts), Message::Copies)
    }

    /// Whether a document is sent by itself.
    fn is_sent(&self, place: u32) -> bool {
        !self.aside.contains(&place) && !self.copies.has(place)
    }

    /// Sends the sketches of documents to all parts that have keys of them: `homes` has part and document.
    fn send_briefs(&self, pass: &CompiledPass, mut homes: Vec<(u32, DocId)>, outbox: &mut Outbox) -> Result<()> {
        homes.sort_unstable();
        homes.dedup();
        let ignored = Ignored::new(pass, &[]);
        let documents: Vec<DocId> = homes.iter().map(|(_, document)| *document).collect();
        let sketches = self.home.signed.segments[0].sketches(&documents, &ignored)?;
        let brief = |(place, (part, document)): (u32, (u32, DocId))| {
            (part, DocNumber::new(self.split.number, document.0), known::brief(sketches.get(place), pass))
        };
        let briefs = (0..).zip(homes).map(brief);
        let message = |briefs: Vec<(u32, DocNumber, Vec<u8>)>| {
            Message::Briefs(briefs.into_iter().map(|(_, document, brief)| (document, brief)).collect())
        };
        outbox.send_all(self.to, briefs, |brief| brief.0, message)
    }

    /// Sends the ids, so that those of several documents are found.
    pub fn send_ids(&self, outbox: &mut Outbox) -> Result<()> {
        let side = if self.split.is_reference { &b"r"[..] } else { b"i" };
        let has_several = self.home.sources.len() > 1;
        let row = |document: DocId| {
            let id = [side, self.home.ids.bytes(document.index())].concat();
            let place = has_several.then(|| self.home.signed.catalogue.name(document)).transpose()?;
            Ok(IdRow {
                id: Text::Plain(&id).digest(),
                document: DocNumber::new(self.split.number, document.0),
                row: self.home.rows[document.index()],
                place: place.map(String::into_boxed_str),
            })
        };
        let rows: Vec<IdRow> = self.home.documents().map(row).collect::<Result<_>>()?;
        outbox.send_all(self.to, rows, |row| part_of((row.id >> 64) as u64, self.parts), Message::Ids)
    }
}
