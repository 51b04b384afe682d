//! Groups: the value of a field, by which pairs may count.

use crate::Result;
use crate::documents::catalogue::Catalogue;
use neardup_core::candidates::scope::NO_GROUP;
use std::collections::HashMap;

/// The group of every document.
#[derive(Clone, Debug, Default)]
pub struct DocumentGroups {
    /// Names of the groups, in the order in which they occur first.
    pub names: Vec<String>,
    /// Number of the group of every document, [`NO_GROUP`] for a document without one.
    pub of: Vec<u32>,
}

impl DocumentGroups {
    /// Reads the groups of the documents of a run.
    pub fn of(catalogue: &Catalogue) -> Result<Self> {
        let (mut numbers, mut groups) = (HashMap::new(), DocumentGroups::default());
        for chunk in catalogue.catalogue_chunks() {
            let end = groups.of.len() + chunk.len();
            for name in chunk.groups(catalogue.store())? {
                if name.is_empty() {
                    groups.of.push(NO_GROUP);
                    continue;
                }
                let next = groups.names.len() as u32;
                let number = *numbers.entry(name.clone()).or_insert(next);
                if number == next {
                    groups.names.push(name);
                }
                groups.of.push(number);
            }
            groups.of.resize(end, NO_GROUP);
        }
        Ok(groups)
    }
}
