//! Listing: the pairs of all families are divided into ranges, and each range is written in order.

use crate::Result;
use crate::distributed::message::{DocName, DocNumber, Message, Outbox, PairFound, StageName};
use crate::distributed::output::write_table;
use crate::distributed::plan::Plan;
use crate::distributed::stages::{Inbox, StageTask};
use crate::distributed::tally::{ListTally, Tally};
use crate::documents::catalogue::Catalogue;
use crate::documents::chunk::CatalogueDraft;
use crate::documents::ids::Ids;
use crate::documents::signed::SignedCorpus;
use crate::findings::pairs::{PairRow, ScoredPair, StoredPairs};
use crate::results::digest::{TableSum, add_pair};
use crate::results::tables::pairs::PairRows;
use crate::tables::names::TableNames;
use bytemuck::Zeroable;
use neardup_core::decide::value::PairValue;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};
use neardup_corpus::{MissingFields, PlaceUnit, Record, SourceSpan, TextPlace};
use neardup_text::Text;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sends pairs to the ranges of their left documents.
pub fn route(plan: &Plan, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    outbox.send_all(StageName::List, inbox.pairs, |pair| plan.range_of(&pair.left), Message::Pairs)
}

/// Writes a range of the pairs.
pub fn list(task: &mut StageTask<'_, '_>, inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let plan = task.plan;
    let mut pairs = inbox.pairs;
    let by_ids = |one: &PairFound, other: &PairFound| {
        plan.order(&one.left, &other.left).then_with(|| plan.order(&one.right, &other.right)).then(one.pass.cmp(&other.pass))
    };
    pairs.sort_by(by_ids);
    let folder = task.folder()?;
    let file = tempfile::tempfile_in(folder.path()).map_err(crate::Error::file(folder.path(), "write"))?;
    let store = Arc::new(Store::new(file, 0));
    let documents = PairedDocuments::of(plan, &pairs, &store)?;
    let rows: Vec<PairRow> = pairs.iter().map(|pair| documents.row(pair)).collect();
    let mut stored = List::default();
    stored.append(&store, &rows).map_err(neardup_core::Error::from)?;
    let names = TableNames {
        signed: &documents.signed,
        ids: &documents.ids,
        source_of: &[],
        rows: &[],
        documents: Vec::new(),
        against: plan.against,
        decides: task.has_deciding_value()?,
        passes: plan.passes as usize,
        has_urls: plan.has_pages,
        has_archives: plan.has_archives,
        has_levels: false,
    };
    let pairs = StoredPairs { store: &store, rows: &stored };
    write_table(plan, "pairs", task.part, &PairRows { names: &names, pairs, verified: &task.verified() }, outbox)?;
    let mut sum = TableSum::default();
    pairs.each(|pair| {
        sum.add(|row| add_pair(row, &documents.ids, &pair));
    })?;
    outbox.report(Tally::Listed(ListTally { sum: sum.finish().to_bytes() }))
}

/// The documents of a range of the pairs, numbered as a table needs them.
struct PairedDocuments {
    numbers: BTreeMap<(bool, DocNumber), DocId>,
    ids: Ids,
    signed: SignedCorpus,
}

impl PairedDocuments {
    fn of(plan: &Plan, pairs: &[PairFound], store: &Arc<Store>) -> Result<Self> {
        let mut named: BTreeMap<(bool, DocNumber), &DocName> = BTreeMap::new();
        for name in pairs.iter().flat_map(|pair| [&pair.left, &pair.right]) {
            named.insert((is_archived(name), name.number), name);
        }
        let numbers = named.keys().copied().zip(DocId::FIRST.onwards()).collect();
        let names: Vec<DocName> = named.into_values().cloned().collect();
        let (mut text, mut ends) = (String::new(), Vec::new());
        for name in &names {
            text.push_str(&plan.id(name));
            ends.push(text.len() as u64);
        }
        let signed = SignedCorpus::of_catalogue(catalogue(&names, store)?);
        Ok(PairedDocuments { numbers, ids: Ids::given(text, ends), signed })
    }

    fn row(&self, pair: &PairFound) -> PairRow {
        let number = |name: &DocName| self.numbers.get(&(is_archived(name), name.number)).copied().unwrap_or_default();
        let (left, right) = (number(&pair.left), number(&pair.right));
        let value = PairValue::of_words(pair.value);
        ScoredPair { left, right, rule: pair.rule, pass: pair.pass, overlap: pair.overlap, value }.into()
    }
}

fn is_archived(name: &DocName) -> bool {
    name.page.as_ref().is_some_and(|page| page.archived.is_some())
}

/// Returns a catalogue of the pages of documents, those of web archives last.
fn catalogue(names: &[DocName], store: &Arc<Store>) -> Result<Catalogue> {
    let mut chunks = Vec::new();
    for some in names.chunk_by(|one, other| is_archived(one) == is_archived(other)) {
        let mut draft = CatalogueDraft::default();
        for name in some {
            let page = name.page.as_deref();
            let (offset, len) = page.and_then(|page| page.archived).unwrap_or_default();
            draft.push(&Record {
                row: 1,
                span: SourceSpan { offset, len },
                place: TextPlace::zeroed(),
                text: Text::Plain(b""),
                id: None,
                url: page.and_then(|page| page.url.as_deref()).map(Into::into),
                time: page.and_then(|page| page.time),
                number: None,
                group: None,
                rank: 0,
                lacks: MissingFields::default(),
                file: 0,
            });
        }
        let unit = if is_archived(&some[0]) { PlaceUnit::Record } else { PlaceUnit::Row };
        chunks.push(draft.seal(store).map_err(neardup_core::Error::from)?.placed(0, 0, 0, unit));
    }
    Ok(Catalogue::new(Arc::clone(store), chunks, Vec::new(), false))
}
