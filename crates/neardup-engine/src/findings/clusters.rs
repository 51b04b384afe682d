//! Clusters: components of the verified pairs, exact copies included.

use neardup_core::util::forest::Forest;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{Store, StoredColumn};
use serde::{Deserialize, Serialize};

/// The component of every document.
pub struct Clusters {
    cluster_of: Vec<DocId>,
    sizes: Vec<u32>,
}

/// Clusters in the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredClusters {
    cluster_of: StoredColumn<DocId>,
    sizes: StoredColumn<u32>,
}

impl Clusters {
    /// Names each component of `forest` (over all documents) by its member that is first in `id_rank`.
    pub fn new(forest: &mut Forest<DocId>, id_rank: &[u32]) -> Self {
        let count = id_rank.len();
        let mut names: Vec<DocId> = DocId::first(count).collect();
        let mut sizes = vec![0; count];
        for document in DocId::first(count) {
            let root = forest.find(document).index();
            sizes[root] += 1;
            if id_rank[document.index()] < id_rank[names[root].index()] {
                names[root] = document;
            }
        }
        let roots: Vec<DocId> = DocId::first(count).map(|document| forest.find(document)).collect();
        Clusters {
            cluster_of: roots.iter().map(|&root| names[root.index()]).collect(),
            sizes: roots.iter().map(|&root| sizes[root.index()]).collect(),
        }
    }

    /// Returns the clusters of some documents: for each the document that names it, and its size.
    pub fn of_some(cluster_of: Vec<DocId>, sizes: Vec<u32>) -> Self {
        Clusters { cluster_of, sizes }
    }

    /// Returns the components as a forest, to be joined further.
    pub fn forest(&self) -> Forest<DocId> {
        let mut forest = Forest::new(self.cluster_of.len());
        DocId::FIRST.onwards().zip(&self.cluster_of).for_each(|(document, &cluster)| forest.union(document, cluster));
        forest
    }

    /// Writes the clusters to the store.
    pub fn store(&self, store: &Store) -> neardup_core::Result<StoredClusters> {
        Ok(StoredClusters { cluster_of: store.append(&self.cluster_of)?, sizes: store.append(&self.sizes)? })
    }

    /// Reads the clusters from the store.
    pub fn load(store: &Store, stored: StoredClusters) -> neardup_core::Result<Self> {
        Ok(Clusters { cluster_of: store.all(stored.cluster_of)?, sizes: store.all(stored.sizes)? })
    }

    /// Returns the document whose id names the component of `document`.
    pub fn of(&self, document: DocId) -> DocId {
        self.cluster_of[document.index()]
    }

    /// Returns the number of documents in the component of `document`.
    pub fn size(&self, document: DocId) -> u32 {
        self.sizes[document.index()]
    }
}
