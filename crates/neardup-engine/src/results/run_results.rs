//! Results: the findings of a verb, as they are written and shown.

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
use neardup_core::util::store::List;

/// Findings of a run.
pub struct Results<'a> {
    /// The job.
    pub job: &'a Job<'a>,
    /// Passes that ran.
    pub passes: &'a [CompiledPass],
    /// Whether each pass decides by the features or texts themselves.
    pub verified: Vec<bool>,
    /// Counts of each pass.
    pub counts: Vec<PassCount>,
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// Dropped documents, for verbs that decide.
    pub verdicts: Option<DroppedDocuments>,
    /// Components, for `cluster`.
    pub clusters: Option<Clusters>,
    /// Pairs; empty if they are not listed.
    pub pairs: StoredPairs<'a>,
    /// Maximum spanning forest of the pairs, if there is one.
    pub forest: Option<StoredPairs<'a>>,
    /// Passages of the pairs, if they were asked for.
    pub passages: Option<&'a List<passages::PassageRow>>,
}

impl Results<'_> {
    /// Returns the tables by name, the verb's own first.
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

    /// Returns the digest of the verb's own table.
    pub fn digest(&self) -> Result<String> {
        match (&self.verdicts, &self.clusters, self.sketches()) {
            (Some(verdicts), Some(clusters), _) => Ok(digest::clusters(self.names, verdicts, clusters)),
            (Some(verdicts), None, _) => Ok(digest::decisions(self.names, verdicts)),
            (_, _, Some(sketches)) => digest::sketches(self.names, &sketches),
            _ => digest::pairs(self.names.ids, self.pairs),
        }
    }

    fn sketches(&self) -> Option<SketchRows<'_>> {
        (self.job.verb == Verb::Sketch).then_some(SketchRows { names: self.names, pass: &self.passes[0] })
    }
}
