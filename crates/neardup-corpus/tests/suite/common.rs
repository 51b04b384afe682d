//! Helpers of the tests: reading a source into plain values, and sources made from bytes.

use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use neardup_corpus::{
    Chunk, Compression, Error, Fields, FindOptions, JobControl, OnError, Preference, Read, ReadOptions, Reject, Source, SourceSpan,
    TextPlace, discover, keep, read,
};

/// A record as plain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doc {
    pub row: u64,
    pub text: String,
    pub id: Option<String>,
    pub url: Option<String>,
    pub time: Option<i64>,
    pub rank: u32,
    pub span: SourceSpan,
    pub file: u32,
}

#[derive(Debug)]
pub struct Found {
    pub docs: Vec<Doc>,
    pub rejects: Vec<Reject>,
    pub rows: u64,
    /// Names of the flaws of the texts and of the stream.
    pub flaws: Vec<String>,
}

pub struct How {
    pub threads: usize,
    pub chunk_bytes: usize,
    pub max_record: usize,
    pub on_error: OnError,
}

impl Default for How {
    fn default() -> Self {
        How { threads: 2, chunk_bytes: 2 << 20, max_record: 1 << 30, on_error: OnError::Stop }
    }
}

pub fn skip() -> How {
    How { on_error: OnError::Skip, ..How::default() }
}

pub fn all_fields() -> Fields {
    Fields {
        id: Some("id".into()),
        url: Some("url".into()),
        time: Some("time".into()),
        given: None,
        prefer: vec![Preference { field: "site".into(), values: vec!["good".into(), "fair".into()], by_beginning: false }],
        ..Fields::default()
    }
}

/// The work of the tests: collects all values of each record, and the place to fetch its text again.
pub fn collect(chunk: &Chunk<'_>) -> Result<Vec<(Doc, TextPlace)>, Error> {
    let doc = |record: &neardup_corpus::Record<'_>| Doc {
        row: record.row,
        text: record.text.decode().into_owned(),
        id: record.id.as_deref().map(str::to_owned),
        url: record.url.as_deref().map(str::to_owned),
        time: record.time,
        rank: record.rank,
        span: record.span,
        file: record.file,
    };
    Ok(chunk.records.iter().map(|record| (doc(record), record.place)).collect())
}

/// Joins the chunks and checks that every text can be fetched again.
pub fn gather(read: Read<Vec<(Doc, TextPlace)>>) -> Found {
    let mut docs = Vec::new();
    let mut buffer = Vec::new();
    assert_eq!(read.chunks.len(), read.rows_before.len());
    for (chunk, rows_before) in read.chunks.into_iter().zip(&read.rows_before) {
        for (doc, place) in chunk {
            assert_eq!(read.texts.fetch(place, &mut buffer).unwrap().decode(), doc.text);
            docs.push(Doc { row: doc.row + rows_before, ..doc });
        }
    }
    assert_eq!(read.records, docs.len() as u64);
    Found { docs, rejects: read.rejects, rows: read.rows, flaws: read.flaws.into_keys().collect() }
}

pub fn read_all(source: &Source, fields: &Fields, how: &How) -> Result<Found, Error> {
    let folder = tempfile::tempdir().unwrap();
    let control = JobControl::default();
    let spool = folder.path().join("spool");
    let options = ReadOptions {
        threads: how.threads,
        chunk_bytes: how.chunk_bytes,
        max_record: how.max_record,
        on_error: how.on_error,
        ..ReadOptions::new(&control, &spool)
    };
    read(source, fields, &options, &collect).map(gather)
}

/// Returns the spans of the rejects.
pub fn rejected(found: &Found) -> Vec<SourceSpan> {
    found.rejects.iter().map(|reject| SourceSpan { offset: reject.offset, len: reject.len }).collect()
}

pub fn texts(found: &Found) -> Vec<&str> {
    found.docs.iter().map(|doc| doc.text.as_str()).collect()
}

/// A file in its own folder, as a source.
pub struct Given {
    pub folder: tempfile::TempDir,
    pub source: Source,
}

impl Given {
    pub fn new(name: &str, bytes: &[u8]) -> Given {
        Given::stored(name, &pack(name, bytes))
    }

    /// A file with these bytes, whatever its name says.
    pub fn stored(name: &str, bytes: &[u8]) -> Given {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let source = source(&path);
        Given { folder, source }
    }

    pub fn read(&self, fields: &Fields, how: &How) -> Result<Found, Error> {
        read_all(&self.source, fields, how)
    }

    pub fn path(&self) -> &Path {
        &self.source.path
    }

    /// Returns the bytes of the kept file without these spans, decompressed.
    pub fn kept(&self, dropped: &[SourceSpan]) -> Vec<u8> {
        let target = self.beside("kept");
        keep(&self.source, dropped, &target, 2, &JobControl::default()).unwrap();
        unpack(self.source.compression, &std::fs::read(target).unwrap())
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

pub fn source(path: &Path) -> Source {
    discover(&[path.to_str().unwrap().to_owned()], &FindOptions::default()).unwrap().sources.remove(0)
}

/// Compresses by the suffix of a name, in two parts: files of both formats may contain several.
pub fn pack(name: &str, bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    match name.rsplit('.').next() {
        Some("gz") => [gzip(first), gzip(second)].concat(),
        Some("zst") => [zstd(first), zstd(second)].concat(),
        Some("bz2") => [bzip2(first), bzip2(second)].concat(),
        Some("xz") => [xz(first), xz(second)].concat(),
        Some("lz4") => [lz4(first), lz4(second)].concat(),
        _ => bytes.to_vec(),
    }
}

pub fn unpack(compression: Compression, mut bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // The decoder of the library stops after each frame.
    while compression.name() == "lz4" && !bytes.is_empty() {
        lz4_flex::frame::FrameDecoder::new(&mut bytes).read_to_end(&mut out).unwrap();
    }
    let mut decoder: Box<dyn std::io::Read> = match compression.name() {
        "gzip" => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        "zstd" => Box::new(zstd::Decoder::new(bytes).unwrap()),
        "bzip2" => Box::new(bzip2::read::MultiBzDecoder::new(bytes)),
        "xz" => Box::new(liblzma::read::XzDecoder::new_multi_decoder(bytes)),
        _ => Box::new(bytes),
    };
    decoder.read_to_end(&mut out).unwrap();
    out
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Compresses with a checksum, so that damage is detected.
pub fn lz4(bytes: &[u8]) -> Vec<u8> {
    let frame = lz4_flex::frame::FrameInfo::new().content_checksum(true).block_checksums(true);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(frame, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Compresses with a checksum, so that damage is detected.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
