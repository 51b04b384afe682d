//! Sketches: a table of what the first signature of a scheme stores of every document.

use crate::Result;
use crate::tables::names::TableNames;
use crate::tables::schema::{Column, RunKinds, record_batch, schema};
use crate::tables::table::{ROW, SKETCH, Table};
use arrow_array::builder::{ListBuilder, UInt64Builder};
use arrow_array::{RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::DataType::{List, UInt32, UInt64, Utf8};
use arrow_schema::{Field, SchemaRef};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::sets::parts::SketchPart;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::util::ids::DocId;
use std::ops::Range;
use std::sync::Arc;

/// The sketch of one document.
pub struct SketchRow {
    /// Number of its distinct features.
    pub features: u32,
    /// Level of a bounded sample; 0 for every other signature.
    pub level: u32,
    /// Values of the signature; empty for a document without features.
    pub values: Vec<u64>,
}

/// Table sketches: one row per document of the input, in input order.
pub struct SketchRows<'a> {
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// The pass, whose sketches are [kept](CompiledPass::to_keep).
    pub pass: &'a CompiledPass,
}

impl SketchRows<'_> {
    /// Reads the sketches of some rows.
    pub fn read(&self, rows: Range<usize>) -> Result<Vec<SketchRow>> {
        let nothing = Ignored::new(self.pass, &[]);
        let sketches = self.names.signed.segments[0].sketches(&self.names.documents[rows.clone()], &nothing)?;
        let sketch = |row: usize| {
            let parts = sketches.get(row as u32).parts;
            let (signature, size) = (SketchPart::nth(parts, 0), SketchPart::nth(parts, 1));
            let features = size.values.first().map_or(0, |&size| size as u32);
            SketchRow { features, level: signature.level, values: self.pass.signatures[0].unpack(signature.values) }
        };
        Ok((0..rows.len()).map(sketch).collect())
    }
}

/// Some documents and their sketches.
pub struct SketchSlice<'a> {
    names: &'a TableNames<'a>,
    documents: &'a [DocId],
    sketches: Vec<SketchRow>,
}

/// Returns the columns. The digest hashes the other columns of a document together.
pub fn columns<'a>() -> [Column<SketchSlice<'a>>; 6] {
    [
        Column::new("id", Utf8, "the document", |slice: &SketchSlice<'a>| slice.names.id(slice.documents.iter().copied())),
        Column::new("source", Utf8, "its file, as in decisions.parquet", |slice: &SketchSlice<'a>| {
            Arc::new(slice.documents.iter().map(|&document| Some(slice.names.source(document))).collect::<StringArray>())
        })
        .derived(),
        Column::new(ROW, UInt64, "the line it begins on, or its row, from 1", |slice: &SketchSlice<'a>| {
            Arc::new(slice.documents.iter().map(|&document| slice.names.rows[document.index()]).collect::<UInt64Array>())
        })
        .derived(),
        Column::new("features", UInt32, "number of its distinct features", |slice: &SketchSlice<'a>| {
            Arc::new(slice.sketches.iter().map(|sketch| sketch.features).collect::<UInt32Array>())
        }),
        Column::new(
            "level",
            UInt32,
            "with `levels` only: the values are the features that are 0 mod 2^level",
            |slice: &SketchSlice<'a>| Arc::new(slice.sketches.iter().map(|sketch| sketch.level).collect::<UInt32Array>()),
        )
        .of(RunKinds::OfLevels),
        Column::new(
            SKETCH,
            List(Arc::new(Field::new_list_field(UInt64, false))),
            "the values; empty for a document without features",
            |slice: &SketchSlice<'a>| {
                let mut lists = ListBuilder::new(UInt64Builder::new()).with_field(Field::new_list_field(UInt64, false));
                for sketch in &slice.sketches {
                    lists.values().append_slice(&sketch.values);
                    lists.append(true);
                }
                Arc::new(lists.finish())
            },
        ),
    ]
}

impl Table for SketchRows<'_> {
    fn schema(&self) -> SchemaRef {
        schema(&columns(), self.names)
    }

    fn rows(&self) -> usize {
        self.names.documents.len()
    }

    // A segment was read at once. However long its sketches are, those of one segment are not too many for the memory.
    fn slices(&self) -> Vec<Range<usize>> {
        let documents = &self.names.documents;
        let row = |document: DocId| documents.partition_point(|&listed| listed < document);
        let segments = self.names.signed.segments[0].iter();
        let ranges = segments.map(|(first, segment)| row(first)..row(first.plus(segment.len() as u32)));
        ranges.filter(|range| !range.is_empty()).collect()
    }

    fn at_once(&self) -> usize {
        // A chunk of the input may have few documents with long sketches.
        1
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let (names, sketches) = (self.names, self.read(rows.clone())?);
        record_batch(&columns(), names, &SketchSlice { names, documents: &names.documents[rows], sketches })
    }
}
