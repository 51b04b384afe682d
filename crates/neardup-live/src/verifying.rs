//! Verifying: whether an index is what its texts make of it.

use crate::bench::Bench;
use crate::contents::Contents;
use crate::holdings::Holdings;
use crate::index::Index;
use crate::leading::connected_leader;
use crate::signed::TableKey;
use crate::verdict::name;
use crate::{Error, Result};
use rayon::prelude::*;

impl Index {
    /// Reads the index anew from the disk, every byte of it, signs every text again and sees that it is found and decided by
    /// what it is signed: the error names what is not as it was written.
    pub fn verify(&self) -> Result<()> {
        let fresh = Index::open(self.dir(), |_| Ok(self.passes().clone()))?;
        let contents = fresh.contents();
        let state = &contents.holdings.state;
        let living = (0..state.count()).into_par_iter().filter(|&number| state.is_alive(number));
        let fault = living.find_map_first(|number| fresh.at_bench(|bench| Some((number, fault(&contents, number, bench)?))));
        fault.map_or(Ok(()), |(number, what)| {
            let id = name(&contents.holdings.stock.row(number));
            Err(Error::damaged(self.dir(), format!("document {id} {what}: build the index anew")))
        })
    }
}

/// What is wrong with a living document.
fn fault(contents: &Contents, number: u32, bench: &mut Bench) -> Option<&'static str> {
    let holdings = &contents.holdings;
    let (stock, state, row) = (&holdings.stock, &holdings.state, holdings.stock.row(number));
    let signed = bench.sign(row.text);
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
        return Some("does not stand with those of the same tokens");
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
    match () {
        // Under a common key a verdict rests on the first of those that there were then.
        () if is_capped => None,
        () if meets_outside(holdings, number, &signed.keys, bench) => Some("is not connected with all that it meets"),
        () if connected_leader(holdings, number, bench).unwrap_or(number) != state.leader(number) => {
            Some("has another original than it should")
        }
        () => None,
    }
}

/// Whether a text meets one that it is not connected with.
fn meets_outside(holdings: &Holdings, carrier: u32, keys: &[TableKey], bench: &mut Bench) -> bool {
    let (state, stock) = (&holdings.state, &holdings.stock);
    // A pair is met from both sides; one is enough.
    let others = holdings.under(keys, |other| other < carrier && state.root(other) != state.root(carrier));
    let row = stock.row(carrier);
    let mut subject = bench.take(row.text, row.sketch());
    others.into_iter().any(|other| subject.meets(&stock.row(other)).is_some())
}
