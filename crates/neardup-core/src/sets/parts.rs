//! Parts: the signatures of a document as its sketch stores them, one after another.
//!
//! A part is one word with its length and level, followed by its values.

/// One signature as a sketch stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SketchPart<'a> {
    /// The level of a bounded sample; 0 for every other signature.
    pub level: u32,
    /// The values; the signature defines their meaning and order.
    pub values: &'a [u64],
}

impl<'a> SketchPart<'a> {
    /// Appends the part to `out`.
    pub fn append(self, out: &mut Vec<u64>) {
        out.push(u64::from(self.level) << 32 | self.values.len() as u64);
        out.extend_from_slice(self.values);
    }

    /// Appends a part of level 0 whose values `fill` appends.
    pub fn append_filled(out: &mut Vec<u64>, fill: impl FnOnce(&mut Vec<u64>)) {
        let head = out.len();
        out.push(0);
        fill(out);
        out[head] = (out.len() - head - 1) as u64;
    }

    /// Returns every part in `words`, up to the first incomplete one.
    pub fn all(mut words: &'a [u64]) -> impl Iterator<Item = SketchPart<'a>> {
        std::iter::from_fn(move || {
            let (&head, rest) = words.split_first()?;
            let (values, behind) = rest.split_at_checked(head as u32 as usize)?;
            words = behind;
            Some(SketchPart { level: (head >> 32) as u32, values })
        })
    }

    /// Returns part number `index` in `words`; an empty part if there are fewer.
    #[inline]
    pub fn nth(words: &'a [u64], index: usize) -> SketchPart<'a> {
        SketchPart::all(words).nth(index).unwrap_or(SketchPart { level: 0, values: &[] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_one_after_another() {
        let mut words = Vec::new();
        let parts = [
            SketchPart { level: 0, values: &[7, 8][..] },
            SketchPart { level: 3, values: &[] },
            SketchPart { level: 9, values: &[u64::MAX] },
        ];
        parts.iter().for_each(|part| part.append(&mut words));
        let mut filled = Vec::new();
        SketchPart::append_filled(&mut filled, |out| out.extend([7, 8]));
        assert_eq!(filled, words[..3]);
        assert_eq!(SketchPart::all(&words).collect::<Vec<_>>(), parts);
        assert_eq!(SketchPart::nth(&words, 2), parts[2]);
        assert!(SketchPart::nth(&words, 3).values.is_empty());
    }
}
