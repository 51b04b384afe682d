//! The kinds of files of an index, and their names.

/// The kind of a file of an index. A file name is the kind's word and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The steps that were acknowledged since the last segment.
    Log,
    /// Documents, in a file that does not change.
    Segment,
    /// The serial numbers of the living documents.
    Roll,
    /// The state of every document.
    State,
    /// The texts of documents.
    Texts,
}

impl FileKind {
    /// All kinds.
    pub const ALL: [FileKind; 5] = [FileKind::Log, FileKind::Roll, FileKind::Segment, FileKind::State, FileKind::Texts];

    /// The word of the kind, as it occurs in file names and file heads.
    pub const fn word(self) -> &'static str {
        match self {
            FileKind::Log => "log",
            FileKind::Roll => "roll",
            FileKind::Segment => "segment",
            FileKind::State => "state",
            FileKind::Texts => "texts",
        }
    }

    /// Returns the number in `name`; `None` if it is not the name of a file of this kind.
    pub fn number_of(self, name: &str) -> Option<u64> {
        let number = name.strip_prefix(self.word())?.strip_prefix('-')?.parse().ok()?;
        (self.file(number) == name).then_some(number)
    }

    /// Returns the name of the file of this kind and number.
    pub fn file(self, number: u64) -> String {
        format!("{}-{number:06}", self.word())
    }
}
