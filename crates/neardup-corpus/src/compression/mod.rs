//! Compression of whole files: one file for each codec, and the table of all.
//!
//! A compressed file is a row of members (gzip), frames (Zstandard, LZ4) or streams (bzip2, xz). All are called *members* here.

mod bzip2;
mod codec;
mod gzip;
mod lz4;
mod lz4_frame;
mod members;
mod peek;
mod steady;
mod xz;
mod zstd;

pub(crate) use codec::Encoder;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::{self, BufReader, Read, Write};

use codec::Codec;
use members::MemberStream;
use peek::PeekReader;
use steady::SteadyReader;

use crate::flaws::Flaws;

/// All codecs, in the order in which messages list them.
static CODECS: &[&dyn Codec] = &[&gzip::Gzip, &zstd::Zstd, &bzip2::Bzip2, &xz::Xz, &lz4::Lz4];

/// Number of bytes from which the compression of a file is known.
pub(crate) const LONGEST_MAGIC: usize = 6;

/// Compression of the bytes of a file.
#[derive(Clone, Copy, Default)]
pub struct Compression(Option<&'static dyn Codec>);

impl Compression {
    /// No compression.
    pub const NONE: Compression = Compression(None);

    /// Returns the name of the compression, such as `gzip`, or the empty string without compression.
    pub fn name(self) -> &'static str {
        self.0.map_or("", |codec| codec.name())
    }

    /// Whether the bytes are compressed.
    pub fn is_some(self) -> bool {
        self.0.is_some()
    }

    /// Whether a record may be a member of its own, as in web archives.
    pub(crate) fn has_members_as_records(self) -> bool {
        self.0.is_none_or(|codec| codec.has_members_as_records())
    }

    /// Returns the compression of a file by its name in lower case, and the name without the suffix of that compression.
    pub(crate) fn of(name: &str) -> (&str, Compression) {
        let Some((stem, suffix)) = name.rsplit_once('.') else { return (name, Compression::NONE) };
        match CODECS.iter().find(|codec| codec.suffixes().contains(&suffix)) {
            Some(codec) => (stem, Compression(Some(*codec))),
            None => (name, Compression::NONE),
        }
    }

    /// Returns the suffix of each wanted compression with its dot, for messages: the first suffix of its codec.
    pub(crate) fn suffixes(is_wanted: impl Fn(Compression) -> bool) -> Vec<String> {
        let wanted = CODECS.iter().filter(|codec| is_wanted(Compression(Some(**codec))));
        wanted.map(|codec| format!(".{}", codec.suffixes()[0])).collect()
    }

    /// Returns the compression of a file that begins with `head`, by its bytes alone.
    pub(crate) fn begun_by(head: &[u8]) -> Compression {
        Compression(CODECS.iter().find(|codec| codec.begins_file(head)).copied())
    }

    /// Returns the suffix of new files with its dot, or the empty string without compression.
    pub fn suffix(self) -> String {
        self.0.map_or(String::new(), |codec| format!(".{}", codec.suffixes()[0]))
    }

    /// Returns an encoder that writes compressed bytes to `output`, or the bytes themselves without compression.
    pub(crate) fn encoder<'o>(self, output: impl Write + 'o) -> io::Result<Box<dyn Encoder + 'o>> {
        match self.0 {
            Some(codec) => codec.encoder(Box::new(output)),
            None => Ok(Box::new(Plain(output))),
        }
    }

    /// Returns the decompressed bytes of `input`. Members may use `window` bytes of memory for what they refer to. Bytes after the
    /// last member that are ignored are counted in `flaws`.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`] if the first member needs more memory.
    pub(crate) fn decoder<'c>(self, input: impl Read + 'c, window: u64, flaws: Option<&'c Flaws>) -> io::Result<Box<dyn Read + 'c>> {
        Ok(match self.0 {
            Some(codec) => Box::new(SteadyReader::new(MemberStream::new(codec, PeekReader::new(input), window, flaws)?)),
            None => Box::new(BufReader::with_capacity(1 << 17, input)),
        })
    }

    /// Returns the reason why a stream cannot be read further.
    pub(crate) fn damage(self, error: &io::Error) -> String {
        let Some(codec) = self.0 else { return format!("the file cannot be read further: {error}") };
        let name = codec.name();
        match error.kind() {
            io::ErrorKind::OutOfMemory => format!("the {name} stream cannot be read here: {error}"),
            io::ErrorKind::UnexpectedEof => format!("the {name} stream is cut off here: {error}"),
            _ => format!("the {name} stream is damaged here: {error}"),
        }
    }
}

/// Writes bytes as they are.
struct Plain<W>(W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Encoder for Plain<W> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

impl PartialEq for Compression {
    fn eq(&self, other: &Compression) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Compression {}

impl Hash for Compression {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Compression {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.0.map_or("none", |codec| codec.name()))
    }
}
