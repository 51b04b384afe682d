use std::io::{self, Read, Write};
use std::panic::RefUnwindSafe;

use crate::compression::peek::PeekReader;

/// A way to compress a file.
pub(crate) trait Codec: Sync + RefUnwindSafe {
    /// Returns the name in messages and results.
    fn name(&self) -> &'static str;

    /// Returns the suffixes of file names, in lower case and without the dot. New files get the first.
    fn suffixes(&self) -> &'static [&'static str];

    /// Returns the numbers with which a member can begin, as their bytes.
    fn magics(&self) -> &'static [&'static [u8]];

    /// Whether a file of an unknown kind that begins with `head` is compressed so. It is stricter than [`Codec::magics`], by which a
    /// damaged member is still a member, where a text could begin with a number of those.
    fn begins_file(&self, head: &[u8]) -> bool {
        self.magics().iter().any(|magic| head.starts_with(magic))
    }

    /// Whether a record of a web archive may be a member of its own.
    fn has_members_as_records(&self) -> bool {
        false
    }

    /// Whether frames whose content is to be skipped may lie between members.
    fn has_skippable_frames(&self) -> bool {
        false
    }

    /// Opens the member at the position of `input`. It may use up to `window` bytes of memory for the bytes that it refers to.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`] for a member that needs more; its message gives the window. Other errors mean damage.
    fn member<'c>(&self, input: PeekReader<'c>, window: u64) -> io::Result<Box<dyn Member<'c> + 'c>>;

    /// Returns an encoder that writes one member to `output`.
    fn encoder<'o>(&self, output: Box<dyn Write + 'o>) -> io::Result<Box<dyn Encoder + 'o>>;
}

/// The decompressed bytes of one member.
pub(crate) trait Member<'c>: Read {
    /// Returns the input after the member. It must be called only when the member ended.
    fn into_input(self: Box<Self>) -> PeekReader<'c>;
}

/// Compresses the bytes that are written to it.
pub(crate) trait Encoder: Write {
    /// Writes what is buffered and the end of the member, and flushes the output.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Returns the error for a member that needs more memory than is allowed for it. Half of the memory of a run is allowed.
pub(super) fn too_large(needed: u64, allowed: u64) -> io::Error {
    let memory = (2 * needed).div_ceil(1 << 20);
    let reason =
        format!("its window of {needed} bytes exceeds the {allowed} bytes that --memory allows for it; --memory {memory}M is enough");
    io::Error::new(io::ErrorKind::OutOfMemory, reason)
}
