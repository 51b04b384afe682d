//! Columns that name the page of a document: its URL, host and date, and its place in the archive.

use crate::Result;
use crate::tables::names::TableNames;
use crate::tables::schema::{Column, RunKinds};
use arrow_array::{ArrayRef, StringArray, UInt64Array, new_empty_array};
use arrow_schema::DataType::{UInt64, Utf8};
use neardup_core::util::ids::DocId;
use neardup_corpus::host_name;
use neardup_corpus::write_time;
use std::sync::Arc;

/// Name of the column of dates.
pub const DATE: &str = "date";

/// The pages of some documents. The columns are empty if the tables of the run have none of them.
pub struct PageColumns {
    /// URL of each page.
    pub url: ArrayRef,
    /// Host of each URL.
    pub host: ArrayRef,
    /// Date of each record of an archive.
    pub date: ArrayRef,
    /// Offset of each record in its archive.
    pub offset: ArrayRef,
    /// Length of each record in its archive.
    pub length: ArrayRef,
}

impl TableNames<'_> {
    /// Returns the pages of `documents`, in any order.
    pub fn pages(&self, documents: &[DocId]) -> Result<PageColumns> {
        let (texts, numbers) = (new_empty_array(&Utf8), new_empty_array(&UInt64));
        if !self.has_urls {
            return Ok(PageColumns { url: texts.clone(), host: texts.clone(), date: texts, offset: numbers.clone(), length: numbers });
        }
        let origins = self.signed.catalogue.origins(documents)?;
        let hosts = origins.iter().map(|origin| host_name(origin.url.as_deref()?));
        let spans = || origins.iter().map(|origin| origin.archived);
        Ok(PageColumns {
            host: Arc::new(hosts.collect::<StringArray>()),
            date: Arc::new(origins.iter().map(|origin| write_time(origin.archived.and(origin.time)?)).collect::<StringArray>()),
            offset: Arc::new(spans().map(|span| Some(span?.offset)).collect::<UInt64Array>()),
            length: Arc::new(spans().map(|span| Some(span?.len)).collect::<UInt64Array>()),
            url: Arc::new(origins.iter().map(|origin| origin.url.as_deref()).collect::<StringArray>()),
        })
    }
}

/// Rows of which each is about one document.
pub trait PageRows {
    /// Returns the pages of these documents.
    fn pages(&self) -> &PageColumns;
}

/// Returns the columns of the page of a row's document.
pub fn columns<S: PageRows>() -> [Column<S>; 5] {
    [
        named("url", Utf8, "of web archives, or with `--url-field`: the URL of the document", |rows: &S| rows.pages().url.clone()),
        named("host", Utf8, "of the same runs: the host of the URL, with its port if that is not the usual one", |rows: &S| {
            rows.pages().host.clone()
        }),
        archived(DATE, Utf8, "of web archives only: when the record was made, in UTC", |rows: &S| rows.pages().date.clone()),
        archived("offset", UInt64, "of web archives only: where the record begins in the file, in bytes as it is stored", |rows: &S| {
            rows.pages().offset.clone()
        }),
        archived("length", UInt64, "of web archives only: its bytes there, with the separator after it", |rows: &S| {
            rows.pages().length.clone()
        }),
    ]
}

/// Returns a column of the URL of a document, which is missing if it has none. Digests include no page.
pub fn named<S>(name: &'static str, kind: arrow_schema::DataType, meaning: &'static str, values: fn(&S) -> ArrayRef) -> Column<S> {
    Column::new(name, kind, meaning, values).nullable().derived().of(RunKinds::OfUrls)
}

/// Returns a column of a record of an archive, which is missing for all other documents.
pub fn archived<S>(name: &'static str, kind: arrow_schema::DataType, meaning: &'static str, values: fn(&S) -> ArrayRef) -> Column<S> {
    Column::new(name, kind, meaning, values).nullable().derived().of(RunKinds::OfArchives)
}
