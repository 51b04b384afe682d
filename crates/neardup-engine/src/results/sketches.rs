//! Sketches: a table of what the first signature of a scheme stores of every document.

use crate::Result;
use crate::tables::names::TableNames;
use crate::tables::table::{ROW, SKETCH, Table, batch, schema};
use arrow_array::builder::{ListBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, SchemaRef};
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

impl Table for SketchRows<'_> {
    fn schema(&self) -> SchemaRef {
        use DataType::{List, UInt32, UInt64, Utf8};
        let columns = [("id", Utf8, false), ("source", Utf8, false), (ROW, UInt64, false), ("features", UInt32, false)];
        let values = (SKETCH, List(Arc::new(Field::new_list_field(UInt64, false))), false);
        let level = ("level", UInt32, false);
        if self.pass.signatures[0].has_levels() { schema(&columns, &[level, values]) } else { schema(&columns, &[values]) }
    }

    fn rows(&self) -> usize {
        self.names.documents.len()
    }

    // A segment was read at once. However long its sketches are, those of one segment are not too many for the memory.
    fn slices(&self) -> Vec<Range<usize>> {
        let documents = &self.names.documents;
        let row = |document: DocId| documents.partition_point(|&listed| listed < document);
        let segments = self.names.signed.segments[0].iter();
        let ranges = segments.map(|(first, segment)| row(first)..row(DocId(first.0 + segment.len() as u32)));
        ranges.filter(|range| !range.is_empty()).collect()
    }

    fn at_once(&self) -> usize {
        // A chunk of the input may have few documents with long sketches.
        1
    }

    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch> {
        let (names, sketches) = (self.names, self.read(rows.clone())?);
        let documents = &names.documents[rows];
        let mut lists = ListBuilder::new(UInt64Builder::new()).with_field(Field::new_list_field(DataType::UInt64, false));
        for sketch in &sketches {
            lists.values().append_slice(&sketch.values);
            lists.append(true);
        }
        let mut columns: Vec<ArrayRef> = vec![
            names.id(documents.iter().copied()),
            Arc::new(documents.iter().map(|&document| Some(names.source(document))).collect::<StringArray>()),
            Arc::new(documents.iter().map(|&document| names.rows[document.index()]).collect::<UInt64Array>()),
            Arc::new(sketches.iter().map(|sketch| sketch.features).collect::<UInt32Array>()),
        ];
        if self.pass.signatures[0].has_levels() {
            columns.push(Arc::new(sketches.iter().map(|sketch| sketch.level).collect::<UInt32Array>()));
        }
        columns.push(Arc::new(lists.finish()));
        batch(self.schema(), columns)
    }
}
