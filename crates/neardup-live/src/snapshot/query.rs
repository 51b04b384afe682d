//! Queries: the documents that are most similar to a text, verified, the best first.

use crate::decide::comparer::{ComparedText, TextComparer};
use crate::decide::index_state::IndexState;
use crate::decide::verdict::{name, rule};
use crate::documents::row::DocumentRow;
use crate::documents::signed::SignedText;
use crate::documents::table_key::TableKey;
use crate::shards::topic::Topic;
use crate::snapshot::contents::Snapshot;
use crate::{Error, Result};
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::sets::bitmap;
use neardup_core::sets::sketch::Sketch;
use neardup_core::util::ids::DocId;
use neardup_core::util::ratio::Ratio;
use std::cmp::{Ordering, Reverse};

/// Maximum number of texts that a query by parts compares in full. It takes those that share the most keys.
const MOST_COMPARED: usize = 10_000;
/// A sample with fewer features may miss texts that contain the query text.
const LEAST_KEYS: u64 = 8;

/// The test that a hit must pass, and the value by which hits are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitOrder {
    /// The document meets the scheme's measure. Hits are sorted by resemblance.
    Scheme,
    /// The document contains the text: |A n B| / |A|, where A is the text.
    Containment,
    /// The text contains the document: |A n B| / |B|, where A is the text.
    ContainedBy,
}

/// The parameters of a query.
#[derive(Clone, Copy, Debug)]
pub struct QueryText {
    /// The test and the order of hits.
    pub by: HitOrder,
    /// Smallest value of a hit, in terms of [`QueryText::by`]. With `None` the scheme's measure alone decides, and queries by parts
    /// admit all.
    pub threshold: Option<Ratio>,
    /// Maximum number of hits. Policy order breaks ties.
    pub limit: usize,
}

/// A document that answers a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its id.
    pub id: String,
    /// Its URL.
    pub url: Option<String>,
    /// Its time in microseconds since 1970.
    pub time: Option<i64>,
    /// Features shared by the text (left) and the document (right).
    pub overlap: Overlap,
    /// The number that decided, if it is not computed from the overlap. Only in queries by the scheme.
    pub value: PairValue,
    /// The first rule that holds; `None` if the scheme's measure was not met or not tested.
    pub rule: Option<Rule>,
    /// The kept document that it follows; itself if it is kept.
    pub original: String,
    /// Number of documents that the original represents, including itself.
    pub group_size: u32,
}

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryAnswer {
    /// The hits, the best first.
    pub hits: Vec<Hit>,
    /// In queries by parts: the text's sample is so small that texts which contain it may be missed.
    pub is_thin: bool,
    /// In queries by parts: more texts share keys than were compared, or a key has more documents than its cap.
    pub is_cut: bool,
}

impl Snapshot {
    /// Answers a query for the documents that are similar to `text`.
    pub fn query(&self, text: &str, question: QueryText, comparer: &mut TextComparer) -> Result<QueryAnswer> {
        let signed = comparer.sign(text.as_bytes());
        let query = Query { index_state: &self.index_state, text: text.as_bytes(), signed: &signed, question };
        match question.by {
            HitOrder::Scheme => Ok(query.by_scheme(comparer)),
            HitOrder::Containment | HitOrder::ContainedBy if self.index_state.passes.parts.is_some() => Ok(query.by_parts(comparer)),
            HitOrder::Containment | HitOrder::ContainedBy => Err(Error::Usage(
                "this index has no table of parts, which finds texts in one another: make it with a scheme for parts".to_owned(),
            )),
        }
    }
}

struct Query<'a> {
    index_state: &'a IndexState,
    text: &'a [u8],
    signed: &'a SignedText,
    question: QueryText,
}

/// A text that answers a query, before its documents are listed.
struct FoundText {
    representative: DocId,
    overlap: Overlap,
    value: PairValue,
    meets: bool,
}

impl FoundText {
    /// Encodes it for the other shards.
    fn words(self, index_state: &IndexState) -> [u64; 7] {
        let (Overlap { shared, left, right }, [low, high]) = (self.overlap, self.value.words());
        let [shared, left, right, low, high, meets] = [shared, left, right, low, high, u32::from(self.meets)].map(u64::from);
        [index_state.called(self.representative), shared, left, right, low, high, meets]
    }

    /// Decodes it from another shard's message; `None` if its document is unknown here.
    fn of_words([representative, rest @ ..]: [u64; 7], index_state: &IndexState) -> Option<FoundText> {
        let [shared, left, right, low, high, meets] = rest.map(|word| u32::try_from(word).unwrap_or(u32::MAX));
        let (overlap, value) = (Overlap { shared, left, right }, PairValue::of_words([low, high]));
        Some(FoundText { representative: index_state.named(representative)?, overlap, value, meets: meets == 1 })
    }
}

impl Query<'_> {
    fn by_scheme(&self, comparer: &mut TextComparer) -> QueryAnswer {
        let Query { index_state, signed, .. } = self;
        let mut representatives = index_state.under(index_state.main(&signed.keys), |_| true);
        let equal = index_state.representative_of(signed.lexical);
        representatives.retain(|&representative| Some(representative) != equal);
        let mut subject = comparer.take(self.text, signed.sketch());
        let mut found = Vec::new();
        if let Some(representative) = equal.filter(|&representative| index_state.document_table.row(representative).is_whole()) {
            let row = index_state.document_table.row(representative);
            found.push(FoundText { representative, overlap: subject.overlap(row.text), value: subject.value(&row), meets: true });
        }
        self.compare(&mut subject, representatives, &mut found);
        QueryAnswer { hits: self.list_hits(self.gather(found)), is_thin: false, is_cut: false }
    }

    /// Compares the text with candidates until no other can be among the best. If there are many, the most promising come first.
    fn compare(&self, subject: &mut ComparedText<'_>, representatives: Vec<DocId>, found: &mut Vec<FoundText>) {
        let (document_table, limit) = (&self.index_state.document_table, self.question.limit);
        let sketch = self.signed.sketch();
        let most = |representative: DocId| at_most(sketch, document_table.row(representative).sketch());
        let mut bounds: Vec<((u64, u64), DocId)> = match representatives.len() > limit {
            true => representatives.into_iter().map(|representative| (most(representative), representative)).collect(),
            false => representatives.into_iter().map(|representative| ((1, 1), representative)).collect(),
        };
        bounds.sort_by(|left, right| cmp_fractions(right.0, left.0).then(left.1.cmp(&right.1)));
        let mut values: Vec<(u64, u64)> = Vec::new();
        for (bound, representative) in bounds {
            if values.len() >= limit && cmp_fractions(bound, values[limit - 1]) == Ordering::Less {
                break;
            }
            let row = document_table.row(representative);
            if let Some(overlap) = subject.meets(&row) {
                let value = self.value(overlap);
                let place = values.partition_point(|&other| cmp_fractions(other, value) != Ordering::Less);
                values.insert(place, value);
                found.push(FoundText { representative, overlap, value: subject.value(&row), meets: true });
            }
        }
    }

    fn by_parts(&self, comparer: &mut TextComparer) -> QueryAnswer {
        let index_state = self.index_state;
        let keys = index_state.parts(&self.signed.keys);
        let (mut representatives, mut is_cut) = self.sharing(keys);
        if let Some(equal) = index_state.representative_of(self.signed.lexical).filter(|equal| !representatives.contains(equal)) {
            representatives.push(equal);
        }
        is_cut |= representatives.len() > MOST_COMPARED;
        representatives.truncate(MOST_COMPARED);
        let mut subject = comparer.take(self.text, self.signed.sketch());
        let rows = representatives
            .into_iter()
            .map(|representative| (representative, index_state.document_table.row(representative)))
            .filter(|(_, row)| row.is_whole());
        let compared = rows.map(|(representative, row)| FoundText {
            representative,
            overlap: subject.overlap(row.text),
            value: PairValue::NONE,
            meets: row.lexical == self.signed.lexical,
        });
        let found = compared.filter(|found| found.overlap.shared > 0 || found.meets).collect();
        let keys: u64 = index_state.shards.gather(Topic::Count, vec![keys.len() as u64]).into_iter().sum();
        QueryAnswer { hits: self.list_hits(self.gather(found)), is_thin: keys < LEAST_KEYS, is_cut }
    }

    /// Returns the texts that share keys, those that share the most first. Also returns whether a key was skipped because it has
    /// more documents than its cap.
    fn sharing(&self, keys: &[TableKey]) -> (Vec<DocId>, bool) {
        let index_state = self.index_state;
        let (mut under, mut is_cut) = (Vec::new(), false);
        index_state.document_table.look_up(keys, |key| {
            let start = under.len();
            key.all(|number| under.push(number));
            if under.len() - start > index_state.passes.cap_of(key.key) {
                under.truncate(start);
                is_cut = true;
            }
        });
        under.retain(|&number| index_state.state.is_representative(number));
        let mut under = index_state.documents_of_all(under);
        is_cut = index_state.shards.gather(Topic::Count, vec![u64::from(is_cut)]).contains(&1);
        under.sort_unstable();
        let mut counts: Vec<(usize, DocId)> = under.chunk_by(|left, right| left == right).map(|same| (same.len(), same[0])).collect();
        counts.sort_unstable_by_key(|&(count, number)| (Reverse(count), number));
        (counts.into_iter().map(|(_, number)| number).collect(), is_cut)
    }

    /// Returns the texts that all shards found.
    fn gather(&self, found: Vec<FoundText>) -> Vec<FoundText> {
        if !self.index_state.shards.are_several() {
            return found;
        }
        let index_state = self.index_state;
        let all = index_state.shards.gather(Topic::Hits, found.into_iter().flat_map(|found| found.words(index_state)).collect());
        let mut found: Vec<FoundText> = all.as_chunks().0.iter().filter_map(|words| FoundText::of_words(*words, index_state)).collect();
        // Several shards may have the same pair of texts.
        found.sort_unstable_by_key(|found| found.representative);
        found.dedup_by_key(|found| found.representative);
        found
    }

    /// Returns the value by which a hit is sorted, as a fraction.
    fn value(&self, overlap: Overlap) -> (u64, u64) {
        let whole = match self.question.by {
            HitOrder::Scheme => overlap.union(),
            HitOrder::Containment => overlap.left.into(),
            HitOrder::ContainedBy => overlap.right.into(),
        };
        // Texts without features are equal, or they are no hits.
        if whole == 0 { (1, 1) } else { (overlap.shared.into(), whole) }
    }

    /// Returns the documents of the found texts that reach the threshold, in order, up to the limit.
    fn list_hits(&self, mut found: Vec<FoundText>) -> Vec<Hit> {
        let QueryText { threshold, limit, .. } = self.question;
        let reaches = |found: &FoundText| {
            let (part, whole) = self.value(found.overlap);
            threshold.is_none_or(|threshold| threshold.at_least(part, whole))
        };
        found.retain(reaches);
        let state = &self.index_state.state;
        found.sort_by(|left, right| {
            let by_value = cmp_fractions(self.value(right.overlap), self.value(left.overlap));
            by_value.then_with(|| self.index_state.place(left.representative).cmp(&self.index_state.place(right.representative)))
        });
        let documents = found.iter().flat_map(|found| state.members(found.representative).iter().map(move |&number| (number, found)));
        documents.take(limit).map(|(number, found)| self.hit(number, found)).collect()
    }

    fn hit(&self, number: DocId, found: &FoundText) -> Hit {
        let IndexState { document_table, state, .. } = self.index_state;
        let row = document_table.row(number);
        let own = DocumentRow { raw: self.signed.raw, lexical: self.signed.lexical, ..row };
        let original = state.original(number);
        Hit {
            id: name(&row),
            url: (!row.url.is_empty()).then(|| String::from_utf8_lossy(row.url).into_owned()),
            time: row.has_time().then_some(row.time),
            overlap: found.overlap,
            // No other number decides about documents with equal tokens.
            value: if own.lexical == row.lexical { PairValue::NONE } else { found.value },
            rule: found.meets.then(|| rule(&own, &row, found.overlap)),
            original: if original == number { name(&row) } else { name(&document_table.row(original)) },
            group_size: state.group_size(state.representative(original)),
        }
    }
}

/// Returns an upper bound on the resemblance of two texts, as a fraction, from their sketches alone. If at least d features differ
/// and s are shared, the resemblance is at most s / (s + d). s is at most half of the sum of both sizes minus d.
fn at_most(left: Sketch<'_>, right: Sketch<'_>) -> (u64, u64) {
    let differing = bitmap::differing(left.bitmap, right.bitmap);
    let shared = (u64::from(left.most) + u64::from(right.most)).saturating_sub(differing) / 2;
    if shared + differing == 0 { (1, 1) } else { (shared, shared + differing) }
}

/// Compares two fractions.
fn cmp_fractions(left: (u64, u64), right: (u64, u64)) -> Ordering {
    (u128::from(left.0) * u128::from(right.1)).cmp(&(u128::from(right.0) * u128::from(left.1)))
}
