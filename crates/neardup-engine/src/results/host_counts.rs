//! Hosts with the most documents, for the report.

use crate::Result;
use crate::findings::decisions::DroppedDocuments;
use crate::tables::names::TableNames;
use neardup_core::scheme::PUBLIC_SEED;
use neardup_core::util::ids::DocId;
use neardup_corpus::host_name;
use neardup_text::fingerprint::token;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Number of documents for each part of the hosts, so that the hosts that are counted at once fit in memory.
const DOCUMENTS_OF_PART: usize = 1 << 20;
/// Number of documents whose URLs are read at once.
const BLOCK: usize = 1 << 13;

/// Number of documents of a host, and how many of them were kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCount {
    /// Name of the host.
    pub name: String,
    /// Number of documents.
    pub documents: u64,
    /// Number of them that were kept.
    pub kept: u64,
}

/// Returns the `most` hosts with the most documents of the input, those with the most first, and the number of all hosts.
pub fn largest_hosts(names: &TableNames<'_>, verdicts: Option<&DroppedDocuments>, most: usize) -> Result<(Vec<HostCount>, u64)> {
    if !names.has_urls {
        return Ok((Vec::new(), 0));
    }
    let parts = names.documents.len().div_ceil(DOCUMENTS_OF_PART).max(1) as u64;
    let (mut largest, mut all) = (Vec::new(), 0);
    for part in 0..parts {
        let mut hosts: HashMap<String, (u64, u64)> = HashMap::new();
        for documents in names.documents.chunks(BLOCK) {
            let origins = names.signed.catalogue.origins(documents)?;
            for (&document, origin) in documents.iter().zip(&origins) {
                let host = origin.url.as_deref().and_then(host_name);
                if let Some(host) = host.filter(|host| token(host.as_bytes(), PUBLIC_SEED) % parts == part) {
                    let (of_host, kept) = hosts.entry(host).or_default();
                    *of_host += 1;
                    *kept += u64::from(is_kept(verdicts, document));
                }
            }
        }
        all += hosts.len() as u64;
        largest.extend(hosts.into_iter().map(|(name, (documents, kept))| HostCount { name, documents, kept }));
        largest.sort_unstable_by(|left, right| (Reverse(left.documents), &left.name).cmp(&(Reverse(right.documents), &right.name)));
        largest.truncate(most);
    }
    Ok((largest, all))
}

fn is_kept(verdicts: Option<&DroppedDocuments>, document: DocId) -> bool {
    verdicts.is_none_or(|verdicts| !verdicts.is_dropped(document))
}
