//! Verification: whether the state of an index follows from its texts.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{connected_leader, own_leader};
use crate::decide::verdict::name;
use crate::documents::table_key::TableKey;
use crate::index::Index;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::manifest::{COPY, Manifest};
use crate::storage::lock::Lock;
use crate::storage::log::LogReader;
use crate::{Error, Result};
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::DocId;
use neardup_core::util::threads::on_all;
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Index {
    /// Reads the index again from the disk, checks every byte, and signs every text again. Checks that each document is found,
    /// decided and connected according to its keys. The error names the first fault.
    pub fn verify(&self) -> Result<()> {
        let fresh = Index::open(self.dir(), |_| Ok(self.passes().clone()))?;
        fresh.refuse_leftovers()?;
        let contents = fresh.contents();
        let state = &contents.index_state.state;
        let living = (0..state.count()).into_par_iter().map(DocId).filter(|&number| state.is_alive(number));
        let look = |number| fresh.with_comparer(|comparer| Some((number, fault(&contents, number, comparer)?)));
        let fault = on_all(|| living.find_map_first(look));
        let torn = || {
            // Documents may be connected through the keys of other shards.
            if contents.settings().shard.is_some() {
                return None;
            }
            let components = components(&contents.index_state).into_par_iter();
            let look = |of: Vec<DocId>| fresh.with_comparer(|comparer| is_torn(&contents.index_state, &of, comparer)).then(|| of[0]);
            let torn = on_all(|| components.find_map_first(look));
            torn.map(|first| (first, "is in a component without a pair that connects it"))
        };
        fault.or_else(torn).map_or(Ok(()), |(number, what)| {
            let id = name(&contents.index_state.document_table.row(number));
            Err(Error::damaged(self.dir(), format!("document {id} {what}: build the index anew")))
        })
    }
}

impl Index {
    /// Refuses a shard whose state of a document differs from that of another shard of the same index, at the same step.
    pub(super) fn refuse_difference(&self, other: &Index) -> Result<()> {
        let (own, others) = (self.contents(), other.contents());
        let mut pairs = known(&own).zip(known(&others));
        let differing = pairs.find(|(one, other)| one != other).map(|(one, _)| one.serial);
        let rest = || own.index_state.state.living() != others.index_state.state.living();
        match differing
            .map(|serial| format!("document number {serial} is"))
            .or_else(|| rest().then(|| "the number of documents is".to_owned()))
        {
            None => Ok(()),
            Some(what) => {
                let why = format!("{what} different here and in {}: run neardup index repair", other.dir().display());
                Err(Error::damaged(self.dir(), why))
            }
        }
    }
}

/// The state of a document that all shards have in common. Documents are identified by serial number.
#[derive(PartialEq, Eq)]
struct VerifiedDocument<'a> {
    serial: u64,
    id: &'a [u8],
    url: &'a [u8],
    raw: u128,
    representative: u64,
    leader: u64,
    root: u64,
}

/// Returns the state of all living documents.
fn known(contents: &Snapshot) -> impl Iterator<Item = VerifiedDocument<'_>> {
    let IndexState { document_table, state, .. } = &contents.index_state;
    let serial = |number: DocId| document_table.row(number).serial;
    contents.living_from(0).map(move |number| {
        let (row, representative) = (document_table.row(number), state.representative(number));
        let (leader, root) = (serial(state.leader(representative)), serial(state.root(number)));
        VerifiedDocument {
            serial: row.serial,
            id: row.id,
            url: row.url,
            raw: row.raw,
            representative: serial(representative),
            leader,
            root,
        }
    })
}

impl Index {
    /// Refuses a folder whose copy of the manifest is missing or older, and a log that contains other bytes after its records.
    fn refuse_leftovers(&self) -> Result<()> {
        self.look_beside().or_else(|_| {
            // Another process may have been writing at that moment.
            let _lock = Lock::wait(self.dir())?;
            self.look_beside()
        })
    }

    fn look_beside(&self) -> Result<()> {
        let manifest = Manifest::read(self.dir())?;
        if let Some(what) = manifest.odd_copy(Manifest::read_copy(self.dir())?.as_ref()) {
            return Err(Error::damaged(&self.dir().join(COPY), format!("{what}: neardup index repair writes it again")));
        }
        LogReader::open(&self.dir().join(&manifest.log))?.refuse_rest()
    }
}

/// Returns the fault of a living document, if any.
fn fault(contents: &Snapshot, number: DocId, comparer: &mut TextComparer) -> Option<&'static str> {
    let index_state = &contents.index_state;
    let (document_table, state, row) = (&index_state.document_table, &index_state.state, index_state.document_table.row(number));
    // A text that is in another shard is checked there, with its signature.
    let signed = if row.is_whole() { comparer.sign(row.text) } else { return None };
    let is_signed_so = (signed.raw, signed.lexical, signed.tokens, signed.features) == (row.raw, row.lexical, row.tokens, row.features)
        && (&*signed.bitmap, &*signed.parts) == (row.bitmap, row.parts);
    if !is_signed_so {
        return Some("has stored digests or features that are not those of its text");
    }
    let url = String::from_utf8_lossy(row.url);
    if contents.of_id(&name(&row)) != Some(number) || !url.is_empty() && contents.of_url(&url) != Some(number) {
        return Some("is not found by its id and its URL");
    }
    let representative = state.representative(number);
    let is_same = |other: DocId| state.representative(other) == representative;
    let equals = || document_table.of_tokens(row.lexical).filter(|&other| state.is_alive(other));
    let is_carried = match row.lexical {
        0 => representative == number,
        _ => equals().any(|other| other == number) && equals().any(|other| other == representative) && equals().all(is_same),
    };
    if !is_carried {
        return Some("is not grouped with those of the same tokens");
    }
    if representative != number {
        return None;
    }
    let (mut is_entered, mut is_capped) = (true, false);
    document_table.look_up(&signed.keys, |under| {
        let (mut among_all, mut among_leaders, mut count) = (false, false, 0);
        under.all(|other| (among_all, count) = (among_all || other == number, count + 1));
        under.leaders(|other| among_leaders |= other == number);
        is_capped |= count > index_state.passes.cap_of(under.key);
        is_entered &= among_all && (among_leaders || !state.leads(number));
    });
    if !is_entered {
        return Some("is not found by its keys");
    }
    let leader = state.leader(number);
    if contents.settings().shard.is_some() {
        let before = |other: DocId| state.root(other) == state.root(number) && index_state.is_before(other, leader);
        let is_passed_over = !is_capped && own_leader(index_state, number, before, comparer).is_some();
        return is_passed_over.then_some("has another original than it should");
    }
    match () {
        // Under a key above its cap, a verdict depends on the documents that came first when it was made. It is accepted if it is
        // true by itself.
        () if is_capped && (leader == number || index_state.is_before(leader, number) && meets(index_state, number, leader, comparer)) => {
            None
        }
        () if !is_capped && meets_outside(index_state, number, &signed.keys, comparer) => Some("is not connected with all that it meets"),
        () if !is_capped && connected_leader(index_state, number, comparer).unwrap_or(number) == leader => None,
        () => Some("has another original than it should"),
    }
}

fn meets(index_state: &IndexState, left: DocId, right: DocId, comparer: &mut TextComparer) -> bool {
    let row = index_state.document_table.row(left);
    comparer.take(row.text, row.sketch()).meets(&index_state.document_table.row(right)).is_some()
}

/// Whether a text matches a text that it is not connected with.
fn meets_outside(index_state: &IndexState, representative: DocId, keys: &[TableKey], comparer: &mut TextComparer) -> bool {
    let (state, document_table) = (&index_state.state, &index_state.document_table);
    // Both texts of a pair find each other; one side is enough.
    let others = index_state.under(keys, |other| other < representative && state.root(other) != state.root(representative));
    let row = document_table.row(representative);
    let mut subject = comparer.take(row.text, row.sketch());
    others.into_iter().any(|other| subject.meets(&document_table.row(other)).is_some())
}

/// Returns the texts of every component with several texts, in ascending order.
fn components(index_state: &IndexState) -> Vec<Vec<DocId>> {
    let state = &index_state.state;
    let mut components: BTreeMap<DocId, Vec<DocId>> = BTreeMap::new();
    for representative in DocId::first(state.end().index()).filter(|&number| state.is_representative(number)) {
        components.entry(state.root(representative)).or_default().push(representative);
    }
    components.into_values().filter(|representatives| representatives.len() > 1).collect()
}

/// Whether a component falls apart if only matching texts are connected. Every text matches the one that it follows. If parts
/// remain, compares all texts that share a key, however common the key is.
fn is_torn(index_state: &IndexState, representatives: &[DocId], comparer: &mut TextComparer) -> bool {
    let place = |number: DocId| representatives.binary_search(&number).ok().map(|place| place as u32);
    let mut pieces = Forest::new(representatives.len());
    for (at, &representative) in (0..).zip(representatives) {
        pieces.union(at, place(index_state.state.leader(representative)).unwrap_or(at));
    }
    let mut count = (0..representatives.len() as u32).filter(|&at| pieces.find(at) == at).count();
    for (at, &representative) in (0..).zip(representatives) {
        if count == 1 {
            break;
        }
        let mut others = Vec::new();
        let keys = index_state.keys_of(representative, comparer);
        index_state.document_table.look_up(index_state.main(&keys), |under| under.all(|other| others.extend(place(other))));
        others.sort_unstable();
        others.dedup();
        let row = index_state.document_table.row(representative);
        let mut subject = comparer.take(row.text, row.sketch());
        for other in others {
            if pieces.find(other) != pieces.find(at)
                && subject.meets(&index_state.document_table.row(representatives[other as usize])).is_some()
            {
                pieces.union(other, at);
                count -= 1;
            }
        }
    }
    count > 1
}
