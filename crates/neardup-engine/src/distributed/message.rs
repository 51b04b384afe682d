//! Messages: what the tasks of a distributed run send to each other, packed into bytes.

use crate::distributed::plan::HomeSplit;
use crate::distributed::tally::Tally;
use crate::{Error, Result};
use neardup_core::signing::hosts::{Host, HostPage};
use serde::{Deserialize, Serialize};

pub use crate::distributed::records::{
    ClassMember, ClusterNode, CopyClass, DocName, DocNumber, Dropped, Follow, GroupShare, GroupSum, HomeVerdict, IdRow, KeyRow, NodeFate,
    PairFound, RepeatedId, Represented, SampledPage, TextDigest, TextRow, Want,
};

/// A step of a distributed run that is done in many tasks at once, each over one part of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(i8)]
pub enum StageName {
    /// The driver, which receives tallies only.
    Driver,
    /// The rows of homes, which several stages take.
    Home,
    /// A document is described for an error.
    Describe,
    /// The documents of a home that contain each term are counted.
    Count,
    /// The counts of all homes are added up.
    Sum,
    /// The documents of a home are sent to the parts of their texts, by host.
    Hosts,
    /// Equal texts of a host are found, and the first ones by their digests.
    Texts,
    /// The documents of each host are sampled.
    Sample,
    /// The shingles of the sampled documents of a home are made.
    Shingles,
    /// The shingles that too many of the sampled documents of a host contain are found.
    Frame,
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
    /// The nodes of each family in a part are counted.
    Weigh,
    /// The families that are too large for one task are found.
    Large,
    /// The documents of a large family that are left are divided into a block and the rest.
    Divide,
    /// A block of a large family is decided.
    Lead,
    /// The rest of a large family is compared with the leaders of the block.
    Chase,
    /// The documents of a large family are sent to the tasks of every two blocks.
    Pair,
    /// The documents of two blocks are connected.
    Tie,
    /// The verdicts on large families are expanded to copies.
    Expand,
    /// The documents that are kept in the end are found, for documents that several passes dropped one after another.
    Settle,
    /// The dropped documents of a part are counted by the documents that they follow.
    Follow,
    /// Nodes learn the roots of their clusters, and those of a part are counted by these.
    Join,
    /// The counts of the parts of a group are added up: of a leader, or of a cluster.
    Group,
    /// The documents of a part learn what their groups are.
    Learn,
    /// Pairs are divided into ranges of their left documents.
    Route,
    /// A range of the pairs is written in order.
    List,
    /// Verdicts come home, and the results are written there.
    Write,
    /// What a run adds to the past is written there.
    Past,
    /// Rows of result tables, for callers without an output folder.
    Table,
}

impl StageName {
    /// Every stage, at the index of its number.
    pub const ALL: [StageName; 36] = {
        use StageName::*;
        [
            Driver, Home, Describe, Count, Sum, Hosts, Texts, Sample, Shingles, Frame, Sign, Link, Connect, SmallStar, LargeStar, Gather,
            Fetch, Compare, Weigh, Large, Divide, Lead, Chase, Pair, Tie, Expand, Settle, Follow, Join, Group, Learn, Route, List, Write,
            Past, Table,
        ]
    };

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            StageName::Driver => "driver",
            StageName::Home => "home",
            StageName::Describe => "describe",
            StageName::Count => "count",
            StageName::Sum => "sum",
            StageName::Hosts => "hosts",
            StageName::Texts => "texts",
            StageName::Sample => "sample",
            StageName::Shingles => "shingles",
            StageName::Frame => "frame",
            StageName::Sign => "sign",
            StageName::Link => "link",
            StageName::Connect => "connect",
            StageName::SmallStar => "small star",
            StageName::LargeStar => "large star",
            StageName::Gather => "gather",
            StageName::Fetch => "fetch",
            StageName::Compare => "compare",
            StageName::Weigh => "weigh",
            StageName::Large => "large",
            StageName::Divide => "divide",
            StageName::Lead => "lead",
            StageName::Chase => "chase",
            StageName::Pair => "pair",
            StageName::Tie => "tie",
            StageName::Expand => "expand",
            StageName::Settle => "settle",
            StageName::Follow => "follow",
            StageName::Join => "join",
            StageName::Group => "group",
            StageName::Learn => "learn",
            StageName::Route => "route",
            StageName::List => "list",
            StageName::Write => "write",
            StageName::Past => "past",
            StageName::Table => "table",
        }
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

/// The contents of a packed message.
#[derive(Debug, Serialize, Deserialize)]
pub enum Message<'a> {
    /// A home and what it holds.
    Home(HomeSplit),
    /// Rows of a home as an Arrow stream, with the place of the message among those of the home.
    Rows(u32, &'a [u8]),
    /// Terms, with the number of documents that contain each.
    Terms(Vec<(u64, u32)>),
    /// Documents with their hosts.
    Pages(Vec<HostPage<DocNumber>>),
    /// Samples of parts of the texts of hosts.
    Hosts(Vec<Host<DocNumber>>),
    /// Documents of a home that are sampled for their hosts.
    Sampled(Vec<SampledPage>),
    /// Shingles of such documents.
    Shingles(Vec<(SampledPage, Vec<u64>)>),
    /// Documents that may have copies, with the digests of their tokens.
    Copies(Vec<(u128, ClassMember)>),
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
    /// Orders for documents of the past.
    PastWants(Vec<(DocNumber, Want)>),
    /// Documents of the past, with the number of those that a run dropped for each.
    Led(Vec<(DocNumber, u32)>),
    /// Texts of large families.
    #[serde(borrow)]
    LargeTexts(Vec<TextRow<'a>>),
    /// Texts that lead others of a large family.
    #[serde(borrow)]
    Leaders(Vec<TextRow<'a>>),
    /// Numbers of the nodes of families.
    Sizes(Vec<(DocNumber, u64)>),
    /// Roots of large families.
    Large(Vec<DocNumber>),
    /// Classes of copies in large families.
    LargeClasses(Vec<CopyClass>),
    /// Digests of texts in these classes.
    LargeDigests(Vec<TextDigest>),
    /// What was found about nodes of large families.
    NodeFates(Vec<NodeFate>),
    /// Digests of texts.
    Digests(Vec<(DocNumber, TextDigest)>),
    /// Pairs.
    Pairs(Vec<PairFound>),
    /// Verdicts.
    Verdicts(Vec<HomeVerdict>),
    /// Dropped documents of a home, which later passes do not see.
    Gone(Vec<u32>),
    /// Documents of a home that others of the home represent, so that later passes do not see them.
    Represented(Represented),
    /// Documents of a home that have tokens and no feature in any pass so far.
    Featureless(u32, Vec<u32>),
    /// Dropped documents, at the document that they follow.
    Follows(Vec<Follow>),
    /// Dropped documents, each with its original.
    Fates(Vec<(DocNumber, DocName)>),
    /// What parts have of groups.
    Shares(Vec<GroupShare>),
    /// What groups are.
    Groups(Vec<GroupSum>),
    /// Documents in clusters.
    Nodes(Vec<ClusterNode>),
    /// Places of documents, with the name and the size of the cluster of each.
    Clustered(Vec<(u32, DocName, u32)>),
    /// Documents whose id is taken.
    Repeated(Vec<RepeatedId>),
    /// Documents of which the driver wants the names.
    Named(Vec<u32>),
    /// What a task counted.
    Tally(Box<Tally>),
}

/// Bytes of the texts of a message, if one text has not more.
pub const MESSAGE: usize = 16 << 20;

/// First byte of packed keys, which are not encoded.
const KEYS: u8 = 255;

/// Bytes of a packed key: key, class, and place of the document at home. All keys of a message have one home.
const KEY_BYTES: usize = 20;

/// The keys of one home that are sent to one part, while they are packed.
pub struct PackedKeys(Vec<u8>);

impl PackedKeys {
    /// Returns a message without keys, with room for some.
    pub fn with_room(home: u32, keys: usize) -> Self {
        let mut packed = Vec::with_capacity(1 + size_of::<u32>() + keys * KEY_BYTES);
        packed.push(KEYS);
        packed.extend_from_slice(&home.to_le_bytes());
        PackedKeys(packed)
    }

    /// Adds a key of the document at `place`. Keys are added in the order of their tables.
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

/// The keys of one home in a packed message, ascending by table.
#[derive(Clone, Copy, Debug)]
pub struct SentKeys<'a> {
    home: u32,
    rows: &'a [[u8; KEY_BYTES]],
}

impl<'a> SentKeys<'a> {
    /// Reads a packed message.
    ///
    /// # Errors
    /// [`Error::Data`] if it has no keys, or a part of one.
    pub fn of(packed: &'a [u8]) -> Result<Self> {
        let keys = packed.strip_prefix(&[KEYS]).and_then(<[u8]>::split_first_chunk::<4>);
        let (home, (rows, rest)) = keys.map(|(home, keys)| (home, keys.as_chunks())).ok_or_else(|| unreadable("it has no keys"))?;
        if !rest.is_empty() {
            return Err(unreadable("its keys are cut off"));
        }
        Ok(SentKeys { home: u32::from_le_bytes(*home), rows })
    }

    /// Returns the keys of a table.
    pub fn of_table(&self, table: usize) -> Self {
        let start = self.rows.partition_point(|row| self.row(row).table() < table);
        let rest = &self.rows[start..];
        SentKeys { rows: &rest[..rest.partition_point(|row| self.row(row).table() == table)], ..*self }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Calls `each` with every key.
    #[inline]
    pub fn each(&self, mut each: impl FnMut(KeyRow)) {
        self.rows.iter().for_each(|row| each(self.row(row)));
    }

    #[inline]
    fn row(&self, row: &[u8; KEY_BYTES]) -> KeyRow {
        let (words, place) = row.as_chunks::<8>();
        let place = place.try_into().map_or(0, u32::from_le_bytes);
        KeyRow { key: u64::from_le_bytes(words[0]), class: u64::from_le_bytes(words[1]), document: DocNumber::new(self.home, place) }
    }
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

/// Reads a packed message; `None` for keys, which [`SentKeys`] reads.
///
/// # Errors
/// [`Error::Data`] for bytes that are none.
pub fn receive(packed: &[u8]) -> Result<Option<Message<'_>>> {
    if packed.first() == Some(&KEYS) {
        return Ok(None);
    }
    postcard::from_bytes(packed).map(Some).map_err(|error| unreadable(&error.to_string()))
}

fn unreadable(why: &str) -> Error {
    Error::Data(format!("a message of a task cannot be read: {why}"))
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
    pub fn send_all<'m, T>(
        &mut self,
        stage: StageName,
        items: impl IntoIterator<Item = T>,
        part: impl Fn(&T) -> u32,
        message: impl Fn(Vec<T>) -> Message<'m>,
    ) -> Result<()> {
        let mut parts = std::collections::BTreeMap::<u32, Vec<T>>::new();
        items.into_iter().for_each(|item| parts.entry(part(&item)).or_default().push(item));
        parts.into_iter().try_for_each(|(part, items)| self.send(stage, part, &message(items)))
    }

    /// Adds texts, in messages of about [`MESSAGE`] bytes.
    pub fn send_texts<'m>(
        &mut self,
        stage: StageName,
        rows: impl IntoIterator<Item = TextRow<'m>>,
        part: impl Fn(&TextRow<'m>) -> u32,
        message: impl Fn(Vec<TextRow<'m>>) -> Message<'m>,
    ) -> Result<()> {
        let mut parts = std::collections::BTreeMap::<u32, (usize, Vec<TextRow<'m>>)>::new();
        for row in rows {
            let number = part(&row);
            let (bytes, gathered) = parts.entry(number).or_default();
            *bytes += row.text.len();
            gathered.push(row);
            if *bytes >= MESSAGE {
                *bytes = 0;
                let full = std::mem::take(gathered);
                self.send(stage, number, &message(full))?;
            }
        }
        let rest = parts.into_iter().filter(|(_, (_, rows))| !rows.is_empty());
        rest.into_iter().try_for_each(|(part, (_, rows))| self.send(stage, part, &message(rows)))
    }

    /// Adds a tally for the driver.
    pub fn report(&mut self, tally: Tally) -> Result<()> {
        self.hand_on(StageName::Driver, [tally])
    }

    /// Adds tallies for the driver that take the way of other messages to a stage, whose tasks hand them on: the driver sees only what
    /// the last stage of a step sends.
    pub fn hand_on(&mut self, stage: StageName, tallies: impl IntoIterator<Item = Tally>) -> Result<()> {
        tallies.into_iter().try_for_each(|tally| self.send(stage, 0, &Message::Tally(Box::new(tally))))
    }
}

/// Returns which of `parts` parts a hash belongs to. Of n times as many parts, each n consecutive ones are one of these. The bits of a
/// key may be far from random.
pub fn part_of(hash: u64, parts: u32) -> u32 {
    // By the golden ratio: all bits of the hash affect the upper half of the product.
    let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    ((mixed * u64::from(parts)) >> 32) as u32
}
