//! Spots: places in running text, each a frequent word and the content after it (Theobald, Siddharth, Paepcke 2008).

use super::antecedents::{Antecedents, TokenRole};
use super::tag;
use neardup_text::fingerprint;
use neardup_text::simd::Level;
use std::sync::Arc;

/// The longest chain, in tokens.
pub const LONGEST: usize = 16;

/// Spots a(d, c): an antecedent a with its chain, which is every d-th of the tokens after it that are not stop words, c
/// in all. Running text has many spots; menus and notices have few. A chain that the end of the text cuts off makes no
/// spot.
///
/// Texts are compared by the bags of their spots: the sum of the lesser counts divided by the sum of the greater. Here
/// the second, third, ... occurrence of a spot is a separate feature. So the bag is a set, and the resemblance of the
/// sets is that of the bags.
#[derive(Clone, Debug)]
pub struct Spots {
    /// The words at which spots begin, and those that chains skip.
    pub antecedents: Arc<Antecedents>,
    /// c, 1 to [`LONGEST`].
    pub chain: usize,
    /// d, at least 1.
    pub distance: usize,
}

impl Spots {
    /// Appends one 64-bit feature for each spot, all distinct, not in text order.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        let start = out.len();
        let mut content = Vec::with_capacity(tokens.len());
        let mut places = Vec::new();
        for &token in tokens {
            match self.antecedents.role(token) {
                TokenRole::Content => content.push(token),
                TokenRole::Stop => {}
                TokenRole::Antecedent => places.push((token, content.len())),
            }
        }
        let mut spot = [0; LONGEST + 1];
        for (antecedent, behind) in places {
            // The last token of the chain is c * d content tokens after the antecedent.
            let Some(following) = content.get(behind..behind + self.chain * self.distance) else { break };
            spot[0] = antecedent;
            let chain = following.iter().skip(self.distance - 1).step_by(self.distance);
            spot[1..].iter_mut().zip(chain).for_each(|(place, &token)| *place = token);
            fingerprint::shingles_on(level, &spot[..=self.chain], self.chain + 1, out);
        }
        out[start..].sort_unstable();
        tag_repeats(&mut out[start..]);
    }
}

/// Replaces every value except the first in each run of equal values by a new one, which depends on its place in the run.
fn tag_repeats(sorted: &mut [u64]) {
    for run in sorted.chunk_by_mut(|left, right| left == right) {
        (1..).zip(&mut run[1..]).for_each(|(time, spot)| *spot = tag(*spot, time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::antecedents::LANGUAGES;
    use neardup_text::{Text, Tokeniser, Unit};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn spots(language: &str, chain: usize, distance: usize) -> Spots {
        let list = LANGUAGES.iter().find(|listed| listed.0 == language).unwrap().1;
        Spots { antecedents: Arc::new(Antecedents::read(list, Unit::Words.into(), 0, false).unwrap()), chain, distance }
    }

    fn extract(spots: &Spots, tokens: &[u64]) -> Vec<u64> {
        let mut out = Vec::new();
        spots.extract(Level::best(), tokens, &mut out);
        out
    }

    fn tokens(text: &str) -> Vec<u64> {
        Tokeniser::new(Unit::Words, 0).tokens(Text::Plain(text.as_bytes())).to_vec()
    }

    fn fingerprint(spot: &[u64]) -> u64 {
        let mut out = Vec::new();
        fingerprint::shingles(spot, spot.len(), &mut out);
        out[0]
    }

    /// The bag of spots, found separately for each antecedent by looking ahead for the tokens of its chain.
    fn slow(spots: &Spots, tokens: &[u64]) -> BTreeMap<u64, u64> {
        let mut bag = BTreeMap::new();
        for (at, &antecedent) in tokens.iter().enumerate() {
            if spots.antecedents.role(antecedent) != TokenRole::Antecedent {
                continue;
            }
            let mut spot = vec![antecedent];
            let content = tokens[at + 1..].iter().filter(|token| spots.antecedents.role(**token) == TokenRole::Content);
            for (number, &token) in (1..).zip(content) {
                if number % spots.distance == 0 && spot.len() <= spots.chain {
                    spot.push(token);
                }
            }
            if spot.len() == spots.chain + 1 {
                *bag.entry(fingerprint(&spot)).or_insert(0) += 1;
            }
        }
        bag
    }

    #[test]
    fn chains_leave_stop_words_out() {
        // As in the paper's example: antecedents, each with the next two content words.
        let text = "At a meeting by the harbour it was agreed that the old bridge is to be painted green and that a ferry waits.";
        let expected = ["a meeting harbour", "the harbour agreed", "was agreed old", "that old bridge", "the old bridge"];
        let expected = expected.into_iter().chain(["is painted green", "that ferry waits", "a ferry waits"]);
        let mut expected: Vec<u64> = expected.map(|spot| fingerprint(&tokens(spot))).collect();
        expected.sort_unstable();
        assert_eq!(extract(&spots("en", 2, 1), &tokens(text)), expected);
        // Every second content word, and a chain of one.
        assert_eq!(extract(&spots("en", 2, 2), &tokens("the red boat sails far")), [fingerprint(&tokens("the boat far"))]);
        assert!(extract(&spots("en", 1, 1), &tokens("the of")).is_empty());
    }

    #[test]
    fn every_language_has_spots() {
        for (language, text) in [
            ("en", "The museum opened a new hall, and there visitors find paintings of the old town."),
            ("ko", "이 박물관은 새 전시실을 열었고 그 방문객들은 오래된 도시의 그림을 본다. 모든 학생은 무료로 들어간다."),
            ("zh", "这个博物馆开放新展厅，我们可以看到古城绘画，因为学生免费参观。"),
            ("de", "Das Museum öffnete einen neuen Saal, und die Besucher sehen Bilder der alten Stadt."),
            ("fr", "Le musée ouvre une nouvelle salle, et les visiteurs voient des tableaux anciens."),
            ("es", "El museo abre una sala nueva, y los visitantes ven cuadros antiguos."),
        ] {
            let found = extract(&spots(language, 2, 1), &tokens(text));
            assert!(found.len() >= 2, "{language}: {} spots", found.len());
            for nothing in ["", "!?", "museum", "박물관", "馆"] {
                assert!(extract(&spots(language, 2, 1), &tokens(nothing)).is_empty(), "{nothing}");
            }
        }
    }

    proptest! {
        #[test]
        fn resemblance_of_the_sets_is_that_of_the_bags(
            left in "(the |is |of |[a-f] ){0,60}", right in "(the |is |of |[a-f] ){0,60}", chain in 1usize..4, distance in 1usize..4,
        ) {
            let spots = spots("en", chain, distance);
            let [left, right] = [left, right].map(|text| tokens(&text));
            let [l, r] = [&left, &right].map(|tokens| extract(&spots, tokens).into_iter().collect::<BTreeSet<u64>>());
            let [bag_l, bag_r] = [&left, &right].map(|tokens| slow(&spots, tokens));
            let count = |bag: &BTreeMap<u64, u64>, spot: &u64| bag.get(spot).copied().unwrap_or(0);
            let all: BTreeSet<u64> = bag_l.keys().chain(bag_r.keys()).copied().collect();
            let lesser: u64 = all.iter().map(|spot| count(&bag_l, spot).min(count(&bag_r, spot))).sum();
            let greater: u64 = all.iter().map(|spot| count(&bag_l, spot).max(count(&bag_r, spot))).sum();
            prop_assert_eq!(l.intersection(&r).count() as u64, lesser);
            prop_assert_eq!(l.union(&r).count() as u64, greater);
            prop_assert_eq!(extract(&spots, &left).len(), l.len());
        }
    }
}
