//! A ruler: places of a text in bytes as places in code points, looked up in any order.

/// Bytes between two marks.
const STEP: usize = 256;

/// How many code points begin before each place of a text.
pub struct Ruler<'a> {
    text: &'a [u8],
    marks: Vec<u32>,
}

impl<'a> Ruler<'a> {
    /// The ruler of a text.
    pub fn new(text: &'a str) -> Self {
        let mut sum = 0;
        let mark = |block: &[u8]| {
            let before = sum;
            sum += count(block);
            before
        };
        Ruler { text: text.as_bytes(), marks: text.as_bytes().chunks(STEP).map(mark).collect() }
    }

    /// The place of a byte in code points; the end of the text has one, too.
    pub fn chars(&self, byte: usize) -> u32 {
        let block = (byte / STEP).min(self.marks.len().saturating_sub(1));
        self.marks.get(block).copied().unwrap_or(0) + count(&self.text[block * STEP..byte])
    }
}

/// Code points that begin in some bytes of UTF-8.
fn count(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_counted() {
        for text in ["", "a", &"a".repeat(STEP), &"가".repeat(300), &format!("{}é👩{}", "x".repeat(STEP - 1), "한".repeat(200))] {
            let ruler = Ruler::new(text);
            for (chars, (byte, _)) in text.char_indices().chain([(text.len(), ' ')]).enumerate() {
                assert_eq!(ruler.chars(byte), chars as u32);
            }
        }
    }
}
