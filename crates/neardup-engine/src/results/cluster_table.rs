//! Broder's table: the number and kinds of the clusters of a run.

use crate::Result;
use crate::documents::signed::SignedCorpus;
use crate::findings::clusters::Clusters;
use crate::findings::decisions::DroppedDocuments;
use crate::findings::leader_groups::{LeaderGroup, LeaderGroups};
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers of clusters and of the documents in them (Broder, Glassman, Manasse, Zweig 1997).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterTable {
    /// Number of clusters of two or more documents.
    pub clusters: u64,
    /// Number of documents in these clusters.
    pub documents: u64,
    /// Number of clusters whose members are all identical.
    pub identical_clusters: u64,
    /// Number of documents in identical clusters.
    pub identical_documents: u64,
    /// Number of other clusters.
    pub mixed_clusters: u64,
    /// Number of documents in other clusters.
    pub mixed_documents: u64,
    /// Number of documents in the largest cluster.
    pub largest: u64,
    /// Number of clusters of every size.
    #[serde(skip)]
    pub sizes: BTreeMap<u64, u64>,
}

impl ClusterTable {
    /// Returns the table of leader groups.
    pub fn of_groups(groups: &LeaderGroups<'_>) -> ClusterTable {
        let add = |mut table: ClusterTable, group: LeaderGroup<'_>| {
            table.add(group.size(), group.followers().all(|dropped| dropped.rule == Rule::Identical));
            table
        };
        groups.par_iter().fold(ClusterTable::default, add).reduce(ClusterTable::default, ClusterTable::with)
    }

    /// Returns the table of components that contain a document of the input. Reference documents in them count, too.
    pub fn of_components(clusters: &Clusters, verdicts: &DroppedDocuments, signed: &SignedCorpus) -> Result<ClusterTable> {
        let makeup = ComponentKinds::new(clusters, verdicts, signed)?;
        let mut table = ClusterTable::default();
        for document in DocId::first(signed.len()) {
            let name = clusters.of(document).index();
            if document.index() == name && clusters.size(document) > 1 && makeup.of_input[name] {
                table.add(clusters.size(document).into(), makeup.identical[name]);
            }
        }
        Ok(table)
    }

    pub(crate) fn add(&mut self, size: u64, is_identical: bool) {
        let (clusters, documents) = if is_identical {
            (&mut self.identical_clusters, &mut self.identical_documents)
        } else {
            (&mut self.mixed_clusters, &mut self.mixed_documents)
        };
        *clusters += 1;
        *documents += size;
        self.clusters += 1;
        self.documents += size;
        self.largest = self.largest.max(size);
        *self.sizes.entry(size).or_insert(0) += 1;
    }

    pub(crate) fn with(mut self, other: ClusterTable) -> ClusterTable {
        other.sizes.into_iter().for_each(|(size, clusters)| *self.sizes.entry(size).or_insert(0) += clusters);
        ClusterTable {
            clusters: self.clusters + other.clusters,
            documents: self.documents + other.documents,
            identical_clusters: self.identical_clusters + other.identical_clusters,
            identical_documents: self.identical_documents + other.identical_documents,
            mixed_clusters: self.mixed_clusters + other.mixed_clusters,
            mixed_documents: self.mixed_documents + other.mixed_documents,
            largest: self.largest.max(other.largest),
            sizes: self.sizes,
        }
    }
}

/// Kinds of components, each at the document that names it.
struct ComponentKinds {
    /// Whether it contains a document of the input.
    of_input: Vec<bool>,
    /// Whether all its members are identical.
    identical: Vec<bool>,
}

impl ComponentKinds {
    fn new(clusters: &Clusters, verdicts: &DroppedDocuments, signed: &SignedCorpus) -> Result<ComponentKinds> {
        let mut makeup = ComponentKinds { of_input: vec![false; signed.len()], identical: vec![true; signed.len()] };
        let mut stays = vec![true; signed.len()];
        for dropped in &verdicts.dropped {
            stays[dropped.document.index()] = false;
            makeup.identical[clusters.of(dropped.document).index()] &= dropped.rule == Rule::Identical;
        }
        let mut staying = vec![0u32; signed.len()];
        for document in DocId::first(signed.len()).filter(|&document| clusters.size(document) > 1) {
            let name = clusters.of(document).index();
            makeup.of_input[name] |= !signed.is_reference(document);
            staying[name] += u32::from(stays[document.index()]);
        }
        // If several members stay and nothing else differs, these are mostly copies in the reference, none of which is dropped.
        let several = |document: &DocId| {
            let name = clusters.of(*document).index();
            stays[document.index()] && staying[name] > 1 && makeup.of_input[name] && makeup.identical[name]
        };
        let several: Vec<DocId> = DocId::first(signed.len()).filter(several).collect();
        let mut digest_of = BTreeMap::new();
        for (digest, document) in signed.digests(&several)?.into_iter().zip(several) {
            let name = clusters.of(document);
            makeup.identical[name.index()] &= *digest_of.entry(name).or_insert(digest) == digest;
        }
        Ok(makeup)
    }
}
