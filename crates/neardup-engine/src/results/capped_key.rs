//! Capped keys, as `run.json` and the page list them.

use crate::Result;
use crate::tables::names::TableNames;
use neardup_core::decide::key_text::{sayings, says};
use neardup_core::keys::capped::CappedBucket;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::ids::DocId;
use neardup_text::locate;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many keys are shown by the words they say: for those a text is read.
const SAID: usize = 1000;

/// A key that more documents hold than the cap.
#[derive(Clone, Debug, Serialize)]
pub struct CappedKey {
    /// The pass, counted from 1.
    pub pass: usize,
    /// The table of the key, counted through all kinds of keys.
    pub table: usize,
    /// The key.
    pub key: u32,
    /// How many documents hold it.
    pub size: usize,
    /// The ids of a few of them.
    pub sample: Vec<String>,
    /// What it says in the first of them; None where a key represents more than one run of tokens.
    pub says: Option<String>,
    /// The number of the first of them.
    #[serde(skip)]
    pub first: DocId,
}

impl CappedKey {
    /// Those of all passes, in the order of tables and keys.
    pub fn all(names: &TableNames<'_>, passes: &[CompiledPass], capped: &[Vec<CappedBucket>]) -> Result<Vec<CappedKey>> {
        let mut all = Vec::new();
        for (number, capped) in capped.iter().enumerate() {
            let said = said(names, &passes[number], &capped[..capped.len().min(SAID)])?;
            all.extend(capped.iter().map(|capped| CappedKey {
                pass: number + 1,
                table: capped.table,
                key: capped.key,
                size: capped.size,
                sample: capped.sample.iter().map(|&document| names.ids.get(document).into_owned()).collect(),
                says: said.get(&(capped.table, capped.key)).cloned(),
                first: capped.sample.first().copied().unwrap_or_default(),
            }));
        }
        Ok(all)
    }
}

/// What some keys of a pass say in the first document that holds each.
fn said(names: &TableNames<'_>, pass: &CompiledPass, capped: &[CappedBucket]) -> Result<BTreeMap<(usize, u32), String>> {
    let mut keys_of: BTreeMap<(DocId, usize), Vec<u32>> = BTreeMap::new();
    for CappedBucket { table, key, sample, .. } in capped.iter().filter(|capped| says(pass, capped.table)) {
        sample.first().into_iter().for_each(|&document| keys_of.entry((document, *table)).or_default().push(*key));
    }
    let mut said = BTreeMap::new();
    for ((document, table), keys) in keys_of {
        let text = names.signed.read(document)?;
        let places = sayings(pass, table, &locate(pass.unit, pass.seed, &text));
        // Tokens of bytes begin and end anywhere.
        let whole = |bytes: &Range<usize>| &text[text.floor_char_boundary(bytes.start)..text.ceil_char_boundary(bytes.end)];
        said.extend(keys.into_iter().filter_map(|key| Some(((table, key), whole(places.get(&key)?).to_owned()))));
    }
    Ok(said)
}
