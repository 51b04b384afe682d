use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray, downcast_integer_array};
use arrow_cast::cast;
use arrow_schema::DataType;

/// A column of texts, in any string layout of Arrow.
#[derive(Clone, Debug)]
pub(crate) enum TextColumn {
    Small(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
}

impl TextColumn {
    pub fn new(column: &ArrayRef) -> Option<TextColumn> {
        Some(match column.data_type() {
            DataType::Utf8 => TextColumn::Small(column.as_string().clone()),
            DataType::LargeUtf8 => TextColumn::Large(column.as_string().clone()),
            DataType::Utf8View => TextColumn::View(column.as_string_view().clone()),
            DataType::Null => TextColumn::Small(StringArray::new_null(column.len())),
            DataType::Dictionary(_, values) if values.is_string() => TextColumn::new(&cast(column, values).ok()?)?,
            // A value that is not UTF-8 becomes null.
            DataType::Binary => TextColumn::new(&cast(column, &DataType::Utf8).ok()?)?,
            DataType::LargeBinary => TextColumn::new(&cast(column, &DataType::LargeUtf8).ok()?)?,
            DataType::BinaryView => TextColumn::new(&cast(column, &DataType::Utf8View).ok()?)?,
            _ => return None,
        })
    }

    /// Converts a column to texts, including integers and truth values.
    pub fn written(column: &ArrayRef) -> Option<TextColumn> {
        fn write<T: ToString>(values: impl Iterator<Item = Option<T>>) -> StringArray {
            values.map(|value| value.map(|value| value.to_string())).collect()
        }
        TextColumn::new(column).or_else(|| {
            Some(TextColumn::Small(downcast_integer_array!(
                column => write(column.iter()),
                DataType::Boolean => write(column.as_boolean().iter()),
                _ => return None
            )))
        })
    }

    /// Converts a column to texts that the unit `given` reads: integers, and lists of integers or strings as JSON.
    pub fn given(column: &ArrayRef) -> Option<TextColumn> {
        let lists = match column.data_type() {
            DataType::List(_) => column.clone(),
            DataType::LargeList(item) | DataType::FixedSizeList(item, _) => cast(column, &DataType::List(item.clone())).ok()?,
            _ => return TextColumn::written(column),
        };
        let row = |list: Option<ArrayRef>| {
            let Some(items) = list else { return Some(None) };
            let items = TextColumn::written(&items)?;
            let values: Option<Vec<&str>> = (0..items.len()).map(|item| items.get(item)).collect();
            Some(serde_json::to_string(&values?).ok())
        };
        Some(TextColumn::Small(lists.as_list::<i32>().iter().map(row).collect::<Option<StringArray>>()?))
    }

    /// Returns the value of a row, or `None` if it is null or after the end.
    pub fn get(&self, row: usize) -> Option<&str> {
        match self {
            TextColumn::Small(column) => (row < column.len() && column.is_valid(row)).then(|| column.value(row)),
            TextColumn::Large(column) => (row < column.len() && column.is_valid(row)).then(|| column.value(row)),
            TextColumn::View(column) => (row < column.len() && column.is_valid(row)).then(|| column.value(row)),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            TextColumn::Small(column) => column.len(),
            TextColumn::Large(column) => column.len(),
            TextColumn::View(column) => column.len(),
        }
    }

    /// Returns the number of null values.
    pub fn nulls(&self) -> usize {
        match self {
            TextColumn::Small(column) => column.null_count(),
            TextColumn::Large(column) => column.null_count(),
            TextColumn::View(column) => column.null_count(),
        }
    }

    /// Returns the total number of bytes of all values.
    pub fn bytes(&self) -> usize {
        match self {
            TextColumn::Small(column) => (column.offsets()[column.len()] - column.offsets()[0]) as usize,
            TextColumn::Large(column) => (column.offsets()[column.len()] - column.offsets()[0]) as usize,
            TextColumn::View(column) => column.lengths().map(|len| len as usize).sum(),
        }
    }
}
