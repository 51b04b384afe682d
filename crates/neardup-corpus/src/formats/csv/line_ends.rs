use memchr::memchr_iter;

/// Counts line ends in consecutive pieces of a text: line feeds, carriage returns, and both as one.
#[derive(Default)]
pub(super) struct LineEnds {
    /// Whether the last piece ended with a carriage return, which was counted.
    after_return: bool,
}

impl LineEnds {
    /// Returns the number of line ends in the next piece. A carriage return at its end counts at once.
    pub fn count(&mut self, piece: &[u8]) -> u64 {
        let Some(last) = piece.last() else { return 0 };
        let is_second = self.after_return && piece[0] == b'\n';
        let feeds = memchr_iter(b'\n', piece).count();
        let returns = memchr_iter(b'\r', piece).filter(|at| piece.get(at + 1) != Some(&b'\n')).count();
        self.after_return = *last == b'\r';
        (feeds + returns - usize::from(is_second)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_every_kind_in_any_pieces() {
        for (text, want) in [("", 0), ("a", 0), ("a\n\nb", 2), ("a\r\nb\r\n", 2), ("\r\r\n\n\r", 4), ("\n\r", 2)] {
            for size in 1..=text.len().max(1) {
                let mut ends = LineEnds::default();
                let counted: u64 = text.as_bytes().chunks(size).map(|piece| ends.count(piece)).sum();
                assert_eq!(counted, want, "{text:?} {size}");
            }
        }
    }
}
