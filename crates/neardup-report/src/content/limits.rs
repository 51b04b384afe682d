//! How much the page may hold.

use serde::{Deserialize, Serialize};

/// Limits of a page, said on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLimits {
    /// Bytes of the whole page.
    pub page: usize,
    /// Characters shown of one text. A quarter as many words of it are compared, after what both texts begin with.
    pub text: usize,
    /// Clusters or pairs shown in one list.
    pub entries: usize,
    /// Members shown of one cluster.
    pub members: usize,
}

impl Default for PageLimits {
    /// 2 MB, 4,000 characters, 20 entries, 3 members.
    fn default() -> Self {
        PageLimits { page: 2_000_000, text: 4_000, entries: 20, members: 3 }
    }
}
