//! The document table: all documents in segments and in memory, under one numbering, with the tables that find them.

use crate::Result;
use crate::documents::document::serial_of;
use crate::documents::postings::Postings;
use crate::documents::row::{DocumentRow, half, hash};
use crate::documents::segment::{FOLLOWS, KeyState, Segment};
use crate::documents::signed::SignedText;
use crate::documents::table_key::{TableKey, table_and_key};
use crate::documents::texts::StoredTexts;
use neardup_core::util::ids::DocId;
use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

/// A document that is not in a segment yet.
#[derive(Clone, Debug)]
pub struct MemtableEntry {
    /// See [`DocumentRow::serial`].
    pub serial: u64,
    /// See [`DocumentRow::arrived`].
    pub arrived: i64,
    /// See [`DocumentRow::id`].
    pub id: Box<str>,
    /// See [`DocumentRow::url`].
    pub url: Box<str>,
    /// See [`DocumentRow::time`].
    pub time: i64,
    /// See [`DocumentRow::text`].
    pub text: Box<str>,
    /// Its sizes, digests and keys.
    pub signed: SignedText,
}

/// All documents, numbered in order of arrival. Dead ones keep their numbers until their segments are rewritten.
#[derive(Default)]
pub struct DocumentTable {
    segments: Vec<Arc<Segment>>,
    /// Number of the first document of each segment.
    starts: Vec<DocId>,
    /// Number of the first document in memory.
    start: DocId,
    fresh: Vec<MemtableEntry>,
    by_id: Postings,
    by_url: Postings,
    by_tokens: Postings,
    /// Keys that the segments do not contain in their present state: those of documents in memory, and of documents whose key state
    /// changed after their segment was written.
    leaders: Postings,
    followers: Postings,
}

impl DocumentTable {
    /// Returns the table of these segments, with no documents in memory.
    pub fn new(segments: Vec<Arc<Segment>>) -> Self {
        let mut document_table = DocumentTable::default();
        for segment in segments {
            document_table.starts.push(document_table.start);
            document_table.start = document_table.start.plus(segment.count());
            document_table.segments.push(segment);
        }
        document_table
    }

    /// The segments, in order.
    pub fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }

    /// See [`Segment::refuse_cut`].
    pub fn refuse_cut(&self) -> Result<()> {
        self.segments.iter().try_for_each(|segment| segment.refuse_cut())
    }

    /// The files that contain the texts of the segments, in order.
    pub fn texts(&self) -> impl Iterator<Item = &Arc<StoredTexts>> {
        self.segments.iter().flat_map(|segment| segment.places().files())
    }

    /// Number of the first document of each segment.
    pub fn starts(&self) -> &[DocId] {
        &self.starts
    }

    /// Number of the first document in memory.
    pub fn fresh_start(&self) -> DocId {
        self.start
    }

    /// The documents in memory.
    pub fn fresh(&self) -> &[MemtableEntry] {
        &self.fresh
    }

    /// Number of documents, including dead ones.
    pub fn count(&self) -> u32 {
        self.start.0 + self.fresh.len() as u32
    }

    /// The end of the numbers: that of the next document.
    pub fn end(&self) -> DocId {
        DocId(self.count())
    }

    /// Returns a document.
    #[inline]
    pub fn row(&self, number: DocId) -> DocumentRow<'_> {
        match self.place(number) {
            DocumentPlace::Segment(segment, document) => segment.row(document),
            DocumentPlace::Memory(fresh) => fresh.row(),
        }
    }

    /// Returns the keys of a document in memory; `None` for a document in a segment, which would have to be signed again.
    pub fn keys(&self, number: DocId) -> Option<&[TableKey]> {
        match self.place(number) {
            DocumentPlace::Segment(..) => None,
            DocumentPlace::Memory(fresh) => Some(&fresh.signed.keys),
        }
    }

    /// Adds a document to memory, and returns its number. Its keys are not entered yet: see [`DocumentTable::enter`].
    pub fn push(&mut self, fresh: MemtableEntry) -> DocId {
        let number = self.end();
        if !fresh.id.is_empty() {
            self.by_id.push(hash(fresh.id.as_bytes()), number);
        }
        if !fresh.url.is_empty() {
            self.by_url.push(hash(fresh.url.as_bytes()), number);
        }
        if fresh.signed.lexical != 0 {
            self.by_tokens.push((fresh.signed.lexical >> 64) as u64, number);
        }
        self.fresh.push(fresh);
        number
    }

    /// Enters a document under its keys, as a leader or a follower.
    pub fn enter(&mut self, number: DocId, keys: &[TableKey], keyed: KeyState) {
        let chains = match keyed {
            KeyState::No => return,
            KeyState::Follower => &mut self.followers,
            KeyState::Leader => &mut self.leaders,
        };
        keys.iter().for_each(|&key| chains.push(key, number));
    }

    /// Number of documents that were entered in memory so far.
    pub fn entered(&self) -> MemtableSize {
        MemtableSize { leaders: self.leaders.len(), followers: self.followers.len() }
    }

    /// Returns the documents of an id, including dead ones.
    pub fn of_id<'a>(&'a self, id: &'a str) -> impl Iterator<Item = DocId> + 'a {
        let unnamed = serial_of(id).and_then(|serial| self.of_serial(serial)).filter(|&number| self.row(number).id.is_empty());
        let hash = hash(id.as_bytes());
        let named = self.found(hash, &self.by_id, move |segment| segment.by_id.run(half(hash)));
        named.filter(move |&number| self.row(number).id == id.as_bytes()).chain(unnamed)
    }

    /// Returns the documents of a URL, including dead ones.
    pub fn of_url<'a>(&'a self, url: &'a str) -> impl Iterator<Item = DocId> + 'a {
        let hash = hash(url.as_bytes());
        self.found(hash, &self.by_url, move |segment| segment.by_url.run(half(hash)))
            .filter(move |&number| self.row(number).url == url.as_bytes())
    }

    /// Returns the documents of a token sequence, including dead ones.
    pub fn of_tokens(&self, lexical: u128) -> impl Iterator<Item = DocId> + '_ {
        let hash = (lexical >> 64) as u64;
        self.found(hash, &self.by_tokens, move |segment| segment.by_tokens.run(half(hash)))
            .filter(move |&number| self.row(number).lexical == lexical)
    }

    /// Returns the document with the serial number `serial`.
    pub fn of_serial(&self, serial: u64) -> Option<DocId> {
        let in_memory = || self.fresh.binary_search_by_key(&serial, |fresh| fresh.serial).ok().map(|at| self.start.plus(at as u32));
        let in_segment =
            |(segment, start): (&Arc<Segment>, &DocId)| segment.serials().binary_search(&serial).ok().map(|at| start.plus(at as u32));
        in_memory().or_else(|| self.segments.iter().zip(&self.starts).find_map(in_segment))
    }

    /// Looks up all `keys`, and calls `each` with the documents of each key, in the order of `keys`.
    ///
    /// A single lookup waits for memory twice, because each step depends on the one before. To overlap the waits of different
    /// lookups, each step is done for all keys in all segments before the next.
    pub fn look_up(&self, keys: &[TableKey], mut each: impl FnMut(KeyPostings<'_>)) {
        let segments = &self.segments;
        let tables = || {
            keys.iter().flat_map(|&key| {
                let (table, narrow) = table_and_key(key);
                segments.iter().map(move |segment| (&segment.keys[table], narrow))
            })
        };
        let mut found: Vec<Range<u32>> = Vec::with_capacity(keys.len() * segments.len());
        found.extend(tables().map(|(table, narrow)| table.near(narrow)));
        for ((table, _), near) in tables().zip(&found) {
            black_box(table.prefetch(near));
        }
        for &key in keys {
            black_box((self.leaders.prefetch(key), self.followers.prefetch(key)));
        }
        for ((table, narrow), found) in tables().zip(&mut found) {
            *found = table.find(found.clone(), narrow);
        }
        for (at, &key) in keys.iter().enumerate() {
            each(KeyPostings { document_table: self, key, found: &found[at * segments.len()..][..segments.len()] });
        }
    }

    fn found<'a, R>(&'a self, hash: u64, chains: &'a Postings, run: impl Fn(&'a Segment) -> R + 'a) -> impl Iterator<Item = DocId> + 'a
    where
        R: Iterator<Item = u32> + 'a,
    {
        let segments = self.segments.iter().zip(&self.starts);
        segments.flat_map(move |(segment, start)| run(segment).map(move |document| start.plus(document))).chain(chains.of(hash))
    }

    #[inline]
    fn place(&self, number: DocId) -> DocumentPlace<'_> {
        if number >= self.start {
            return DocumentPlace::Memory(&self.fresh[(number.0 - self.start.0) as usize]);
        }
        let at = self.starts.partition_point(|&start| start <= number) - 1;
        DocumentPlace::Segment(&self.segments[at], number.0 - self.starts[at].0)
    }
}

/// Number of documents that were entered in memory up to some moment, over all keys.
#[derive(Clone, Copy, Debug)]
pub struct MemtableSize {
    leaders: u32,
    followers: u32,
}

/// The documents of one key.
pub struct KeyPostings<'a> {
    document_table: &'a DocumentTable,
    /// The key.
    pub key: TableKey,
    /// Where the key is in the table of each segment.
    found: &'a [Range<u32>],
}

impl<'a> KeyPostings<'a> {
    /// Calls `each` with every document that was a leader when it was entered under the key. It may be dead by now, or no longer a
    /// leader.
    #[inline]
    pub fn leaders(&self, mut each: impl FnMut(DocId)) {
        self.runs().for_each(|(start, run)| run.take_while(|value| value & FOLLOWS == 0).for_each(|document| each(start.plus(document))));
        self.document_table.leaders.of(self.key).for_each(each);
    }

    /// Calls `each` with every document under the key, some of them twice. A document may be dead by now.
    #[inline]
    pub fn all(&self, mut each: impl FnMut(DocId)) {
        self.runs().for_each(|(start, run)| run.for_each(|value| each(start.plus(value & !FOLLOWS))));
        self.document_table.leaders.of(self.key).chain(self.document_table.followers.of(self.key)).for_each(each);
    }

    /// Calls `each` with every document that was entered under the key after `entered` was taken.
    pub fn since(&self, entered: MemtableSize, each: impl FnMut(DocId)) {
        let MemtableSize { leaders, followers } = entered;
        self.document_table.leaders.since(self.key, leaders).chain(self.document_table.followers.since(self.key, followers)).for_each(each);
    }

    /// Returns the values of the key in each segment, with the number of the segment's first document.
    #[inline]
    fn runs(&self) -> impl Iterator<Item = (DocId, impl Iterator<Item = u32> + use<'a>)> {
        let (table, _) = table_and_key(self.key);
        let segments = self.document_table.segments.iter().zip(&self.document_table.starts).zip(self.found);
        segments.map(move |((segment, &start), found)| (start, segment.keys[table].values(found.clone())))
    }
}

enum DocumentPlace<'a> {
    Segment(&'a Segment, u32),
    Memory(&'a MemtableEntry),
}

impl MemtableEntry {
    fn row(&self) -> DocumentRow<'_> {
        DocumentRow {
            serial: self.serial,
            arrived: self.arrived,
            id: self.id.as_bytes(),
            url: self.url.as_bytes(),
            time: self.time,
            text: self.text.as_bytes(),
            tokens: self.signed.tokens,
            features: self.signed.features,
            raw: self.signed.raw,
            lexical: self.signed.lexical,
            bitmap: &self.signed.bitmap,
            parts: &self.signed.parts,
        }
    }
}
