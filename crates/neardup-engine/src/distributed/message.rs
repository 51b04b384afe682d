//! Messages: what the tasks of a distributed run send to each other, packed into bytes.

use crate::distributed::plan::HomeSplit;
use crate::distributed::tally::Tally;
use crate::{Error, Result};
use bytemuck::{Pod, Zeroable};
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use serde::{Deserialize, Serialize};

/// A step of a distributed run that is done in many tasks at once, each over one part of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(i8)]
pub enum StageName {
    /// The driver, which receives tallies only.
    Driver,
    /// Documents are signed at their homes, and their keys are sent to the parts of keys.
    Sign,
    /// Documents that share a key are linked, and copies are grouped.
    Link,
    /// All links are connected in one task.
    Connect,
    /// The smaller neighbours of each node are tied to the smallest of them.
    SmallStar,
    /// The larger neighbours of each node are tied to its smallest neighbour.
    LargeStar,
    /// Nodes learn their families, and the texts that these need are ordered.
    Gather,
    /// Texts are read at the homes and sent to their families.
    Fetch,
    /// Families are compared.
    Compare,
    /// Verdicts come home, and the results are written there.
    Write,
    /// Rows of result tables, for callers without an output folder.
    Table,
}

impl StageName {
    /// Every stage, at the index of its number.
    pub const ALL: [StageName; 11] = {
        use StageName::*;
        [Driver, Sign, Link, Connect, SmallStar, LargeStar, Gather, Fetch, Compare, Write, Table]
    };

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            StageName::Driver => "driver",
            StageName::Sign => "sign",
            StageName::Link => "link",
            StageName::Connect => "connect",
            StageName::SmallStar => "small star",
            StageName::LargeStar => "large star",
            StageName::Gather => "gather",
            StageName::Fetch => "fetch",
            StageName::Compare => "compare",
            StageName::Write => "write",
            StageName::Table => "table",
        }
    }
}

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

/// A packed message for one part of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The stage that takes it.
    pub stage: StageName,
    /// The part of the stage; a stage of fewer parts takes it modulo their number.
    pub part: u32,
    /// The message.
    pub packed: Vec<u8>,
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
    /// Returns the table and the key, as [`crate::JobOptions::foreseen`] has them.
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
}

/// A document that may have copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name.
    pub name: DocName,
    /// Digest of its text as stored.
    pub raw: u128,
    /// Its place in policy order, compared as bytes; ties by id.
    pub order: Box<[u8]>,
}

/// The documents with one token sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyClass {
    /// The family that compares them, which is their node if they have no other neighbour.
    pub root: DocNumber,
    /// The member with the smallest number.
    pub node: DocNumber,
    /// The members, by ascending number.
    pub members: Vec<Member>,
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
}

/// A text on its way to its family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextRow<'a> {
    /// The node that it represents.
    pub node: DocNumber,
    /// The family.
    pub root: DocNumber,
    /// The document.
    pub member: Member,
    /// The text.
    #[serde(borrow)]
    pub text: std::borrow::Cow<'a, str>,
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
pub struct Verdict {
    /// The place of the document at home.
    pub place: u32,
    /// Why it is dropped; `None` if it is kept.
    pub dropped: Option<Dropped>,
    /// Number of documents in its leader group.
    pub group_size: u32,
    /// Name and size of its cluster, in a run of clusters.
    pub cluster: Option<(DocName, u32)>,
}

/// The evidence that a document is a duplicate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// The document that it was compared with.
    pub original: DocName,
    /// The rule that holds.
    pub rule: Rule,
    /// Features of both.
    pub overlap: Overlap,
    /// The value that decided, as halves: see [`neardup_core::decide::value::PairValue`].
    pub value: [u32; 2],
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

/// The contents of a packed message.
#[derive(Debug, Serialize, Deserialize)]
pub enum Message<'a> {
    /// A home and what it holds.
    Home(HomeSplit),
    /// Documents that may have copies, with the digests of their tokens.
    Copies(Vec<(u128, Member)>),
    /// The parts of sketches that exclude pairs, as `known` writes them.
    Briefs(Vec<(DocNumber, Vec<u8>)>),
    /// Ids.
    Ids(Vec<IdRow>),
    /// Links of documents.
    Links(Vec<[DocNumber; 2]>),
    /// Nodes that have a key which proposes no pair.
    Foreseen(Vec<(DocNumber, u64)>),
    /// Classes of copies.
    Classes(Vec<CopyClass>),
    /// Orders.
    Wants(Vec<Want>),
    /// Texts.
    #[serde(borrow)]
    Texts(Vec<TextRow<'a>>),
    /// Digests of texts.
    Digests(Vec<(DocNumber, TextDigest)>),
    /// Verdicts.
    Verdicts(Vec<Verdict>),
    /// Documents whose id is taken.
    Repeated(Vec<RepeatedId>),
    /// Documents of which the driver wants the names.
    Named(Vec<u32>),
    /// What a task counted.
    Tally(Box<Tally>),
}

/// First byte of packed keys, which are not encoded.
const KEYS: u8 = 255;

/// Bytes of a packed key: key, class, and place of the document at home. All keys of a message have one home.
const KEY_BYTES: usize = 20;

/// The keys of one home that are sent to one part, while they are packed.
pub struct PackedKeys(Vec<u8>);

impl PackedKeys {
    /// Returns a message without keys.
    pub fn new(home: u32) -> Self {
        let mut packed = vec![KEYS];
        packed.extend_from_slice(&home.to_le_bytes());
        PackedKeys(packed)
    }

    /// Adds a key of the document at `place`.
    pub fn push(&mut self, key: u64, class: u64, place: u32) {
        self.0.extend_from_slice(&key.to_le_bytes());
        self.0.extend_from_slice(&class.to_le_bytes());
        self.0.extend_from_slice(&place.to_le_bytes());
    }

    /// Returns the message; `None` if it has no keys.
    pub fn finish(self) -> Option<Vec<u8>> {
        (self.0.len() > 1 + size_of::<u32>()).then_some(self.0)
    }
}

fn unpack_keys(packed: &[u8], rows: &mut Vec<KeyRow>) -> Option<()> {
    let (home, keys) = packed.split_first_chunk::<4>()?;
    let home = u32::from_le_bytes(*home);
    for row in keys.as_chunks::<KEY_BYTES>().0 {
        let (key, rest) = row.split_first_chunk::<8>()?;
        let (class, place) = rest.split_first_chunk::<8>()?;
        rows.push(KeyRow {
            key: u64::from_le_bytes(*key),
            class: u64::from_le_bytes(*class),
            document: DocNumber::new(home, u32::from_le_bytes(place.try_into().ok()?)),
        });
    }
    Some(())
}

impl Message<'_> {
    /// Packs the message.
    ///
    /// # Errors
    /// [`Error::Data`] if it cannot be encoded, which is a fault inside neardup.
    pub fn pack(&self) -> Result<Vec<u8>> {
        postcard::to_stdvec(self).map_err(|error| Error::Data(format!("a message cannot be packed: {error}")))
    }
}

/// Reads a packed message; keys are appended to `keys`.
///
/// # Errors
/// [`Error::Data`] for bytes that are none.
pub fn receive<'a>(packed: &'a [u8], keys: &mut Vec<KeyRow>) -> Result<Option<Message<'a>>> {
    let fail = |why: String| Error::Data(format!("a message of a task cannot be read: {why}"));
    match packed.split_first() {
        Some((&KEYS, rest)) => unpack_keys(rest, keys).map(|()| None).ok_or_else(|| fail("its keys are cut off".to_owned())),
        _ => postcard::from_bytes(packed).map(Some).map_err(|error| fail(error.to_string())),
    }
}

/// Messages that a task sends, gathered by stage and part.
#[derive(Default)]
pub struct Outbox {
    /// The packed messages.
    pub rows: Vec<Row>,
}

impl Outbox {
    /// Adds a message.
    pub fn send(&mut self, stage: StageName, part: u32, message: &Message<'_>) -> Result<()> {
        self.rows.push(Row { stage, part, packed: message.pack()? });
        Ok(())
    }

    /// Adds a message for each part of `items`; `part` returns the part of an item.
    pub fn send_all<T>(
        &mut self,
        stage: StageName,
        items: impl IntoIterator<Item = T>,
        part: impl Fn(&T) -> u32,
        message: impl Fn(Vec<T>) -> Message<'static>,
    ) -> Result<()> {
        let mut parts = std::collections::BTreeMap::<u32, Vec<T>>::new();
        items.into_iter().for_each(|item| parts.entry(part(&item)).or_default().push(item));
        parts.into_iter().try_for_each(|(part, items)| self.send(stage, part, &message(items)))
    }

    /// Adds a tally for the driver.
    pub fn report(&mut self, tally: Tally) -> Result<()> {
        self.send(StageName::Driver, 0, &Message::Tally(Box::new(tally)))
    }
}

/// Returns which of `parts` parts a hash belongs to. The bits of a key may be far from random.
pub fn part_of(hash: u64, parts: u32) -> u32 {
    // By the golden ratio: all bits of the hash affect the upper half of the product.
    let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    ((mixed * u64::from(parts)) >> 32) as u32
}
