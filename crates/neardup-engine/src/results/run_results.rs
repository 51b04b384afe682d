//! Results: what a verb found, as it is written and shown.

use crate::Result;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::pairs::StoredPairs;
use crate::findings::passages::{self, PassageRows};
use crate::job::{Job, Verb};
use crate::pipeline::pass_count::PassCount;
use crate::results::digest;
use crate::results::sketches::SketchRows;
use crate::results::tables::clusters::ClusterRows;
use crate::results::tables::decisions::Decisions;
use crate::results::tables::pairs::PairRows;
use crate::tables::names::TableNames;
use crate::tables::table::Table;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::List;

/// What a run found.
pub struct Results<'a> {
    /// What was asked for.
    pub job: &'a Job<'a>,
    /// The passes that ran.
    pub passes: &'a [CompiledPass],
    /// Whether each of them decides by the features or texts themselves.
    pub verified: Vec<bool>,
    /// What each of them saw and dropped.
    pub counts: Vec<PassCount>,
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// The dropped documents, of verbs that decide.
    pub verdicts: Option<DroppedDocuments>,
    /// Components, of `cluster`.
    pub clusters: Option<Clusters>,
    /// Pairs; none where they are not listed.
    pub pairs: StoredPairs<'a>,
    /// Their maximum spanning forest, where there is one.
    pub forest: Option<StoredPairs<'a>>,
    /// Passages of the pairs, when they were asked for.
    pub passages: Option<&'a List<passages::PassageRow>>,
}

impl Results<'_> {
    /// The tables by name, the verb's own first.
    pub fn tables(&self) -> Vec<(&'static str, Box<dyn Table + '_>)> {
        let (names, pairs) = (self.names, self.pairs);
        let verified = &self.verified[..];
        let own: Option<Box<dyn Table + '_>> = match (&self.verdicts, &self.clusters) {
            (Some(verdicts), Some(clusters)) => Some(Box::new(ClusterRows { names, verdicts, clusters })),
            (Some(verdicts), None) => Some(Box::new(Decisions { names, verdicts, verified })),
            _ => self.sketches().map(|sketches| Box::new(sketches) as _),
        };
        let forest = self.forest.map(|pairs| Box::new(PairRows { names, pairs, verified }) as _);
        let listed = self.job.lists().then(|| Box::new(PairRows { names, pairs, verified }) as _);
        let passages = self.passages.map(|rows| Box::new(PassageRows { names, pairs, rows }) as _);
        self.job.tables().into_iter().zip([own, forest, listed, passages].into_iter().flatten()).collect()
    }

    /// The digest of the verb's own table; `order` is that of the ids.
    pub fn digest(&self, order: &[DocId]) -> Result<String> {
        match (&self.verdicts, &self.clusters, self.sketches()) {
            (Some(verdicts), Some(clusters), _) => Ok(digest::clusters(self.names, order, verdicts, clusters)),
            (Some(verdicts), None, _) => Ok(digest::decisions(self.names, order, verdicts)),
            (_, _, Some(sketches)) => digest::sketches(self.names, order, &sketches),
            _ => digest::pairs(self.names.ids, self.pairs),
        }
    }

    fn sketches(&self) -> Option<SketchRows<'_>> {
        (self.job.verb == Verb::Sketch).then_some(SketchRows { names: self.names, pass: &self.passes[0] })
    }
}
