//! Verifying: whether an index is what its texts make of it.

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
use neardup_core::util::threads::on_all;
use rayon::prelude::*;
use std::collections::BTreeMap;

impl Index {
    /// Reads the index anew from the disk, every byte of it, signs every text again and sees that it is found, decided and
    /// connected by what it is signed: the error names what is not as it was written.
    pub fn verify(&self) -> Result<()> {
        let fresh = Index::open(self.dir(), |_| Ok(self.passes().clone()))?;
        fresh.refuse_leftovers()?;
        let contents = fresh.contents();
        let state = &contents.holdings.state;
        let living = (0..state.count()).into_par_iter().filter(|&number| state.is_alive(number));
        let look = |number| fresh.at_bench(|bench| Some((number, fault(&contents, number, bench)?)));
        let fault = on_all(|| living.find_map_first(look));
        let torn = || {
            // Documents may belong together by the keys of other shards.
            if contents.settings().shard.is_some() {
                return None;
            }
            let components = components(&contents.holdings).into_par_iter();
            let look = |of: Vec<u32>| fresh.at_bench(|bench| is_torn(&contents.holdings, &of, bench)).then(|| of[0]);
            let torn = on_all(|| components.find_map_first(look));
            torn.map(|first| (first, "is connected with some that nothing connects it with"))
        };
        fault.or_else(torn).map_or(Ok(()), |(number, what)| {
            let id = name(&contents.holdings.stock.row(number));
            Err(Error::damaged(self.dir(), format!("document {id} {what}: build the index anew")))
        })
    }
}

impl Index {
    /// Refuses a shard that knows something else of a document than another one of the same index, at the same step.
    pub(super) fn refuse_difference(&self, other: &Index) -> Result<()> {
        let (own, others) = (self.contents(), other.contents());
        let mut pairs = known(&own).zip(known(&others));
        let odd = pairs.find(|(one, other)| one != other).map(|(one, _)| one.serial);
        let rest = || own.holdings.state.living() != others.holdings.state.living();
        match odd.map(|serial| format!("document number {serial} is")).or_else(|| rest().then(|| "the number of documents is".to_owned())) {
            None => Ok(()),
            Some(what) => {
                let why = format!("{what} another here than in {}: run neardup index repair", other.dir().display());
                Err(Error::damaged(self.dir(), why))
            }
        }
    }
}

/// What every shard knows of a document; documents are named by their serial numbers.
#[derive(PartialEq, Eq)]
struct VerifiedDocument<'a> {
    serial: u64,
    id: &'a [u8],
    url: &'a [u8],
    raw: u128,
    carrier: u64,
    leader: u64,
    root: u64,
}

/// What a shard knows of all living documents.
fn known(contents: &Snapshot) -> impl Iterator<Item = VerifiedDocument<'_>> {
    let IndexState { stock, state, .. } = &contents.holdings;
    let serial = |number: u32| stock.row(number).serial;
    contents.living_from(0).map(move |number| {
        let (row, carrier) = (stock.row(number), state.carrier(number));
        let (leader, root) = (serial(state.leader(carrier)), serial(state.root(number)));
        VerifiedDocument { serial: row.serial, id: row.id, url: row.url, raw: row.raw, carrier: serial(carrier), leader, root }
    })
}

impl Index {
    /// Refuses a folder whose copy of the manifest is missing or older, and a log behind whose records something else is.
    fn refuse_leftovers(&self) -> Result<()> {
        self.look_beside().or_else(|_| {
            // Another process may just have been writing.
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

/// What is wrong with a living document.
fn fault(contents: &Snapshot, number: u32, bench: &mut TextComparer) -> Option<&'static str> {
    let holdings = &contents.holdings;
    let (stock, state, row) = (&holdings.stock, &holdings.state, holdings.stock.row(number));
    // The text of another shard's document is there, and what it is signed is, too.
    let signed = if row.is_whole() { bench.sign(row.text) } else { return None };
    let is_signed_so = (signed.raw, signed.lexical, signed.tokens, signed.features) == (row.raw, row.lexical, row.tokens, row.features)
        && (&*signed.bitmap, &*signed.parts) == (row.bitmap, row.parts);
    if !is_signed_so {
        return Some("was signed otherwise than its text is now");
    }
    let url = String::from_utf8_lossy(row.url);
    if contents.of_id(&name(&row)) != Some(number) || !url.is_empty() && contents.of_url(&url) != Some(number) {
        return Some("is not found by its id and its URL");
    }
    let carrier = state.carrier(number);
    let is_same = |other: u32| state.carrier(other) == carrier;
    let equals = || stock.of_tokens(row.lexical).filter(|&other| state.is_alive(other));
    let is_carried = match row.lexical {
        0 => carrier == number,
        _ => equals().any(|other| other == number) && equals().any(|other| other == carrier) && equals().all(is_same),
    };
    if !is_carried {
        return Some("is not grouped with those of the same tokens");
    }
    if carrier != number {
        return None;
    }
    let (mut is_entered, mut is_capped) = (true, false);
    stock.look_up(&signed.keys, |under| {
        let (mut among_all, mut among_leaders, mut count) = (false, false, 0);
        under.all(|other| (among_all, count) = (among_all || other == number, count + 1));
        under.leaders(|other| among_leaders |= other == number);
        is_capped |= count > holdings.passes.cap_of(under.key);
        is_entered &= among_all && (among_leaders || !state.leads(number));
    });
    if !is_entered {
        return Some("is not found by its keys");
    }
    let leader = state.leader(number);
    if contents.settings().shard.is_some() {
        let before = |other: u32| state.root(other) == state.root(number) && holdings.is_before(other, leader);
        let is_passed_over = !is_capped && own_leader(holdings, number, before, bench).is_some();
        return is_passed_over.then_some("has another original than it should");
    }
    match () {
        // Under a common key a verdict rests on the first of those that there were then; but it is true.
        () if is_capped && (leader == number || holdings.is_before(leader, number) && meets(holdings, number, leader, bench)) => None,
        () if !is_capped && meets_outside(holdings, number, &signed.keys, bench) => Some("is not connected with all that it meets"),
        () if !is_capped && connected_leader(holdings, number, bench).unwrap_or(number) == leader => None,
        () => Some("has another original than it should"),
    }
}

fn meets(holdings: &IndexState, left: u32, right: u32, bench: &mut TextComparer) -> bool {
    let row = holdings.stock.row(left);
    bench.take(row.text, row.sketch()).meets(&holdings.stock.row(right)).is_some()
}

/// Whether a text meets one that it is not connected with.
fn meets_outside(holdings: &IndexState, carrier: u32, keys: &[TableKey], bench: &mut TextComparer) -> bool {
    let (state, stock) = (&holdings.state, &holdings.stock);
    // A pair is met from both sides; one is enough.
    let others = holdings.under(keys, |other| other < carrier && state.root(other) != state.root(carrier));
    let row = stock.row(carrier);
    let mut subject = bench.take(row.text, row.sketch());
    others.into_iter().any(|other| subject.meets(&stock.row(other)).is_some())
}

/// The texts of every component that has several, ascending.
fn components(holdings: &IndexState) -> Vec<Vec<u32>> {
    let state = &holdings.state;
    let mut components: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for carrier in (0..state.count()).filter(|&number| state.carries(number)) {
        components.entry(state.root(carrier)).or_default().push(carrier);
    }
    components.into_values().filter(|carriers| carriers.len() > 1).collect()
}

/// Whether the texts of a component fall apart when only those are connected that meet. Each meets the one it follows; of what
/// is left apart then, all are compared that share a key, however common.
fn is_torn(holdings: &IndexState, carriers: &[u32], bench: &mut TextComparer) -> bool {
    let place = |number: u32| carriers.binary_search(&number).ok().map(|place| place as u32);
    let mut pieces = Forest::new(carriers.len());
    for (at, &carrier) in (0..).zip(carriers) {
        pieces.union(at, place(holdings.state.leader(carrier)).unwrap_or(at));
    }
    let mut count = (0..carriers.len() as u32).filter(|&at| pieces.find(at) == at).count();
    for (at, &carrier) in (0..).zip(carriers) {
        if count == 1 {
            break;
        }
        let mut others = Vec::new();
        let keys = holdings.keys_of(carrier, bench);
        holdings.stock.look_up(holdings.main(&keys), |under| under.all(|other| others.extend(place(other))));
        others.sort_unstable();
        others.dedup();
        let row = holdings.stock.row(carrier);
        let mut subject = bench.take(row.text, row.sketch());
        for other in others {
            if pieces.find(other) != pieces.find(at) && subject.meets(&holdings.stock.row(carriers[other as usize])).is_some() {
                pieces.union(other, at);
                count -= 1;
            }
        }
    }
    count > 1
}
