use std::borrow::Cow;
use std::path::Path;

use crate::dialect::{CsvOptions, Dialect};
use crate::records::field_name::{has_several, is_plain, parts};
use crate::records::missing::{MOST_TEXTS, MissingFields};
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
        let mut named = [None; MissingFields::FLAGS];
        let optional = [
            (MissingFields::URL, "url_field", &self.url),
            (MissingFields::TIME, "time_field", &self.time),
            (MissingFields::NUMBER, "keep", &self.number),
            (MissingFields::GROUP, "group_field", &self.group),
        ];
        optional.into_iter().for_each(|(flag, option, name)| named[flag] = name.as_deref().map(|name| (option, name)));
        for (flag, preference) in (MissingFields::PREFER..).zip(&self.prefer) {
            named[flag] = Some(("prefer", preference.field.as_str()));
        }
        if has_several(self.compared()) {
            let option = if self.html.is_some() { "html_field" } else { "text_field" };
            for (flag, part) in (MissingFields::TEXT..MissingFields::FLAGS).zip(parts(self.compared())) {
                named[flag] = Some((option, part));
            }
        }
        named
    }

    /// Returns the field whose text is compared.
    pub fn compared(&self) -> &str {
        self.html.as_deref().unwrap_or(&self.text)
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
        let text = slot(&mut names, fields.compared());
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

    /// Returns what a record lacks besides texts. `is_missing` returns whether a slot is missing.
    pub fn lacks(&self, is_missing: impl Fn(usize) -> bool) -> MissingFields {
        let lacks = |role: Option<usize>| role.is_some_and(&is_missing);
        let named = MissingFields::default()
            .with(MissingFields::URL, lacks(self.url))
            .with(MissingFields::TIME, lacks(self.time))
            .with(MissingFields::NUMBER, lacks(self.number))
            .with(MissingFields::GROUP, lacks(self.group));
        let preferred = (MissingFields::PREFER..).zip(&self.prefer);
        preferred.fold(named, |all, (flag, (slot, _))| all.with(flag, is_missing(*slot)))
    }

    /// Returns the places of the texts that a record is joined from, and the missing ones as flags. `find` finds the text at a path.
    pub fn find_texts<T, E>(&self, mut find: impl FnMut(&str) -> Result<Option<T>, E>) -> Result<(Vec<T>, MissingFields), E> {
        let (mut found, mut missing) = (Vec::new(), MissingFields::default());
        for (number, part) in parts(&self.names[self.text]).into_iter().enumerate() {
            match find(part)? {
                Some(text) => found.push(text),
                None if number < MOST_TEXTS => missing = missing.with(MissingFields::TEXT + number, true),
                None => {}
            }
        }
        Ok((found, missing))
    }

    /// Returns the place of a written number in the order of numbers; `None` if there is no number, which is written as nothing or as
    /// NaN. The error names the field and the value.
    pub fn parse_number(&self, text: &str) -> Result<Option<i64>, String> {
        if text.is_empty() || text.trim_ascii().eq_ignore_ascii_case("nan") {
            return Ok(None);
        }
        number::parse(text).map(Some).ok_or_else(|| self.refuse_number(&format!("{text:?}")))
    }

    /// Returns the reason for rejecting a record whose group is of this kind.
    pub fn refuse_group(&self, kind: &str) -> String {
        let name = self.group.map_or("", |slot| &self.names[slot]);
        format!("the group in the field \"{name}\" is {kind}; a group is a string, a number, a date or a truth value (group_field)")
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
