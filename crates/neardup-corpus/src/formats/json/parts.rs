use std::borrow::Cow;

use neardup_text::{GivenValue, Text};

use crate::error::listed;
use crate::formats::json::value::{JsonValue, ValueSlots};
use crate::records::decimal::Decimal;
use crate::records::fields::FieldRoles;
use crate::records::missing::MissingFields;
use crate::records::time::{Moment, TimeUnit, of_number, read_time, refuse};

/// Values of a record by their roles.
pub(crate) struct Parts<'a> {
    pub text: Text<'a>,
    pub id: Option<Cow<'a, str>>,
    pub url: Option<Cow<'a, str>>,
    pub time: Option<i64>,
    pub number: Option<i64>,
    pub group: Option<Cow<'a, str>>,
    pub rank: u32,
    pub lacks: MissingFields,
}

impl FieldRoles {
    /// Whether the walker found all that is wanted. It knows no paths.
    pub fn are_found(&self, slots: &ValueSlots<'_>) -> bool {
        !self.has_paths || slots[..self.names.len()].iter().all(Option::is_some)
    }

    /// Fills in the values that the path of the file states for fields that the record lacks.
    pub fn add_path_values<'a>(&'a self, slots: &mut ValueSlots<'a>) {
        for (slot, value) in self.path_values().enumerate() {
            if let Some(value) = value
                && slots[slot].is_none()
            {
                slots[slot] = Some(value.map_or(JsonValue::Null, JsonValue::Text));
            }
        }
    }

    /// Reads JSON values by their roles. The error says which field cannot be used. `line` is called only for a null text or an
    /// error.
    pub fn parts<'a>(&self, slots: &ValueSlots<'a>, line: impl FnOnce() -> &'a str) -> Result<Parts<'a>, String> {
        let text = match slots[self.text] {
            Some(JsonValue::Text(text)) => Text::Plain(text.as_bytes()),
            Some(JsonValue::Escaped(text)) => Text::Json(text.as_bytes()),
            // It is kept as written for the unit `given`. A number must be one that is also allowed in a list.
            Some(JsonValue::Number(value)) if self.given.is_some() => match GivenValue::all(&format!("[{value}]")) {
                Ok(_) => Text::Plain(value.as_bytes()),
                Err(reason) => return Err(format!("the field \"{}\" is no given value: {reason}", self.names[self.text])),
            },
            Some(JsonValue::Nested(value)) if self.given.is_some() && !value.starts_with('{') => Text::Plain(value.as_bytes()),
            // A blank text without a place.
            Some(JsonValue::Null) => Text::Plain(&line().as_bytes()[..0]),
            Some(other) => {
                let (name, kind) = (&self.names[self.text], other.kind());
                return Err(format!("the field \"{name}\" is {kind}, not a string{}", other.advice(name)));
            }
            None => return Err(self.absent(&crate::formats::json::library::field_paths(line()))),
        };
        let value = |role: Option<usize>| role.and_then(|slot| slots[slot].map(|value| (slot, value)));
        let moment = value(self.time).map_or(Ok(None), |(_, value)| time(value, self.time_unit))?;
        Ok(Parts {
            text,
            id: self.named(value(self.id).map_or(Ok(None), |(_, value)| self.id(value))?)?,
            url: value(self.url).map_or(Ok(None), |(_, value)| self.url(value))?,
            time: moment.map(|moment| moment.micros),
            number: value(self.number).map_or(Ok(None), |(_, value)| self.number(value))?,
            group: value(self.group).map_or(Ok(None), |(_, value)| self.group(value))?,
            rank: self.rank::<String>(|slot| Ok(slots[slot].and_then(preferred)))?,
            lacks: self.lacks(|slot| slots[slot].is_none()).with(MissingFields::ZONE, moment.is_some_and(|moment| moment.lacks_zone)),
        })
    }

    /// Returns the reason for rejecting a record without the text field.
    pub fn absent(&self, fields: &[String]) -> String {
        format!("there is no field \"{}\"; the fields are {}", self.names[self.text], listed(fields))
    }

    /// Returns the id of a record. It must exist if a field for it was named.
    pub fn named<'a>(&self, id: Option<Cow<'a, str>>) -> Result<Option<Cow<'a, str>>, String> {
        match self.id {
            Some(slot) if id.is_none() => Err(format!("there is no id in the field \"{}\"; every record needs one", self.names[slot])),
            _ => Ok(id),
        }
    }

    fn id<'a>(&self, value: JsonValue<'a>) -> Result<Option<Cow<'a, str>>, String> {
        match value {
            JsonValue::Null => Ok(None),
            JsonValue::Number("-0") => Ok(Some(Cow::Borrowed("0"))),
            // NaN and infinities are no ids.
            JsonValue::Number(number) if number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) => {
                Ok(Some(Cow::Borrowed(number)))
            }
            JsonValue::Number(number) => {
                let whole = Decimal::parse(number).filter(Decimal::is_whole).and_then(|number| number.written());
                whole.map(|id| Some(Cow::Owned(id))).ok_or_else(|| self.refuse_id(number))
            }
            other => other.string().map(Some).ok_or_else(|| self.refuse_id(other.kind())),
        }
    }

    fn number(&self, value: JsonValue<'_>) -> Result<Option<i64>, String> {
        match value {
            JsonValue::Null => Ok(None),
            JsonValue::Number(number) => self.parse_number(number),
            other => match other.string() {
                Some(text) => self.parse_number(&text),
                None => Err(self.refuse_number(other.kind())),
            },
        }
    }

    fn group<'a>(&self, value: JsonValue<'a>) -> Result<Option<Cow<'a, str>>, String> {
        match value {
            JsonValue::Null => Ok(None),
            // 7 and 7.0 are one group, as they are one id. NaN and infinities are none.
            JsonValue::Number(number) => Ok(Decimal::parse(number).map(|value| value.written().map_or(Cow::Borrowed(number), Cow::Owned))),
            JsonValue::Nested(_) => Err(self.refuse_group(value.kind())),
            other => Ok(preferred(other).filter(|group| !group.is_empty())),
        }
    }

    fn url<'a>(&self, value: JsonValue<'a>) -> Result<Option<Cow<'a, str>>, String> {
        match value {
            JsonValue::Null => Ok(None),
            other => other.string().map(Some).ok_or_else(|| self.refuse_url(other.kind())),
        }
    }
}

fn time(value: JsonValue<'_>, unit: TimeUnit) -> Result<Option<Moment>, String> {
    match value {
        JsonValue::Null => Ok(None),
        JsonValue::Number(number) => of_number(number, unit).map(Some),
        other => match other.string() {
            Some(text) => read_time(&text, unit),
            None => Err(refuse(other.kind(), unit)),
        },
    }
}

fn preferred(value: JsonValue<'_>) -> Option<Cow<'_, str>> {
    match value {
        JsonValue::Number(number) => Some(Cow::Borrowed(number)),
        JsonValue::Truth(truth) => Some(Cow::Borrowed(if truth { "true" } else { "false" })),
        other => other.string(),
    }
}
