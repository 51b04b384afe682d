use crate::dialect::Dialect;

/// Roles of the fields of a record. Fields are named by top-level JSON members or by columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Field with the text.
    pub text: String,
    /// Field with HTML. If it is set, the text is extracted from it, and `text` is not read.
    pub html: Option<String>,
    /// Field with the id. If it is set, every record must have an id. Otherwise a document is identified by its source and row.
    pub id: Option<String>,
    /// Field with the address.
    pub url: Option<String>,
    /// Field with the time.
    pub time: Option<String>,
    /// Whether the text field contains given values (a string, an integer, or a list of these), and of which kind.
    pub given: Option<GivenKind>,
    /// Field by which documents are preferred, with the preferred values, best first.
    pub prefer: Option<(String, Vec<String>)>,
    /// Whether fields of TSV may be in double quotes, like those of CSV.
    pub quoted_tsv: bool,
    /// Whether a table may lack the field of the address, the time or the preference, because other inputs of the run may have it.
    pub may_lack: bool,
}

/// Which of the fields of address, time and preference a record lacks, and whether it lacks a line end. A null field is not
/// missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingFields {
    /// Field of the address.
    pub url: bool,
    /// Field of the time.
    pub time: bool,
    /// Field of the preference.
    pub prefer: bool,
    /// Line end. Only the last line of a file may lack it.
    pub line_end: bool,
}

impl MissingFields {
    /// Returns the flags of address, time, preference and line end, in the order in which they are counted.
    #[inline]
    pub fn flags(self) -> [bool; 4] {
        [self.url, self.time, self.prefer, self.line_end]
    }

    /// What a text without fields lacks: address, time and preference.
    pub const ALL: MissingFields = MissingFields { url: true, time: true, prefer: true, line_end: false };
}

impl Default for Fields {
    /// Reads the text from `text`, and no other field.
    fn default() -> Self {
        Fields {
            text: "text".to_owned(),
            html: None,
            id: None,
            url: None,
            time: None,
            given: None,
            prefer: None,
            quoted_tsv: false,
            may_lack: false,
        }
    }
}

impl Fields {
    /// Returns `dialect`, with quoted fields allowed if `quoted_tsv` is set.
    pub fn dialect(&self, dialect: Dialect) -> Dialect {
        Dialect { quoted: dialect.quoted || self.quoted_tsv, ..dialect }
    }
}

/// Which given values are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenKind {
    /// Any integers and strings.
    Features,
    /// One fingerprint, as this number of 64-bit integers. A record without a fingerprint has no integer.
    Fingerprint(usize),
}

impl GivenKind {
    /// Returns the reason if `text` does not contain values of this kind, otherwise `None`.
    pub(crate) fn refuse(self, text: &str) -> Option<String> {
        let values = match neardup_text::GivenValue::all(text) {
            Ok(values) => values,
            Err(reason) => return Some(format!("the field is no list of integers and strings: {reason}")),
        };
        let GivenKind::Fingerprint(words) = self else { return None };
        let fits =
            values.is_empty() || values.len() == words && values.iter().all(|value| matches!(value, neardup_text::GivenValue::Number(_)));
        let integers = if words == 1 { "an integer" } else { "a list of two integers" };
        (!fits).then(|| {
            format!("the field is no fingerprint of {} bits: write {integers} from -2^63 to 2^64 - 1, in decimal or as 0x...", 64 * words)
        })
    }
}

/// The fields as slots: each wanted name once, and for each role the slot that it reads.
#[derive(Clone, Debug)]
pub(crate) struct FieldRoles {
    pub names: Vec<String>,
    pub text: usize,
    pub html: bool,
    pub given: Option<GivenKind>,
    pub id: Option<usize>,
    pub url: Option<usize>,
    pub time: Option<usize>,
    pub prefer: Option<(usize, Vec<String>)>,
    /// See [`Fields::may_lack`].
    may_lack: bool,
}

/// Maximum number of names that [`FieldRoles`] can want: text or html, id, url, time, prefer.
pub(crate) const MOST_NAMES: usize = 5;

impl FieldRoles {
    pub fn new(fields: &Fields) -> FieldRoles {
        let mut names = Vec::with_capacity(MOST_NAMES);
        let text = slot(&mut names, fields.html.as_ref().unwrap_or(&fields.text));
        FieldRoles {
            text,
            html: fields.html.is_some(),
            given: fields.given,
            id: fields.id.as_ref().map(|name| slot(&mut names, name)),
            url: fields.url.as_ref().map(|name| slot(&mut names, name)),
            time: fields.time.as_ref().map(|name| slot(&mut names, name)),
            prefer: fields.prefer.as_ref().map(|(name, values)| (slot(&mut names, name), values.clone())),
            may_lack: fields.may_lack,
            names,
        }
    }

    /// Whether a table must have the field of this slot.
    pub fn must_have(&self, slot: usize) -> bool {
        !self.may_lack || slot == self.text || Some(slot) == self.id
    }

    /// Returns what a record lacks. `is_missing` returns whether a slot is missing.
    pub fn lacks(&self, is_missing: impl Fn(usize) -> bool) -> MissingFields {
        let lacks = |role: Option<usize>| role.is_some_and(&is_missing);
        let prefer = lacks(self.prefer.as_ref().map(|(slot, _)| *slot));
        MissingFields { url: lacks(self.url), time: lacks(self.time), prefer, line_end: false }
    }

    /// Returns the rank of a value: its position among the preferred values, or the number of those if it is not among them. All
    /// spellings of `true` are one value, and so are those of `false`.
    pub fn rank(&self, value: Option<&str>) -> u32 {
        let Some((_, values)) = &self.prefer else {
            return 0;
        };
        let value = value.map(truth);
        let rank = values.iter().position(|preferred| Some(truth(preferred)) == value).unwrap_or(values.len());
        u32::try_from(rank).unwrap_or(u32::MAX)
    }
}

/// Returns a truth value in its one spelling, and any other text unchanged.
fn truth(text: &str) -> &str {
    match text {
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        other => other,
    }
}

fn slot(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
