//! Clusters: components of the verified pairs, exact copies included.

use neardup_core::util::forest::Forest;
use neardup_core::util::store::{Store, StoredColumn};
use serde::{Deserialize, Serialize};

/// The component of every document.
pub struct Clusters {
    cluster_of: Vec<u32>,
    sizes: Vec<u32>,
}

/// Clusters in the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredClusters {
    cluster_of: StoredColumn<u32>,
    sizes: StoredColumn<u32>,
}

impl Clusters {
    /// Names the components of `forest` (over all documents) by their member that comes first in `id_rank`.
    pub fn new(forest: &mut Forest, id_rank: &[u32]) -> Self {
        let count = id_rank.len();
        let mut names: Vec<u32> = (0..count as u32).collect();
        let mut sizes = vec![0; count];
        for document in 0..count as u32 {
            let root = forest.find(document) as usize;
            sizes[root] += 1;
            if id_rank[document as usize] < id_rank[names[root] as usize] {
                names[root] = document;
            }
        }
        let roots: Vec<u32> = (0..count as u32).map(|document| forest.find(document)).collect();
        Clusters {
            cluster_of: roots.iter().map(|&root| names[root as usize]).collect(),
            sizes: roots.iter().map(|&root| sizes[root as usize]).collect(),
        }
    }

    /// The components again, to be joined further.
    pub fn forest(&self) -> Forest {
        let mut forest = Forest::new(self.cluster_of.len());
        (0..).zip(&self.cluster_of).for_each(|(document, &cluster)| forest.union(document, cluster));
        forest
    }

    /// Writes them to the store.
    pub fn store(&self, store: &Store) -> neardup_core::Result<StoredClusters> {
        Ok(StoredClusters { cluster_of: store.append(&self.cluster_of)?, sizes: store.append(&self.sizes)? })
    }

    /// Reads them back.
    pub fn load(store: &Store, stored: StoredClusters) -> neardup_core::Result<Self> {
        Ok(Clusters { cluster_of: store.all(stored.cluster_of)?, sizes: store.all(stored.sizes)? })
    }

    /// The document whose id names the component.
    pub fn of(&self, document: u32) -> u32 {
        self.cluster_of[document as usize]
    }

    /// How many documents the component has.
    pub fn size(&self, document: u32) -> u32 {
        self.sizes[document as usize]
    }
}
