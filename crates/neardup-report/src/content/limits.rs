//! Limits on the size of a page.

use serde::{Deserialize, Serialize};

/// Limits of a page, which are printed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLimits {
    /// Number of bytes of the whole page.
    pub page: usize,
    /// Number of characters shown of one text. Of its words, a quarter as many are compared, after the common beginning of both
    /// texts.
    pub text: usize,
    /// Number of clusters or pairs shown in one list.
    pub entries: usize,
    /// Number of members shown of one cluster.
    pub members: usize,
}

impl Default for PageLimits {
    /// 2 MB, 4,000 characters, 20 entries, 3 members.
    fn default() -> Self {
        PageLimits { page: 2_000_000, text: 4_000, entries: 20, members: 3 }
    }
}
