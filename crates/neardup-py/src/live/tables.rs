//! What an index holds, as the tables of a batch run.

use crate::documents::table::ArrowTable;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use neardup_core::measures::Overlap;
use neardup_core::util::ids::DocId;
use neardup_corpus::{host_name, write_time};
use neardup_engine::IndexTable;
use neardup_live::decide::verdict::{DropReason, Verdict, name};
use neardup_live::index::sharded::ShardSet;
use neardup_live::snapshot::contents::Snapshot;
use neardup_live::{Error, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// The source of every document, as of an index that is the only input of a run.
const SOURCE: &str = "1";

/// All documents of an index, in order of arrival.
pub struct HeldDocuments {
    verdicts: Vec<Verdict>,
    urls: Vec<Option<String>>,
    dates: Vec<Option<String>>,
    group_sizes: Vec<u32>,
    clusters: Vec<ClusterRow>,
    cluster_of: Vec<usize>,
}

/// The documents that are connected.
struct ClusterRow {
    /// Its smallest id.
    name: String,
    size: u32,
}

impl HeldDocuments {
    /// Reads an index. A document that is removed meanwhile may be missing.
    pub fn read(index: &ShardSet) -> Result<Self> {
        let mut held = index.look(Self::list)?;
        for verdict in &mut held.verdicts {
            if let Some(found) = index.verdict(&verdict.id)? {
                *verdict = found;
            }
        }
        Ok(held)
    }

    /// Lists the documents; their verdicts have no evidence yet.
    fn list(contents: &Snapshot) -> Self {
        let (table, state) = (&contents.index_state.document_table, &contents.index_state.state);
        let numbers: Vec<DocId> = contents.living_from(0).collect();
        let (mut places, mut clusters, mut cluster_of) = (HashMap::new(), Vec::<ClusterRow>::new(), Vec::new());
        let verdicts: Vec<Verdict> = numbers.iter().map(|&number| Verdict { id: name(&table.row(number)), dropped: None }).collect();
        for (&number, verdict) in numbers.iter().zip(&verdicts) {
            let place = *places.entry(state.root(number)).or_insert(clusters.len());
            match clusters.get_mut(place) {
                None => clusters.push(ClusterRow { name: verdict.id.clone(), size: 1 }),
                Some(cluster) => {
                    cluster.size += 1;
                    if verdict.id < cluster.name {
                        cluster.name.clone_from(&verdict.id);
                    }
                }
            }
            cluster_of.push(place);
        }
        let text = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned()).filter(|text| !text.is_empty());
        let date = |number: DocId| table.row(number).has_time().then(|| write_time(table.row(number).time)).flatten();
        HeldDocuments {
            urls: numbers.iter().map(|&number| text(table.row(number).url)).collect(),
            dates: numbers.iter().map(|&number| date(number)).collect(),
            group_sizes: numbers.iter().map(|&number| state.group_size(state.representative(state.original(number)))).collect(),
            verdicts,
            clusters,
            cluster_of,
        }
    }

    /// Returns the table of decisions.
    pub fn decisions(&self) -> Result<ArrowTable> {
        let verdicts = || self.verdicts.iter();
        let originals = self.originals();
        let columns: Vec<ArrayRef> = vec![
            texts(verdicts().map(|verdict| Some(verdict.id.as_str()))),
            texts(verdicts().map(|_| Some(SOURCE))),
            Arc::new((1..=self.verdicts.len() as u64).collect::<UInt64Array>()),
            texts(verdicts().map(|verdict| Some(if verdict.dropped.is_some() { "drop" } else { "keep" }))),
            Arc::clone(&originals),
            texts(self.reasons().map(|reason| Some(reason?.rule.name()))),
            self.counts(|overlap| overlap.shared),
            self.counts(|overlap| overlap.left),
            self.counts(|overlap| overlap.right),
            self.shares(Overlap::resemblance),
            self.shares(Overlap::left_in_right),
            self.shares(Overlap::right_in_left),
            originals,
            Arc::new(self.group_sizes.iter().copied().collect::<UInt32Array>()),
            Arc::new(self.reasons().map(|reason| Some(reason?.verified)).collect::<BooleanArray>()),
        ];
        self.table(IndexTable::Decisions, columns)
    }

    /// Returns the table of clusters.
    pub fn clusters(&self) -> Result<ArrowTable> {
        let clusters = || self.cluster_of.iter().map(|&place| &self.clusters[place]);
        let columns: Vec<ArrayRef> = vec![
            texts(self.verdicts.iter().map(|verdict| Some(verdict.id.as_str()))),
            texts(clusters().map(|cluster| Some(cluster.name.as_str()))),
            self.originals(),
            Arc::new(clusters().map(|cluster| cluster.size).collect::<UInt32Array>()),
            self.counts(|overlap| overlap.shared),
            self.counts(|overlap| overlap.left),
            self.counts(|overlap| overlap.right),
        ];
        self.table(IndexTable::Clusters, columns)
    }

    fn table(&self, table: IndexTable, mut columns: Vec<ArrayRef>) -> Result<ArrowTable> {
        columns.push(texts(self.urls.iter().map(Option::as_deref)));
        columns.push(Arc::new(self.urls.iter().map(|url| host_name(url.as_deref()?)).collect::<StringArray>()));
        columns.push(texts(self.dates.iter().map(Option::as_deref)));
        let schema = table.schema();
        let rows = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(|error| Error::Data(error.to_string()))?;
        Ok(ArrowTable { schema, batches: vec![rows] })
    }

    fn reasons(&self) -> impl Iterator<Item = Option<&DropReason>> {
        self.verdicts.iter().map(|verdict| verdict.dropped.as_ref())
    }

    fn originals(&self) -> ArrayRef {
        texts(self.verdicts.iter().map(|verdict| Some(verdict.dropped.as_ref().map_or(&verdict.id, |reason| &reason.original).as_str())))
    }

    fn counts(&self, count: fn(Overlap) -> u32) -> ArrayRef {
        Arc::new(self.reasons().map(|reason| Some(count(reason?.overlap))).collect::<UInt32Array>())
    }

    fn shares(&self, share: fn(Overlap) -> f64) -> ArrayRef {
        Arc::new(self.reasons().map(|reason| Some(share(reason?.overlap))).collect::<Float64Array>())
    }
}

fn texts<'a>(values: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}
