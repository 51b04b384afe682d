//! Capped keys, as `run.json` and the page list them.

use crate::Result;
use crate::tables::names::TableNames;
use neardup_core::decide::key_text;
use neardup_core::keys::capped::CappedBucket;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::ids::DocId;
use neardup_text::locate;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// Number of keys that are shown by their words, for which a text must be read.
const MOST_TEXTS: usize = 1000;

/// A key that more documents contain than the cap.
#[derive(Clone, Debug, Serialize)]
pub struct CappedKey {
    /// The pass, counted from 1.
    pub pass: usize,
    /// The table of the key, counted through all kinds of keys.
    pub table: usize,
    /// The key.
    pub key: u32,
    /// Number of documents that contain it.
    pub size: usize,
    /// Ids of a few of these documents.
    pub sample: Vec<String>,
    /// Words of the key in the first of these documents; `None` if the key represents more than one run of tokens.
    pub says: Option<String>,
    /// Number of the first of these documents.
    #[serde(skip)]
    pub first: DocId,
}

impl CappedKey {
    /// Returns the capped keys of all passes, in the order of tables and keys.
    pub fn all(names: &TableNames<'_>, passes: &[CompiledPass], capped: &[Vec<CappedBucket>]) -> Result<Vec<CappedKey>> {
        let mut all = Vec::new();
        for (number, capped) in capped.iter().enumerate() {
            let texts = key_texts(names, &passes[number], &capped[..capped.len().min(MOST_TEXTS)])?;
            all.extend(capped.iter().map(|capped| CappedKey {
                pass: number + 1,
                table: capped.table,
                key: capped.key,
                size: capped.size,
                sample: capped.sample.iter().map(|&document| names.ids.get(document).into_owned()).collect(),
                says: texts.get(&(capped.table, capped.key)).cloned(),
                first: capped.sample.first().copied().unwrap_or_default(),
            }));
        }
        Ok(all)
    }
}

/// Returns the words of some keys of a pass, from the first document that contains each.
fn key_texts(names: &TableNames<'_>, pass: &CompiledPass, capped: &[CappedBucket]) -> Result<BTreeMap<(usize, u32), String>> {
    let mut keys_of: BTreeMap<(DocId, usize), Vec<u32>> = BTreeMap::new();
    for CappedBucket { table, key, sample, .. } in capped.iter().filter(|capped| key_text::has_texts(pass, capped.table)) {
        sample.first().into_iter().for_each(|&document| keys_of.entry((document, *table)).or_default().push(*key));
    }
    let mut texts = BTreeMap::new();
    for ((document, table), keys) in keys_of {
        let text = names.signed.read(document)?;
        let places = key_text::key_texts(pass, table, &locate(pass.rules, pass.seed, &text));
        // If tokens are bytes, a key may begin and end inside a character.
        let whole = |bytes: &Range<usize>| &text[text.floor_char_boundary(bytes.start)..text.ceil_char_boundary(bytes.end)];
        texts.extend(keys.into_iter().filter_map(|key| Some(((table, key), whole(places.get(&key)?).to_owned()))));
    }
    Ok(texts)
}
