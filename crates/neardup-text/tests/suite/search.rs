//! Terms for search engines: they must find exactly the same as a direct search through the words.

use crate::oracle;
use neardup_text::{SearchTerm, Unit, query_terms, search_terms};
use proptest::prelude::*;

const LONGEST: usize = 255;

/// Returns the word and its parts, cut by the definition.
fn cut(word: &str) -> SearchTerm {
    let letters: Vec<char> = word.chars().collect();
    let short = |run: &[char]| run.iter().take(LONGEST).collect::<String>();
    let mut parts = vec![];
    for run in letters.chunk_by(|&a, &b| oracle::search_run(a) == oracle::search_run(b)) {
        if oracle::search_run(run[0]) == "whole" {
            parts.push(short(run));
        } else {
            parts.extend((0..run.len()).map(|at| run[at..run.len().min(at + 2)].iter().collect::<String>()));
        }
    }
    SearchTerm { word: short(&letters), parts: parts.join(" "), open: false }
}

/// Returns whether a phrase search for the parts of the term finds it in the words of a document.
fn finds(term: &SearchTerm, document: &[SearchTerm]) -> bool {
    let wanted: Vec<&str> = term.parts.split(' ').collect();
    let (last, front) = wanted.split_last().unwrap();
    document.iter().any(|word| {
        let parts: Vec<&str> = word.parts.split(' ').collect();
        parts.windows(wanted.len()).any(|window| {
            let (end, start) = window.split_last().unwrap();
            start == front && if term.open { end.starts_with(last) } else { end == last }
        })
    })
}

/// Returns whether `word` contains `piece` without cutting a run that must stay whole.
fn occurs_in(piece: &str, word: &str) -> bool {
    let (piece, word): (Vec<char>, Vec<char>) = (piece.chars().collect(), word.chars().collect());
    let is_cut = |at: usize| at > 0 && at < word.len() && [word[at - 1], word[at]].iter().all(|&c| oracle::search_run(c) == "whole");
    (0..=word.len().saturating_sub(piece.len())).any(|at| word[at..].starts_with(&piece) && !is_cut(at) && !is_cut(at + piece.len()))
}

fn check(document: &str, query: &str) {
    let terms = search_terms(document);
    let words = oracle::tokens(Unit::Eojeol.into(), document);
    assert_eq!(terms, words.iter().map(|word| cut(word)).collect::<Vec<_>>(), "{document:?}");
    let terms_of_query = query_terms(query);
    let pieces = oracle::tokens(Unit::Eojeol.into(), query);
    assert_eq!(terms_of_query.iter().map(|term| &term.word).collect::<Vec<_>>(), pieces.iter().collect::<Vec<_>>());
    for (term, piece) in terms_of_query.iter().zip(pieces) {
        let expected = words.iter().any(|word| occurs_in(&piece, word));
        assert_eq!(finds(term, &terms), expected, "{piece:?} in {document:?}");
    }
}

fn written(terms: &[SearchTerm]) -> String {
    let each = terms.iter().map(|term| format!("{}={}{}", term.word, term.parts, if term.open { "*" } else { "" }));
    each.collect::<Vec<_>>().join(", ")
}

#[test]
fn documents_are_cut_into_terms() {
    for (text, expected) in [
        ("", ""),
        (" ...!\0", ""),
        ("The Dog's bowl_2", "the=the, dog=dog, s=s, bowl_2=bowl_2"),
        ("학교에서", "학교에서=학교 교에 에서 서"),
        ("图书馆。图 书", "图书馆=图书 书馆 馆, 图=图, 书=书"),
        ("2024년 5月份", "2024년=2024 년, 5月份=5 月份 份"),
        ("美대통령", "美대통령=美 대통 통령 령"),
        ("E\u{301}cole か\u{3099}き", "école=école, がき=がき き"),
    ] {
        assert_eq!(written(&search_terms(text)), expected, "{text:?}");
    }
}

#[test]
fn queries_are_cut_into_terms() {
    for (query, expected) in [
        ("", ""),
        ("The dog", "the=the, dog=dog"),
        ("학교", "학교=학교"),
        ("图书馆", "图书馆=图书 书馆"),
        ("책", "책=책*"),
        ("2024년", "2024년=2024 년*"),
        ("서울大學", "서울大學=서울 울 大學"),
        ("月5", "月5=月 5"),
    ] {
        assert_eq!(written(&query_terms(query)), expected, "{query:?}");
    }
}

#[test]
fn queries_find_words_and_their_parts() {
    for (query, document, expected) in [
        ("학교", "나는 학교에서 왔다", true),
        ("图书", "国家图书馆", true),
        ("馆", "图书馆", true),
        ("图书馆", "图书 书馆", false),
        ("图书", "图 书", false),
        ("iPhone", "새 iphone을 샀다", true),
        ("phone", "새 iphone을 샀다", false),
        ("2024년", "2024년에는", true),
        ("제3회", "올제3회가", true),
        ("app", "apple", false),
    ] {
        check(document, query);
        let document = search_terms(document);
        assert_eq!(query_terms(query).iter().all(|term| finds(term, &document)), expected, "{query}");
    }
}

#[test]
fn long_words_are_cut_to_their_beginning() {
    let [long, longer] = [255, 300].map(|length| "b".repeat(length));
    assert_eq!(search_terms(&longer), search_terms(&long));
    let chinese = "图书".repeat(200);
    let [term] = search_terms(&chinese).try_into().unwrap();
    assert_eq!((term.word.chars().count(), term.parts.split(' ').count()), (255, 400));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_of_words_are_found_as_by_definition(document in "[가나 图书あ1a_.Σ한\u{301}]{0,24}", from in 0usize..24, length in 1usize..8) {
        let query: String = document.chars().skip(from).take(length).collect();
        check(&document, &query);
    }

    #[test]
    fn texts_of_small_alphabets_are_found_as_by_definition(document in "[가나图a ]{0,16}", query in "[가나图a]{1,4}") {
        check(&document, &query);
    }

    #[test]
    fn any_strings_are_found_as_by_definition(document in any::<String>(), query in any::<String>()) {
        check(&document, &query);
    }
}
