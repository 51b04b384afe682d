use crate::dialect::Dialect;

/// Which fields of a record hold what; names of top-level JSON members or of columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The field with the text.
    pub text: String,
    /// The field with HTML; when given, the text is extracted from it and `text` is not looked at.
    pub html: Option<String>,
    /// The field with the id, which every record must have then; without it a document is known by its source and row.
    pub id: Option<String>,
    /// The field with the address.
    pub url: Option<String>,
    /// The field with the time.
    pub time: Option<String>,
    /// Whether the text field holds values that were made elsewhere: a string, an integer, or a list of these.
    pub given: Option<GivenKind>,
    /// The field by which some documents are preferred, and its values, best first.
    pub prefer: Option<(String, Vec<String>)>,
    /// Whether fields of TSV may be in double quotes, as those of CSV.
    pub quoted_tsv: bool,
    /// Whether a table may lack the field of the address, the time or the preference: others of the run may have it.
    pub may_lack: bool,
}

/// Which of the fields of the address, the time and the preference a record lacks, and whether its line end; a field that is null is
/// there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingFields {
    /// The field of the address.
    pub url: bool,
    /// The field of the time.
    pub time: bool,
    /// The field of the preference.
    pub prefer: bool,
    /// The end of its line, which only the last of a file may lack.
    pub line_end: bool,
}

impl MissingFields {
    /// The field of the address, the time and the preference, and the line end, in the order in which they are counted.
    #[inline]
    pub fn flags(self) -> [bool; 4] {
        [self.url, self.time, self.prefer, self.line_end]
    }

    /// What a text without fields lacks.
    pub const ALL: MissingFields = MissingFields { url: true, time: true, prefer: true, line_end: false };
}

impl Default for Fields {
    /// The text is in `text`, and nothing else is looked at.
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
    /// How the fields of a table of this dialect are separated.
    pub fn dialect(&self, dialect: Dialect) -> Dialect {
        Dialect { quoted: dialect.quoted || self.quoted_tsv, ..dialect }
    }
}

/// What values made elsewhere must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenKind {
    /// Any integers and strings.
    Features,
    /// This many integers of 64 bits, which make one fingerprint; none where there is none.
    Fingerprint(usize),
}

impl GivenKind {
    /// Why a field cannot serve.
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

/// The fields as slots: every wanted name once, and for each role the slot it reads.
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

/// The most names that [`FieldRoles`] can want: text or html, id, url, time, prefer.
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

    /// What a record lacks; `is_missing` says which of its slots are empty.
    pub fn lacks(&self, is_missing: impl Fn(usize) -> bool) -> MissingFields {
        let lacks = |role: Option<usize>| role.is_some_and(&is_missing);
        let prefer = lacks(self.prefer.as_ref().map(|(slot, _)| *slot));
        MissingFields { url: lacks(self.url), time: lacks(self.time), prefer, line_end: false }
    }

    /// The rank of a value: its position among the preferred ones, their number when it is none of them. However `true` and
    /// `false` are written, each is one value.
    pub fn rank(&self, value: Option<&str>) -> u32 {
        let Some((_, values)) = &self.prefer else {
            return 0;
        };
        let value = value.map(truth);
        let rank = values.iter().position(|preferred| Some(truth(preferred)) == value).unwrap_or(values.len());
        u32::try_from(rank).unwrap_or(u32::MAX)
    }
}

/// A truth value in its one spelling; any other text as it is.
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
