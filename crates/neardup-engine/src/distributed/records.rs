//! Records of a distributed run: what is known of a document, or of several together, away from its home.

use bytemuck::{Pod, Zeroable};
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use serde::{Deserialize, Serialize};

/// The number of a document among all of a run: its home in the upper half, its place there in the lower. The order of numbers is
/// the order of the input, the reference last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct DocNumber(pub u64);

impl DocNumber {
    /// Returns the number of the document at `place` of a home.
    pub fn new(home: u32, place: u32) -> Self {
        DocNumber(u64::from(home) << 32 | u64::from(place))
    }

    /// Returns its home.
    pub fn home(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Returns its place at home, from 0.
    pub fn place(self) -> u32 {
        self.0 as u32
    }
}

/// One key of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct KeyRow {
    /// Table (16 bits, numbered through all kinds), key (32 bits), and further bits of the value that the key is cut from (16 bits).
    pub key: u64,
    /// 64 bits of the digest of the tokens. Copies have equal ones, and count as one document.
    pub class: u64,
    /// The document.
    pub document: DocNumber,
}

impl KeyRow {
    /// Returns the table.
    #[inline]
    pub fn table(&self) -> usize {
        (self.key >> 48) as usize
    }

    /// Returns the table and the key, in the upper half and the lower one.
    pub fn bucket(&self) -> u64 {
        (self.key >> 48) << 32 | u64::from((self.key >> 16) as u32)
    }
}

/// What results say of a document that is not at home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocName {
    /// Its number.
    pub number: DocNumber,
    /// The row in its home, if it is named by that.
    pub row: u64,
    /// The id, or the source and row if its home has several sources; `None` if it is named by its row.
    pub id: Option<Box<str>>,
    /// Its page, if tables of pairs show it.
    pub page: Option<Box<Page>>,
}

/// The page of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The URL.
    pub url: Option<String>,
    /// The time, in microseconds.
    pub time: Option<i64>,
    /// Offset and length of a record of a web archive.
    pub archived: Option<(u64, u64)>,
}

/// Two documents that are near-duplicates, the left one first in the order of pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairFound {
    /// The document with the smaller id, or that of the input.
    pub left: DocName,
    /// The other document.
    pub right: DocName,
    /// The rule that holds.
    pub rule: Rule,
    /// The pass that found them, from 0.
    pub pass: u32,
    /// Features of both.
    pub overlap: Overlap,
    /// The value that decided, as halves.
    pub value: [u32; 2],
}

/// A document that may have copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassMember {
    /// Its name.
    pub name: DocName,
    /// Digest of its text as stored.
    pub raw: u128,
    /// Its place in policy order, compared as bytes; ties by id.
    pub order: Box<[u8]>,
    /// Number of further documents of its home with the same text, which come after it.
    pub copies: u32,
    /// The one of these whose id comes first, if it comes before its own; only for clusters, which are named by it.
    pub least: Option<Box<DocName>>,
}

impl ClassMember {
    /// Returns the number of documents with its copies.
    pub fn count(&self) -> u32 {
        1 + self.copies
    }

    /// Returns the name that a cluster of it alone would have.
    pub fn least(&self) -> &DocName {
        self.least.as_deref().unwrap_or(&self.name)
    }
}

/// The documents with one token sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyClass {
    /// The family that compares them, which is their node if they have no other neighbour.
    pub root: DocNumber,
    /// The member with the smallest number.
    pub node: DocNumber,
    /// The members, by ascending number.
    pub members: Vec<ClassMember>,
}

/// An order for what a home knows of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Want {
    /// The place of the document at home.
    pub place: u32,
    /// The family that wants it.
    pub root: DocNumber,
    /// The node that it represents.
    pub node: DocNumber,
    /// Whether the text is wanted; otherwise the digests of the text are.
    pub text: bool,
    /// Whether the node represents copies.
    pub has_copies: bool,
    /// Whether the family is too large for one task.
    pub is_large: bool,
}

/// A text on its way to its family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextRow<'a> {
    /// The node that it represents.
    pub node: DocNumber,
    /// The family.
    pub root: DocNumber,
    /// Whether the node represents copies.
    pub has_copies: bool,
    /// Number of documents that earlier runs dropped for it.
    pub led: u32,
    /// The document.
    pub member: ClassMember,
    /// The text.
    #[serde(borrow)]
    pub text: std::borrow::Cow<'a, str>,
}

/// The place of a document in policy order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PolicyKey {
    /// Whether it is of the input: the reference comes first.
    pub is_input: bool,
    /// The place by the policy, compared as bytes.
    pub order: Box<[u8]>,
    /// The number, which breaks ties.
    pub number: DocNumber,
}

/// What was found about a document that represents a node of a large family on its side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeFate {
    /// The node.
    pub node: DocNumber,
    /// The document.
    pub member: ClassMember,
    /// Number of its features, if the node represents copies.
    pub size: u32,
    /// Number of documents that earlier runs dropped for it.
    pub led: u32,
    /// Why it is dropped, if it is.
    pub dropped: Option<Dropped>,
}

/// Digests of one of the texts of a class of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextDigest {
    /// The class.
    pub node: DocNumber,
    /// Digest of the text as stored.
    pub raw: u128,
    /// Digest of the decoded text.
    pub decoded: u128,
    /// Digest of the tokens with signs, if the pass ignores signs.
    pub signs: u128,
}

/// What was found about a document: without an entry it is kept, alone in its group and cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HomeVerdict {
    /// The place of the document at home.
    pub place: u32,
    /// Whether the verdict is on the further copies that it represents, and not on itself.
    pub of_copies: bool,
    /// Why it is dropped; `None` if it is kept.
    pub dropped: Option<Dropped>,
    /// Number of documents in its leader group.
    pub group_size: u32,
    /// Name and size of its cluster, in a run of clusters.
    pub cluster: Option<(DocName, u32)>,
}

impl HomeVerdict {
    /// Returns the verdict on a document that is kept, alone in its group and cluster.
    pub fn kept(place: u32) -> Self {
        HomeVerdict { place, of_copies: false, dropped: None, group_size: 1, cluster: None }
    }
}

/// The evidence that a document is a duplicate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// The document that it was compared with.
    pub original: DocName,
    /// The document that is kept in the end, if a later pass dropped the original.
    pub leader: Option<DocName>,
    /// The pass that dropped it, from 0.
    pub pass: u32,
    /// The rule that holds.
    pub rule: Rule,
    /// Features of both.
    pub overlap: Overlap,
    /// The value that decided, as halves: see [`neardup_core::decide::value::PairValue`].
    pub value: [u32; 2],
}

/// A dropped document with the document that it follows, as far as is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Follow {
    /// The dropped document, or the one that represents the dropped ones.
    pub document: DocNumber,
    /// Number of the dropped documents if they are further copies that it represents; 0 for itself.
    pub copies: u32,
    /// The document that it follows.
    pub leader: DocName,
    /// Why it is dropped.
    pub dropped: Dropped,
}

impl ClusterNode {
    /// Returns a document of the cluster of `root`, with its text as its class knows it.
    pub fn of(member: &ClassMember, root: DocNumber, pass: u32, text: u128) -> Self {
        ClusterNode { root, name: member.name.clone(), pass, text, count: member.count(), least: member.least().clone() }
    }
}

/// Documents of a home that others of the home represent, so that the first pass drops them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Represented {
    /// The home.
    pub home: u32,
    /// Whether documents whose id is taken were set aside when they were found.
    pub sets_aside: bool,
    /// The documents.
    pub places: Vec<u32>,
}

/// What a part has of a group: of the documents that follow a leader, or of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupShare {
    /// The leader, or the root of the cluster.
    pub group: DocNumber,
    /// The part.
    pub part: u32,
    /// Number of documents, the leader not counted.
    pub count: u32,
    /// Digest of one of the texts; 0 for followers.
    pub text: u128,
    /// Whether all texts are equal; for followers, whether all are dropped as identical.
    pub is_identical: bool,
    /// Whether a document is of the input.
    pub has_input: bool,
    /// The document of a cluster whose id comes first.
    pub name: Option<DocName>,
}

/// What a group is, as a part that has a share of it learns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSum {
    /// The leader, or the root of the cluster.
    pub group: DocNumber,
    /// Number of documents.
    pub size: u32,
    /// The name of a cluster.
    pub name: Option<DocName>,
    /// Whether the part says so to the leader.
    pub is_first: bool,
}

/// A document in a cluster of some pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterNode {
    /// The smallest number of its cluster, as far as is known.
    pub root: DocNumber,
    /// Its name.
    pub name: DocName,
    /// The pass.
    pub pass: u32,
    /// Digest of its text, equal for equal texts.
    pub text: u128,
    /// Number of documents, with the further copies that it represents.
    pub count: u32,
    /// The one of these whose id comes first.
    pub least: DocName,
}

/// A document whose id another one has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RepeatedId {
    /// The document.
    pub document: DocNumber,
    /// The first document with the id.
    pub first: DocNumber,
    /// The row of that in its home.
    pub first_row: u64,
    /// The place of that, as messages name it, if its home has several sources.
    pub first_place: Option<Box<str>>,
}

/// A document that is sampled for its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledPage {
    /// Hash of the host's name.
    pub host: u64,
    /// Number of distinct texts of the host.
    pub texts: u64,
    /// Number of sampled documents of the host.
    pub sampled: u32,
    /// The place of the document at home.
    pub place: u32,
}

/// The id of a document, as far as it takes to find it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdRow {
    /// Digest of the id and its side.
    pub id: u128,
    /// The document.
    pub document: DocNumber,
    /// Its row in its home.
    pub row: u64,
    /// Its place, as messages name it, if its home has several sources.
    pub place: Option<Box<str>>,
}
