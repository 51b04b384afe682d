use crate::containers::Container;

/// An archive of files among the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundContainer {
    /// What it is.
    pub(crate) kind: Container,
    /// Its path below the folder that was searched, for patterns; the name of one that the user named.
    pub(crate) below: String,
    /// Whether the user named it. Then it must have files that are read.
    pub(crate) is_named: bool,
}
