use std::array::from_fn;
use std::borrow::Cow;
use std::path::Path;

use crate::dialect::{CsvOptions, Dialect};
use crate::records::field_name::is_plain;
use crate::records::number;
use crate::records::partition::PartitionKeys;
use crate::records::preference::{MOST_PREFERENCES, Preference, joint_rank};
use crate::records::time::TimeUnit;

/// Roles of the fields of a record. A field is a member or column, or a path to a nested one: `a.b`, `a[].b`. The text may have
/// several fields, `a+b`.
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
    /// Unit of times that are numbers.
    pub time_unit: TimeUnit,
    /// Whether the text field contains given values (a string, an integer, or a list of these), and of which kind.
    pub given: Option<GivenKind>,
    /// Field with the number by which documents are ordered.
    pub number: Option<String>,
    /// Field with the group of the document.
    pub group: Option<String>,
    /// Fields by which documents are preferred; an earlier one decides before a later one. See [`crate::can_be_ranked`].
    pub prefer: Vec<Preference>,
    /// Whether fields of TSV may be in double quotes, like those of CSV.
    pub quoted_tsv: bool,
    /// Whether a table may lack the field of the address, the time or the preference, because other inputs of the run may have it.
    pub may_lack: bool,
}

/// Which of the named fields a record lacks, besides those that every record must have, and whether it lacks a line end and its time
/// a zone. A null
/// field is not missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingFields {
    /// Field of the address.
    pub url: bool,
    /// Field of the time.
    pub time: bool,
    /// Field of the number.
    pub number: bool,
    /// Field of the group.
    pub group: bool,
    /// Field of each preference.
    pub prefer: [bool; MOST_PREFERENCES],
    /// Line end. Only the last line of a file may lack it.
    pub line_end: bool,
    /// Zone of a clock time, which was read as UTC.
    pub zone: bool,
}

impl MissingFields {
    /// Number of flags.
    pub const FLAGS: usize = 6 + MOST_PREFERENCES;

    /// Index of the line end among the flags.
    pub const LINE_END: usize = 0;

    /// Index of the zone of a time among the flags.
    pub const ZONE: usize = 5;

    /// Returns the flags in the order in which they are counted, which is also that of [`Fields::named`].
    #[inline]
    pub fn flags(self) -> [bool; MissingFields::FLAGS] {
        let MissingFields { url, time, number, group, prefer, line_end, zone } = self;
        let first = [line_end, url, time, number, group, zone];
        from_fn(|at| first.get(at).copied().unwrap_or_else(|| prefer[at - first.len()]))
    }

    /// What a text without fields lacks: all except the line end and the zone.
    pub const ALL: MissingFields =
        MissingFields { url: true, time: true, number: true, group: true, prefer: [true; MOST_PREFERENCES], line_end: false, zone: false };
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
            time_unit: TimeUnit::default(),
            given: None,
            number: None,
            group: None,
            prefer: Vec::new(),
            quoted_tsv: false,
            may_lack: false,
        }
    }
}

impl Fields {
    /// Returns the named fields that a record may lack, each with its option, by the places of [`MissingFields::flags`].
    pub fn named(&self) -> [Option<(&'static str, &str)>; MissingFields::FLAGS] {
        let optional = [("url_field", &self.url), ("time_field", &self.time), ("keep", &self.number), ("group_field", &self.group)];
        let [url, time, number, group] = optional.map(|(option, name)| name.as_deref().map(|name| (option, name)));
        let first = [None, url, time, number, group, None];
        let preferred = |at: usize| self.prefer.get(at).map(|preference| ("prefer", preference.field.as_str()));
        from_fn(|at| if at < first.len() { first[at] } else { preferred(at - first.len()) })
    }

    /// Returns the dialect of a source with these options, whose format has `dialect`.
    pub(crate) fn dialect(&self, dialect: Dialect, csv: CsvOptions) -> Dialect {
        let CsvOptions { delimiter, quoted } = csv;
        Dialect { delimiter: delimiter.unwrap_or(dialect.delimiter), quoted: quoted.unwrap_or(dialect.quoted || self.quoted_tsv) }
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
    pub time_unit: TimeUnit,
    pub number: Option<usize>,
    pub group: Option<usize>,
    prefer: Vec<(usize, Preference)>,
    /// See [`Fields::may_lack`].
    may_lack: bool,
    /// Of each slot, the value that the path of the file states for it, `Some(None)` for a missing value. Empty if it states none.
    from_path: Vec<Option<Option<String>>>,
    /// Whether any name may be a path or that of several texts.
    pub has_paths: bool,
}

/// Maximum number of names that [`FieldRoles`] can want: text or html, id, url, time, number, group, and the preferences.
pub(crate) const MOST_NAMES: usize = 6 + MOST_PREFERENCES;

impl FieldRoles {
    /// Returns the roles for the records of a file. A field that a record lacks may be a partition key in the path of the file.
    pub fn of_file(fields: &Fields, path: &Path) -> FieldRoles {
        let (keys, roles) = (PartitionKeys::of(path), FieldRoles::new(fields));
        let value = |(slot, name): (usize, &String)| keys.get(name).filter(|_| slot != roles.text).map(|value| value.map(str::to_owned));
        let from_path: Vec<_> = roles.names.iter().enumerate().map(value).collect();
        let is_any = from_path.iter().any(Option::is_some);
        FieldRoles { from_path: if is_any { from_path } else { Vec::new() }, ..roles }
    }

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
            time_unit: fields.time_unit,
            number: fields.number.as_ref().map(|name| slot(&mut names, name)),
            group: fields.group.as_ref().map(|name| slot(&mut names, name)),
            prefer: fields.prefer.iter().map(|preference| (slot(&mut names, &preference.field), preference.clone())).collect(),
            may_lack: fields.may_lack,
            from_path: Vec::new(),
            has_paths: names.iter().any(|name| !is_plain(name)),
            names,
        }
    }

    /// Whether a table must have the field of this slot.
    pub fn must_have(&self, slot: usize) -> bool {
        self.path_value(slot).is_none() && (!self.may_lack || slot == self.text || Some(slot) == self.id)
    }

    /// Returns the values that the path of the file states for the slots; see [`path_value`](Self::path_value).
    pub fn path_values(&self) -> impl Iterator<Item = Option<Option<&str>>> {
        self.from_path.iter().map(|value| value.as_ref().map(Option::as_deref))
    }

    /// Returns the value that the path of the file states for a slot, `Some(None)` for a missing value.
    pub fn path_value(&self, slot: usize) -> Option<Option<&str>> {
        self.from_path.get(slot)?.as_ref().map(Option::as_deref)
    }

    /// Returns the reason for rejecting a record with this id.
    pub fn refuse_id(&self, id: &str) -> String {
        let name = self.id.map_or("", |slot| &self.names[slot]);
        format!("the id in the field \"{name}\" is {id}; an id must be a string, a whole number or a UUID: convert it to a string")
    }

    /// Returns the reason for rejecting a record whose URL is of this kind.
    pub fn refuse_url(&self, kind: &str) -> String {
        format!("the url in the field \"{}\" is {kind}, not a string", self.url.map_or("", |slot| &self.names[slot]))
    }

    /// Returns what a record lacks. `is_missing` returns whether a slot is missing.
    pub fn lacks(&self, is_missing: impl Fn(usize) -> bool) -> MissingFields {
        let lacks = |role: Option<usize>| role.is_some_and(&is_missing);
        MissingFields {
            url: lacks(self.url),
            time: lacks(self.time),
            number: lacks(self.number),
            group: lacks(self.group),
            // Most runs prefer nothing, and this is called for each record.
            prefer: if self.prefer.is_empty() {
                [false; MOST_PREFERENCES]
            } else {
                from_fn(|at| lacks(self.prefer.get(at).map(|(slot, _)| *slot)))
            },
            ..MissingFields::default()
        }
    }

    /// Returns the place of a written number in the order of numbers. The error names the field and the value.
    pub fn parse_number(&self, text: &str) -> Result<i64, String> {
        number::parse(text).ok_or_else(|| self.refuse_number(&format!("{text:?}")))
    }

    /// Returns the message for a value that is not a number.
    pub fn refuse_number(&self, value: &str) -> String {
        let name = self.number.map_or("", |slot| &self.names[slot]);
        let short: String = value.chars().take(60).collect();
        format!("the number in the field \"{name}\" is {short}; the policy keeps documents by it, so it must be a number (keep)")
    }

    /// Returns the slots of the preferences.
    pub fn preferred(&self) -> impl Iterator<Item = usize> {
        self.prefer.iter().map(|(slot, _)| *slot)
    }

    /// Returns the joint rank of the values of the preferences, which `value` returns by slot.
    pub fn rank<'v, E>(&self, mut value: impl FnMut(usize) -> Result<Option<Cow<'v, str>>, E>) -> Result<u32, E> {
        if self.prefer.is_empty() {
            return Ok(0);
        }
        let mut values: [Option<Cow<'_, str>>; MOST_PREFERENCES] = [const { None }; MOST_PREFERENCES];
        for ((slot, _), found) in self.prefer.iter().zip(&mut values) {
            *found = value(*slot)?;
        }
        Ok(joint_rank(self.prefer.iter().zip(&values).map(|((_, preference), value)| (preference, value.as_deref()))))
    }
}

fn slot(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
