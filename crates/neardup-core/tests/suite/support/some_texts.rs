//! Texts in a list.

use neardup_core::candidates::texts::TextAccess;
use neardup_text::Text;

/// Texts by the numbers of their documents.
pub struct SomeTexts(pub Vec<String>);

impl TextAccess for SomeTexts {
    fn text<'b>(&'b self, place: u32, _: &'b mut Vec<u8>) -> neardup_core::Result<Text<'b>> {
        Ok(Text::Plain(self.0[place as usize].as_bytes()))
    }
}
