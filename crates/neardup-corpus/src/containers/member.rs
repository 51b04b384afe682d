use std::io::{self, Read};

/// Takes the path of a member, its size in bytes, and its content. A member that is not read is skipped.
pub(crate) type TakeMember<'t> = dyn FnMut(&str, u64, &mut dyn Read) -> io::Result<()> + 't;
