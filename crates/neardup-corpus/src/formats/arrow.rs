//! Arrow IPC, as a file (Feather version 2 is the same format) or as a stream.
//!
//! The library decodes messages. This module finds them, and checks each length before it allocates memory for it: a damaged length
//! may exceed the available memory.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{Block, CompressionType, Message, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use neardup_disk::positioned::read_exact_at;
use neardup_disk::regular;

use crate::error::{Error, Result};
use crate::format::FormatFacts;
use crate::formats::columnar::batches::rows_of;
use crate::formats::columnar::file::{BatchWriter, Batches, ColumnFile, WantedRows};
use crate::formats::columnar::guarded::guarded;
use crate::formats::columnar::{Columnar, facts};

static FACTS: FormatFacts = facts(&["arrow", "feather", "arrows", "ipc"]);

/// Arrow IPC.
pub(crate) const ARROW: Columnar<ArrowFile> = Columnar::new(&FACTS);

/// First and last bytes of a file. A stream does not have them.
const MAGIC: &[u8; 6] = b"ARROW1";

/// First bytes of a file of Feather version 1, which is another format.
const FEATHER_1: &[u8; 4] = b"FEA1";

/// Bytes before the length of a message, except in streams from before Arrow 0.15.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// An Arrow file or stream.
pub(crate) struct ArrowFile {
    name: String,
    bytes: Bytes,
    schema: SchemaRef,
    version: MetadataVersion,
    /// Metadata in the footer of a file. `None` for a stream.
    footer: Option<HashMap<String, String>>,
    codec: Option<CompressionType>,
    /// Dictionaries and record batches, in the order in which they are decoded.
    parts: Vec<BodyMessage>,
    /// What is wrong after these parts.
    damage: Option<String>,
}

/// A message that contains a dictionary or rows.
struct BodyMessage {
    block: Block,
    /// Number of rows. `None` for a dictionary.
    rows: Option<u64>,
}

impl ColumnFile for ArrowFile {
    fn open(path: &Path, name: &str) -> Result<Self> {
        let file = regular::open(path).map_err(Error::io(path, "read"))?;
        let len = file.metadata().map_err(Error::io(path, "read"))?.len();
        let bytes = Bytes { file, len };
        checked(name, || {
            let head = bytes.at(0, len.min(6))?;
            if head.starts_with(FEATHER_1) {
                return Err(broken("it is a Feather file of version 1; write it as version 2, or as Parquet"));
            }
            let is_file = head == MAGIC;
            let start = if is_file { bytes.start_of_messages()? } else { 0 };
            let Some(FoundMessage { message, block }) = bytes.message(start)?.ok() else { return Err(broken("it has no schema")) };
            let message = root_as_message(&message).map_err(invalid)?;
            let schema = message.header_as_schema().ok_or_else(|| broken("it does not begin with a schema"))?;
            if !schema.endianness().equals_to_target_endianness() {
                return Err(broken("it is big-endian; write it as little-endian"));
            }
            let mut found = ArrowFile {
                name: name.to_owned(),
                schema: Arc::new(fb_to_schema(schema)),
                version: message.version(),
                footer: is_file.then(HashMap::new),
                codec: None,
                parts: Vec::new(),
                damage: None,
                bytes,
            };
            let done = if is_file { found.add_of_file(end_of(&block)) } else { found.add_of_stream(end_of(&block)) };
            found.damage = done.err().map(reason);
            Ok(found)
        })
    }

    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn rows(&self) -> u64 {
        let rows = self.parts.iter().filter_map(|part| part.rows).fold(0, u64::saturating_add);
        // A damaged number may have any value.
        rows.min(i64::MAX as u64)
    }

    fn batches(self, wanted: WantedRows<'_>) -> Result<Batches> {
        let ArrowFile { name, bytes, schema, version, parts, mut damage, .. } = self;
        let mut decoder = FileDecoder::new(schema, version);
        if let Some(columns) = wanted.columns {
            decoder = decoder.with_projection(columns.to_vec());
        }
        let (mut parts, mut left, mut decoded) = (parts.into_iter(), wanted.rows, None::<Decoded>);
        let mut next = move || {
            while left > 0 {
                if let Some(rows) = decoded.as_mut().and_then(|decoded| decoded.next(left, wanted.bytes)) {
                    left -= rows.0.num_rows() as u64;
                    return Ok(Some(rows));
                }
                let Some(part) = parts.next() else { return damage.take().map_or(Ok(None), |reason| Err(broken(&reason))) };
                decoded = bytes.decode(&part, &mut decoder)?;
            }
            Ok(None)
        };
        let mut ended = false;
        Ok(Box::new(iter::from_fn(move || {
            let rows = if ended { None } else { checked(&name, &mut next).transpose() };
            ended |= !matches!(rows, Some(Ok(_)));
            rows
        })))
    }

    fn writer(&self, to: File, schema: &SchemaRef, _: usize) -> io::Result<Box<dyn BatchWriter>> {
        let options = IpcWriteOptions::try_new(8, false, MetadataVersion::V5)
            .and_then(|options| options.try_with_compression(self.codec))
            .map_err(io::Error::other)?;
        let Some(footer) = &self.footer else {
            let writer = StreamWriter::try_new_with_options(to, schema, options).map_err(io::Error::other)?;
            return Ok(Box::new(writer));
        };
        let mut writer = FileWriter::try_new_with_options(to, schema, options).map_err(io::Error::other)?;
        footer.iter().for_each(|(key, value)| writer.write_metadata(key, value));
        Ok(Box::new(writer))
    }
}

impl BatchWriter for FileWriter<File> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        FileWriter::write(self, batch).map_err(io::Error::other)
    }

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.finish().map_err(io::Error::other)
    }
}

impl BatchWriter for StreamWriter<File> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        StreamWriter::write(self, batch).map_err(io::Error::other)
    }

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.finish().map_err(io::Error::other)
    }
}

impl ArrowFile {
    /// Adds the messages of a file. Its footer must list them all.
    fn add_of_file(&mut self, at: u64) -> Result<(), ArrowError> {
        let (footer, limit) = match self.bytes.footer() {
            Ok(footer) => footer,
            Err(error) => {
                // The messages before the break are read.
                self.add_until(at, self.bytes.len).ok();
                return Err(error);
            }
        };
        self.add_until(at, limit)?;
        let footer = root_as_footer(&footer).map_err(invalid)?;
        let schema = footer.schema().map(fb_to_schema);
        if schema.as_ref() != Some(&*self.schema) {
            return Err(broken("its footer has another schema than its beginning"));
        }
        for pair in footer.custom_metadata().iter().flatten() {
            if let (Some(key), Some(value), Some(known)) = (pair.key(), pair.value(), &mut self.footer) {
                known.insert(key.to_owned(), value.to_owned());
            }
        }
        // Dictionaries are decoded first: in the file they may follow rows that use them.
        let listed = footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten();
        let order: HashMap<i64, usize> = listed.enumerate().map(|(number, block)| (block.offset(), number)).collect();
        if order.len() != self.parts.len() || self.parts.iter().any(|part| !order.contains_key(&part.block.offset())) {
            return Err(broken("its footer does not list the messages that it has"));
        }
        self.parts.sort_by_key(|part| order[&part.block.offset()]);
        Ok(())
    }

    /// Adds the messages of a stream. It may end with a message of length 0, or without one.
    fn add_of_stream(&mut self, at: u64) -> Result<(), ArrowError> {
        let end = self.add_until(at, self.bytes.len)?;
        if end == self.bytes.len { Ok(()) } else { Err(broken("bytes follow its end")) }
    }

    /// Adds the messages from offset `at` on, up to the end of the stream or to `limit`. Returns where they end.
    fn add_until(&mut self, mut at: u64, limit: u64) -> Result<u64, ArrowError> {
        while at < limit {
            match self.bytes.message(at)? {
                Ok(found) => {
                    at = end_of(&found.block);
                    self.add(found)?;
                }
                Err(end) => return Ok(end),
            }
        }
        Ok(at)
    }

    fn add(&mut self, found: FoundMessage) -> Result<(), ArrowError> {
        let message = root_as_message(&found.message).map_err(invalid)?;
        let rows = match (message.header_as_record_batch(), message.header_as_dictionary_batch()) {
            (Some(batch), _) => {
                self.codec = self.codec.or(batch.compression().map(|compression| compression.codec()));
                Some(u64::try_from(batch.length()).map_err(|_| broken("it has a negative number of rows"))?)
            }
            (_, Some(_)) => None,
            _ => return Err(broken("a message holds no rows")),
        };
        self.parts.push(BodyMessage { block: found.block, rows });
        Ok(())
    }
}

/// Decoded rows of a message, some of which have not been returned yet.
struct Decoded {
    rows: RecordBatch,
    /// Number of bytes that all rows of the message have in memory.
    bytes: usize,
    at: usize,
}

impl Decoded {
    /// Returns the next rows, of about `bytes` bytes and at most `most` rows, with their number of bytes.
    fn next(&mut self, most: u64, bytes: usize) -> Option<(RecordBatch, usize)> {
        let all = self.rows.num_rows();
        let step = rows_of(bytes, self.bytes, all).min(all - self.at).min(usize::try_from(most).unwrap_or(usize::MAX));
        let rows = self.rows.slice(self.at, step);
        self.at += step;
        (step > 0).then(|| (rows, (self.bytes as u128 * step as u128 / all as u128) as usize))
    }
}

/// Bytes of a file.
struct Bytes {
    file: File,
    len: u64,
}

/// A message without its body, and its position.
struct FoundMessage {
    message: Vec<u8>,
    block: Block,
}

impl Bytes {
    fn at(&self, offset: u64, len: u64) -> Result<Vec<u8>, ArrowError> {
        if offset.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(broken("it breaks off"));
        }
        let mut bytes = vec![0; len as usize];
        read_exact_at(&self.file, &mut bytes, offset)?;
        Ok(bytes)
    }

    /// Returns where the messages of a file begin. Zeros follow the first bytes, up to a multiple of 8.
    fn start_of_messages(&self) -> Result<u64, ArrowError> {
        let head = self.at(0, self.len.min(128))?;
        let zeros = head[MAGIC.len()..].iter().position(|&byte| byte != 0).ok_or_else(|| broken("it has no schema"))?;
        Ok((MAGIC.len() + zeros) as u64 / 8 * 8)
    }

    /// Returns the message at an offset, or the end of the stream if the stream ends there.
    fn message(&self, at: u64) -> Result<Result<FoundMessage, u64>, ArrowError> {
        let number = |offset| self.at(offset, 4).map(|bytes| [bytes[0], bytes[1], bytes[2], bytes[3]]);
        let prefix = prefix_len(&number(at)?) as u64;
        let len = i32::from_le_bytes(number(at + prefix - 4)?);
        if len == 0 {
            return Ok(Err(at + prefix));
        }
        let len = u64::try_from(len).map_err(|_| broken("a length is negative"))?;
        let message = self.at(at + prefix, len)?;
        let body = root_as_message(&message).map_err(invalid)?.bodyLength();
        let start = at + prefix + len;
        if u64::try_from(body).ok().and_then(|body| start.checked_add(body)).is_none_or(|end| end > self.len) {
            return Err(broken("it breaks off in a message"));
        }
        // Both are inside the file, and no length of metadata exceeds 31 bits.
        let block = Block::new(at as i64, i32::try_from(prefix + len).map_err(|_| broken("a message is too long"))?, body);
        Ok(Ok(FoundMessage { message, block }))
    }

    /// Returns the footer of a file, and where it begins.
    fn footer(&self) -> Result<(Vec<u8>, u64), ArrowError> {
        let end = self.len.checked_sub(10).ok_or_else(|| broken("it breaks off"))?;
        let last: [u8; 10] = self.at(end, 10)?.try_into().map_err(|_| broken("it breaks off"))?;
        let len = read_footer_length(last).map_err(|_| broken("it breaks off before its footer"))? as u64;
        let start = end.checked_sub(len).ok_or_else(|| broken("its footer is longer than the file"))?;
        Ok((self.at(start, len)?, start))
    }

    /// Decodes the rows of a message. Returns `None` for a dictionary, which the decoder stores.
    fn decode(&self, part: &BodyMessage, decoder: &mut FileDecoder) -> Result<Option<Decoded>, ArrowError> {
        let block = &part.block;
        let whole = Buffer::from_vec(self.at(block.offset() as u64, block.metaDataLength() as u64 + block.bodyLength() as u64)?);
        let (message, body) = whole.split_at(block.metaDataLength() as usize);
        let bytes = decoded_bytes(&root_as_message(&message[prefix_len(message)..]).map_err(invalid)?, body)?;
        if part.rows.is_none() {
            return decoder.read_dictionary(block, &whole).map(|()| None);
        }
        let rows = decoder.read_record_batch(block, &whole)?;
        Ok(rows.map(|rows| Decoded { rows, bytes, at: 0 }))
    }
}

/// Returns the number of bytes of the decompressed buffers of a message. Fails if one of them cannot be allocated.
fn decoded_bytes(message: &Message<'_>, body: &[u8]) -> Result<usize, ArrowError> {
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(0) };
    if batch.compression().is_none() {
        return Ok(body.len());
    }
    let mut all = 0;
    for buffer in batch.buffers().into_iter().flatten() {
        let (from, len) = (usize::try_from(buffer.offset()), usize::try_from(buffer.length()));
        let bytes = from.ok().zip(len.ok()).and_then(|(from, len)| body.get(from..)?.get(..len));
        // The decompressed length precedes the bytes. It is -1 if they are not compressed.
        let Some(bytes) = bytes else { return Err(broken("a column is not within its message")) };
        let Some(len) = bytes.first_chunk::<8>().map(|len| i64::from_le_bytes(*len)) else { continue };
        let len = usize::try_from(len).unwrap_or(bytes.len());
        Vec::<u8>::new().try_reserve_exact(len).map_err(|_| broken("a column is too large for the memory, or its length is damaged"))?;
        all += len;
    }
    Ok(all)
}

/// Returns the number of bytes before the metadata of a message, which begins with these bytes. The last four are the length of the
/// metadata.
fn prefix_len(message: &[u8]) -> usize {
    if message.starts_with(&CONTINUATION) { 8 } else { 4 }
}

/// Returns where the next message begins.
fn end_of(block: &Block) -> u64 {
    block.offset() as u64 + block.metaDataLength() as u64 + block.bodyLength() as u64
}

fn broken(reason: &str) -> ArrowError {
    ArrowError::IpcError(reason.to_owned())
}

fn invalid(error: impl std::fmt::Display) -> ArrowError {
    broken(&error.to_string())
}

fn reason(error: ArrowError) -> String {
    match error {
        ArrowError::IpcError(reason) => reason,
        error => error.to_string(),
    }
}

/// Reads from a file. An error or panic of the library becomes [`Error::Damaged`].
fn checked<T>(name: &str, read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T> {
    guarded(read).map_err(|error| Error::Damaged {
        name: name.to_owned(),
        reason: format!("the Arrow file is damaged or of an unknown kind: {}", reason(error)),
    })
}
