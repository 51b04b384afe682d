//! The passes of an index: the main pass, which decides, and an optional pass for parts.

use crate::documents::table_key::{TableKey, table_and_key};
use crate::shards::shard::Shard;
use crate::{Error, Result};
use neardup_core::keys::Keys;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme::Scheme;

/// The passes by which the documents of an index are signed.
#[derive(Clone, Debug)]
pub struct IndexPasses {
    /// Decides which documents are near-duplicates.
    pub main: CompiledPass,
    /// Its keys find texts that contain one another, whatever their sizes. Its measure is not used.
    pub parts: Option<CompiledPass>,
    /// Whether the main pass decides by an exact measure.
    pub is_verified: bool,
    /// The shard that this index is, if it is split. It determines which keys belong to it.
    pub shard: Option<Shard>,
}

impl IndexPasses {
    /// Compiles the passes of these schemes.
    ///
    /// # Errors
    /// [`Error::Usage`] for a main or parts scheme whose result for a document depends on later documents, and for a parts scheme
    /// with other tokens or features than the main one, or without one key per value of a sample.
    pub fn new(main: &Scheme, parts_scheme: Option<&Scheme>, compile: impl Fn(&Scheme) -> Result<CompiledPass>) -> Result<IndexPasses> {
        let passes = IndexPasses {
            main: compile(main)?,
            parts: parts_scheme.map(&compile).transpose()?,
            is_verified: main.is_verified(),
            shard: None,
        };
        let kinds = || passes.main.kinds.iter().chain(passes.parts.iter().flat_map(|parts| &parts.kinds));
        if kinds().any(|kind| kind.drops()) {
            let why = "an index cannot drop common keys (over=drop), since it does not know which will become common: write over=star";
            return Err(Error::Usage(why.to_owned()));
        }
        if passes.parts.iter().flat_map(|parts| &parts.kinds).any(|kind| !matches!(kind.keys, Keys::Each(_))) {
            let why = "a scheme of parts has every value of a sample for a key: write `... | moduli:32 | each | ...`";
            return Err(Error::Usage(why.to_owned()));
        }
        // Features of the main scheme count what a text shares with another.
        let features = |scheme: &Scheme| (scheme.passes()[0].tokens().to_string(), scheme.passes()[0].features().to_string());
        if parts_scheme.is_some_and(|parts| features(parts) != features(main)) {
            return Err(Error::Usage(format!(
                "a scheme of parts begins as that of the index: write `{} | {} | ...`",
                features(main).0,
                features(main).1
            )));
        }
        Ok(passes)
    }

    /// Number of key tables of the main pass. Those of the parts pass follow.
    pub fn main_tables(&self) -> usize {
        tables(&self.main)
    }

    /// Number of all key tables.
    pub fn tables(&self) -> usize {
        self.main_tables() + self.parts.as_ref().map_or(0, tables)
    }

    /// Returns the cap of a key: the number of documents above which a lookup returns only the first leaders.
    pub fn cap_of(&self, key: TableKey) -> usize {
        let (mut table, _) = table_and_key(key);
        let kinds = self.main.kinds.iter().chain(self.parts.iter().flat_map(|parts| &parts.kinds));
        for kind in kinds {
            let tables = kind.keys.tables();
            if table < tables {
                return kind.most_leaders();
            }
            table -= tables;
        }
        usize::MAX
    }
}

fn tables(pass: &CompiledPass) -> usize {
    pass.kinds.iter().map(|kind| kind.keys.tables()).sum()
}
