//! The cases `query` and `admit`: queries of an index, and documents added to it.

use crate::texts::{ENGLISH, Maker};
use crate::{Digest, Done, SCHEME, measured};
use neardup_core::compile::compile;
use neardup_live::decide::passes::IndexPasses;
use neardup_live::decide::verdict::Admission;
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::snapshot::manifest::Settings;
use neardup_live::snapshot::query::{HitOrder, QueryText};
use std::path::Path;

/// Documents in the index at the start.
const INDEXED: usize = 2000;
/// Documents that are added to it.
const ADDED: usize = 800;
const QUERIES: usize = 800;
/// Approximate words in a document or query.
const LENGTH: usize = 200;
/// Documents that are added together.
const BATCH: usize = 16;
/// Maximum hits of a query.
const LIMIT: usize = 10;

pub fn query() -> Done<u64> {
    let (index, mut maker) = filled()?;
    let texts = maker.documents(QUERIES, LENGTH);
    let options = QueryText { by: HitOrder::Scheme, threshold: None, limit: LIMIT };
    let ask = |text: &String| index.with_comparer(|worker| index.contents().query(text, options, worker));
    let answers = measured(&mut || Ok(texts.iter().map(ask).collect::<Result<Vec<_>, _>>()?))?;
    let mut digest = Digest::default();
    for answer in answers {
        digest.add(answer.hits.len() as u64);
        for hit in answer.hits {
            digest.add_bytes(hit.id.as_bytes());
            digest.add(hit.overlap.shared);
        }
    }
    Ok(digest.0)
}

pub fn admit() -> Done<u64> {
    let (index, mut maker) = filled()?;
    let mut batches = documents(&mut maker, INDEXED..INDEXED + ADDED).into_iter();
    let admissions: Vec<Admission> = measured(&mut || add_all(&index, &mut batches))?;
    let mut digest = Digest::default();
    for Admission { verdict, .. } in admissions {
        digest.add_bytes(verdict.id.as_bytes());
        verdict.dropped.iter().for_each(|evidence| {
            digest.add_bytes(evidence.original.as_bytes());
            digest.add(evidence.overlap.shared);
        });
    }
    Ok(digest.0)
}

/// Returns a new index with documents, and the maker of further ones.
fn filled() -> Done<(Index, Maker)> {
    let settings = Settings {
        scheme: SCHEME.to_owned(),
        parts_scheme: None,
        tokens_version: neardup_text::TOKENS_VERSION,
        unicode: neardup_text::UNICODE_VERSION.to_owned(),
        policy: Policy::First,
        ttl_seconds: None,
        most: None,
        extractor: None,
        shard: None,
    };
    let passes = IndexPasses::new(&SCHEME.parse()?, None, |scheme| Ok(compile(scheme)?))?;
    let index = Index::create(Path::new("index"), settings, passes)?;
    let mut maker = Maker::new(&ENGLISH);
    add_all(&index, &mut documents(&mut maker, 0..INDEXED).into_iter())?;
    Ok((index, maker))
}

/// Returns the next documents in batches, with `numbers` as their numbers.
fn documents(maker: &mut Maker, numbers: std::ops::Range<usize>) -> Vec<Vec<Document>> {
    let texts = maker.documents(numbers.len(), LENGTH);
    let document = |(number, text)| {
        let (id, url) = (format!("document-{number:06}"), format!("https://example.org/{}/{number}", number % 97));
        Document { id: Some(id), url: Some(url), time: None, text }
    };
    let documents: Vec<Document> = numbers.zip(texts).map(document).collect();
    documents.chunks(BATCH).map(<[Document]>::to_vec).collect()
}

fn add_all(index: &Index, batches: &mut dyn Iterator<Item = Vec<Document>>) -> Done<Vec<Admission>> {
    let mut admissions = Vec::new();
    for batch in batches {
        admissions.extend(index.add(batch, 0)?);
    }
    Ok(admissions)
}
