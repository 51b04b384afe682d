//! The kinds of files of an index, and their names.

/// What a file of an index holds: its name is this and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// What was acknowledged since the last segment.
    Log,
    /// Documents that do not change.
    Segment,
    /// Which documents live.
    Roll,
    /// The state of every document.
    State,
    /// Texts of documents.
    Texts,
}

impl FileKind {
    /// All there are.
    pub const ALL: [FileKind; 5] = [FileKind::Log, FileKind::Roll, FileKind::Segment, FileKind::State, FileKind::Texts];

    /// Its word, as in names and heads of files.
    pub const fn word(self) -> &'static str {
        match self {
            FileKind::Log => "log",
            FileKind::Roll => "roll",
            FileKind::Segment => "segment",
            FileKind::State => "state",
            FileKind::Texts => "texts",
        }
    }

    /// The number of the file of this kind and name; None for the names of others.
    pub fn number_of(self, name: &str) -> Option<u64> {
        let number = name.strip_prefix(self.word())?.strip_prefix('-')?.parse().ok()?;
        (self.file(number) == name).then_some(number)
    }

    /// The name of the file of this kind and number.
    pub fn file(self, number: u64) -> String {
        format!("{}-{number:06}", self.word())
    }
}
