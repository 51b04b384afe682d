//! Signing documents that are compared elsewhere: each becomes a row of keys, digests and numbers, without its text.

use crate::Result;
use crate::distributed::{known, rows};
use crate::job::Job;
use crate::job::lexicons::compiled_for;
use crate::pipeline::passes::default_cap;
use crate::progress::Watch;
use crate::tables::table;
use arrow_array::builder::{BinaryBuilder, ListBuilder, PrimitiveBuilder};
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, SchemaRef};
use neardup_core::keys::Keys;
use neardup_core::pass::compiled::{CompiledPass, SketchContent};
use neardup_core::sets::parts::SketchPart;
use neardup_core::signing::segment::{ChunkBuilder, range};
use neardup_core::signing::signer::Signer;
use neardup_corpus::Chunk;
use neardup_corpus::host_name;
use std::sync::Arc;

/// Returns the columns of signed rows. `row` is the place in the input, from 0. Rows that cannot be used have a reason.
fn schema() -> SchemaRef {
    use DataType::{Binary, Int32, Int64, Utf8};
    let keys = DataType::List(Arc::new(Field::new_list_field(Int64, false)));
    table::schema(
        &[
            ("row", Int64, false),
            ("reason", Utf8, true),
            ("id", Utf8, true),
            ("time", Int64, true),
            ("rank", Int32, false),
            ("tokens", Int32, false),
            ("size", Int32, false),
            ("raw", Binary, false),
            ("lexical", Binary, true),
            ("keys", keys, false),
            ("sketch", Binary, false),
            ("url", Utf8, true),
            ("host", Utf8, true),
        ],
        &[],
    )
}

/// Compiles the only pass of a job for signing. The number of features is kept in the sketch.
pub fn compiled(job: &Job<'_>) -> Result<CompiledPass> {
    let mut pass = compiled_to_sign(job, 0)?;
    pass.kept.push(SketchContent::Size);
    Ok(pass)
}

/// Compiles the pass `number` of a job for signing. Unlike an ordinary run, it uses no keys that depend on other documents
/// ([`Keys::of_run`]).
pub fn compiled_to_sign(job: &Job<'_>, number: usize) -> Result<CompiledPass> {
    let mut pass = compiled_for(&job.scheme.passes()[number], job.counted()?.as_ref())?;
    for kind in pass.kinds.iter_mut().filter(|kind| kind.cap.is_none()) {
        kind.cap = default_cap(job, kind);
    }
    Ok(pass)
}

/// Signs the documents of the job's only stream.
///
/// # Errors
/// As a run; a record that cannot be used is not an error but a row.
pub fn sign_rows(job: &mut Job<'_>, pass: &CompiledPass, watch: &Watch) -> Result<RecordBatch> {
    let (chunks, rejects) = rows::each(job, pass, watch, |chunk| SignedRows::of(chunk, pass))?;
    let mut rows = SignedRows::default();
    chunks.into_iter().for_each(|(chunk, before)| rows.append(chunk, before));
    rejects.iter().for_each(|reject| rows.refuse(reject.row, &reject.reason, pass));
    rows.finish()
}

/// Columns of signed documents.
#[derive(Default)]
struct SignedRows {
    rows: Vec<i64>,
    reasons: Vec<Option<String>>,
    ids: Vec<Option<String>>,
    times: Vec<Option<i64>>,
    ranks: Vec<i32>,
    tokens: Vec<i32>,
    sizes: Vec<i32>,
    raw: Vec<u128>,
    lexical: Vec<u128>,
    keys: Vec<Vec<i64>>,
    sketches: Vec<Vec<u8>>,
    urls: Vec<Option<String>>,
}

impl SignedRows {
    fn of(chunk: &Chunk<'_>, pass: &CompiledPass) -> Self {
        let (mut signer, mut draft, mut rows) = (Signer::new(pass), ChunkBuilder::default(), SignedRows::default());
        for record in &chunk.records {
            draft.clear();
            signer.sign(record.text, &mut draft);
            rows.rows.push(record.row as i64 - 1);
            rows.reasons.push(None);
            rows.ids.push(record.id.as_deref().map(str::to_owned));
            rows.times.push(record.time);
            rows.ranks.push(record.rank as i32);
            rows.urls.push(record.url.as_deref().filter(|url| !url.is_empty()).map(str::to_owned));
            rows.take(&draft, pass);
        }
        rows
    }

    /// Adds the only document of `draft`.
    fn take(&mut self, draft: &ChunkBuilder, pass: &CompiledPass) {
        let parts = &draft.parts[range(&draft.part_ends, 0)];
        let size = SketchPart::all(parts).last().and_then(|size| size.values.first().copied()).unwrap_or(0);
        self.tokens.push(draft.tokens[0] as i32);
        self.sizes.push(size as i32);
        self.raw.push(draft.raw[0]);
        self.lexical.push(draft.lexical[0]);
        self.keys.push(if draft.features[0] == 0 { Vec::new() } else { keys(draft, pass) });
        self.sketches.push(known::write(draft, pass, size as u32));
    }

    fn append(&mut self, other: SignedRows, before: u64) {
        self.rows.extend(other.rows.into_iter().map(|row| row + before as i64));
        self.reasons.extend(other.reasons);
        self.ids.extend(other.ids);
        self.times.extend(other.times);
        self.ranks.extend(other.ranks);
        self.tokens.extend(other.tokens);
        self.sizes.extend(other.sizes);
        self.raw.extend(other.raw);
        self.lexical.extend(other.lexical);
        self.keys.extend(other.keys);
        self.sketches.extend(other.sketches);
        self.urls.extend(other.urls);
    }

    /// Adds a row for a record that cannot be used.
    fn refuse(&mut self, row: u64, reason: &str, pass: &CompiledPass) {
        self.rows.push(row as i64 - 1);
        self.reasons.push(Some(reason.to_owned()));
        self.ids.push(None);
        self.times.push(None);
        self.ranks.push(0);
        self.urls.push(None);
        let (mut signer, mut draft) = (Signer::new(pass), ChunkBuilder::default());
        signer.sign(neardup_text::Text::Plain(b""), &mut draft);
        self.take(&draft, pass);
    }

    fn finish(self) -> Result<RecordBatch> {
        let mut keys = ListBuilder::new(PrimitiveBuilder::<Int64Type>::new()).with_field(Field::new_list_field(DataType::Int64, false));
        for list in &self.keys {
            keys.values().append_slice(list);
            keys.append(true);
        }
        let mut raw = BinaryBuilder::new();
        self.raw.iter().for_each(|digest| raw.append_value(digest.to_be_bytes()));
        let mut lexical = BinaryBuilder::new();
        self.lexical.iter().for_each(|&digest| lexical.append_option((digest != 0).then(|| digest.to_be_bytes())));
        let mut sketches = BinaryBuilder::new();
        self.sketches.iter().for_each(|sketch| sketches.append_value(sketch));
        let hosts = self.urls.iter().map(|url| host_name(url.as_deref()?));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(self.rows)),
            Arc::new(StringArray::from(self.reasons)),
            Arc::new(StringArray::from(self.ids)),
            Arc::new(Int64Array::from(self.times)),
            Arc::new(Int32Array::from(self.ranks)),
            Arc::new(Int32Array::from(self.tokens)),
            Arc::new(Int32Array::from(self.sizes)),
            Arc::new(raw.finish()),
            Arc::new(lexical.finish()),
            Arc::new(keys.finish()),
            Arc::new(sketches.finish()),
            Arc::new(self.urls.iter().map(Option::as_deref).collect::<StringArray>()),
            Arc::new(hosts.collect::<StringArray>()),
        ];
        table::batch(schema(), columns)
    }
}

/// Returns the distinct keys of a document, of all kinds, ascending. The upper half of each is the table, numbered through all
/// kinds; the lower half is the key.
pub(super) fn keys(draft: &ChunkBuilder, pass: &CompiledPass) -> Vec<i64> {
    let (mut first, mut all) = (0, Vec::new());
    for (kind, rows) in pass.kinds.iter().zip(&draft.keys) {
        let fixed = kind.keys.fixed();
        let table = |place: usize| first + if fixed { place } else { 0 };
        all.extend(rows.keys.iter().enumerate().map(|(place, &key)| (table(place) as i64) << 32 | i64::from(key)));
        first += Keys::tables(&kind.keys);
    }
    all.sort_unstable();
    all.dedup();
    all
}
