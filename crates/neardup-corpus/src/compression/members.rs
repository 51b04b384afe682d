use std::io::{self, BufRead, Read};

use crate::compression::Compression;
use crate::compression::codec::{Codec, Member};
use crate::compression::peek::PeekReader;
use crate::flaws::Flaws;

/// The decompressed bytes of all members of a file, one after another.
///
/// Zeros after a member are padding, whether a member follows them or not. Other bytes that begin no member are ignored and counted as
/// a flaw. Skippable frames of Zstandard and LZ4 are skipped.
pub(crate) struct MemberStream<'c> {
    codec: &'static dyn Codec,
    window: u64,
    state: State<'c>,
    flaws: Option<&'c Flaws>,
}

enum State<'c> {
    /// Inside a member.
    Inside(Box<dyn Member<'c> + 'c>),
    /// Nothing is left, or nothing more can be read.
    Ended,
}

/// Bytes of the head of a skippable frame: its number and its length. Numbers of members are not longer.
const SKIPPABLE: usize = 8;

impl<'c> MemberStream<'c> {
    /// Opens the first member, which a file must have.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`] if its window exceeds `window` bytes.
    pub fn new(codec: &'static dyn Codec, input: PeekReader<'c>, window: u64, flaws: Option<&'c Flaws>) -> io::Result<MemberStream<'c>> {
        let mut members = MemberStream { codec, window, state: State::Ended, flaws };
        members.state = match members.begin(input, true) {
            // A reader gets the error with the first byte, except that more memory is needed.
            Err(error) if error.kind() != io::ErrorKind::OutOfMemory => State::Inside(Box::new(Broken(Some(error)))),
            begun => begun?,
        };
        Ok(members)
    }

    /// Begins the next member of `input`, if there is one.
    fn begin(&self, mut input: PeekReader<'c>, mut is_first: bool) -> io::Result<State<'c>> {
        loop {
            if !is_first {
                skip_padding(&mut input)?;
            }
            let head = input.peek(SKIPPABLE)?;
            if head.is_empty() && !is_first {
                return Ok(State::Ended);
            }
            if self.codec.magics().iter().any(|magic| head.starts_with(magic)) {
                return Ok(State::Inside(self.codec.member(input, self.window)?));
            }
            if self.codec.has_skippable_frames() && is_skippable(head) {
                skip_frame(&mut input)?;
                is_first = false;
            } else if self.codec.magics().iter().any(|magic| magic.starts_with(head)) {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends in the head of a member"));
            } else if is_first {
                let other = Compression::begun_by(head);
                let kind = if other.is_some() { format!("; these are bytes of {}", other.name()) } else { String::new() };
                return Err(io::Error::new(io::ErrorKind::InvalidData, format!("it does not begin as such a stream does{kind}")));
            } else {
                self.ignore(input)?;
                return Ok(State::Ended);
            }
        }
    }

    /// Reads the bytes after the last member, and counts them as a flaw.
    fn ignore(&self, mut input: PeekReader<'c>) -> io::Result<()> {
        io::copy(&mut input, &mut io::sink())?;
        if let Some(flaws) = self.flaws {
            flaws.add(&format!("ignored bytes after the {} stream", self.codec.name()), 1);
        }
        Ok(())
    }
}

impl Read for MemberStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let State::Inside(member) = &mut self.state else { return Ok(0) };
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let State::Inside(member) = std::mem::replace(&mut self.state, State::Ended) else { return Ok(0) };
            self.state = self.begin(member.into_input(), false)?;
        }
    }
}

/// A stream that fails at once.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.take().unwrap_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof)))
    }
}

impl<'c> Member<'c> for Broken {
    fn into_input(self: Box<Self>) -> PeekReader<'c> {
        PeekReader::new(io::empty())
    }
}

/// Skips zeros.
fn skip_padding(input: &mut PeekReader<'_>) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let (count, all) = (bytes.iter().take_while(|byte| **byte == 0).count(), bytes.len());
        input.consume(count);
        if count < all || all == 0 {
            return Ok(());
        }
    }
}

fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn skip_frame(input: &mut PeekReader<'_>) -> io::Result<()> {
    let mut head = [0; SKIPPABLE];
    input.read_exact(&mut head)?;
    let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
    if io::copy(&mut input.take(length), &mut io::sink())? < length {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends in a frame that is skipped"));
    }
    Ok(())
}
