//! Scheme lines: parsing, printing, and errors.

use neardup_core::Error;
use neardup_core::scheme::Scheme;
use proptest::prelude::*;

const DEFAULT: &str = "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8";

fn read(line: &str) -> Result<Scheme, Error> {
    line.parse()
}

#[test]
fn canonical_lines_print_as_they_are() {
    let table = [
        DEFAULT,
        "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8",
        "words | shingles:5 | whole | prefix:auto | resemblance>=0.8",
        "words | shingles:5 | minhash:auto | bands:auto | resemblance>=0.8",
        "words | shingles:5 | minhash:128 | bands:auto | resemblance>=0.8",
        "eojeol | shingles:3 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "chars | shingles:8 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "segmented | shingles:3 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "jamo | shingles:12 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "bytes | shingles:64 | minhash:1024 | bands:1024x1 | resemblance>=0.05",
        "lines | shingles:1 | minhash:1 | bands:1x1 | resemblance=1",
        "sentences | shingles:1 | whole | prefix:0.5 | resemblance>=0.5",
        "paragraphs | shingles:1 | whole | prefix:1/3 | resemblance>=1/3",
        "words | shingles:5 | whole | prefix:0.7 | resemblance>=0.8",
        "words | shingles:5 | whole | prefix:0.8 | containment>=0.9 & resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 | containment>=0.9",
        "words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.7 & resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 | ~resemblance>=0.7",
        "words | shingles:5 | minhash:96 | bands:16x6 | equal",
        "words | shingles:5 | minhash:84 | bands:6x14 match=2 | equal & resemblance>=0.9",
        "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.5 & resemblance<0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.5 & resemblance<=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 cap=1000 over=drop | resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 match=2 cap=1000 over=star | resemblance>=0.8",
        "words | shingles:5 | minhash:96 seed=7 | bands:16x6 | resemblance>=0.8",
        "words | shingles:5 | minhash:96 seed=18446744073709551615 | bands:16x6 | resemblance>=0.8",
        "words | shingles:5 | minhash:96 seed=file:secrets/one | bands:16x6 | resemblance>=0.8",
        "words | shingles:5 | minhash:96 seed=check:00ff00ff00ff00ff | bands:16x6 | resemblance>=0.8",
        "words | shingles:3 | simhash:64 | blocks:3,double | hamming<=3",
        "words | shingles:3 weight=tf | simhash:128 | blocks:12,nested cap=100 over=star | hamming<=12",
        "words | shingles:1 | projection:384 | blocks:12,auto | agree>=372",
        "words | shingles:1 | projection:384 seed=7 | blocks:30,single | ~cosine>=0.97",
        "words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3 & cosine>=0.9",
        "words | shingles:5 | minhash:84 + projection:384 | bands:6x14 match=2 | equal & agree>=355",
        "words | shingles:5 | minhash:84 + projection:384 of=words weight=tf | bands:6x14 match=2 | equal & agree>=355",
        "chars | shingles:8 weight=tf | simhash:64 + minhash:64 of=lines | blocks:3,single | hamming<=3 & ~resemblance>=0.5",
        "words | keywords:10,ranked weight=tf | digest:md5 + simhash:64 of=words weight=tf | each | equal & hamming<=3",
        "given | shingles:2 | whole + levels:9 of=given | prefix:0.8 | ~containment>=0.5 & resemblance>=0.8",
        "words | shingles:5 | whole + minhash:64 | prefix:0.8 | ~resemblance>=0.7 & resemblance>=0.8",
        "words | shingles:5 | minhash:96 | bands:16x6 + bands:4x12 | resemblance>=0.8",
        "words | shingles:10 hash=rabin | moduli:25 | each cap=1000 over=drop | ~resemblance>=0.5",
        "words | shingles:10 hash=rabin | levels:50 | each | ~containment>=0.9 & containment>=0.9",
        "words | shingles:10 | minima:200 seed=7 | each | ~resemblance>=0.5",
        "words | shingles:10 | supershingles:200,14 | each | equal",
        "words | shingles:10 | levels:50 + minima:100 | each match=2 | ~containment>=0.5 & ~resemblance>=0.5",
        "words | shingles:5 weight=tf hash=rabin | simhash:64 | blocks:3,single | hamming<=3",
        "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.9 ; words | shingles:3 | whole | prefix:0.8 | resemblance>=0.8",
        "words | shingles:5 frame=0.05 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "words | shingles:5 frame=file:out/frame.parquet | whole | prefix:0.8 | resemblance>=0.8",
        "lines | chunks:4 | whole | each match=2 cap=1000 over=drop | equal",
        "bytes | chunks:document | digest:blake3 | each | equal",
        "bytes | abstract:512 | digest:md5 | each | equal",
        "words | shingles:1 | digest:sha1 seed=3 | each | equal",
        "words | shingles:1 | lexicons:10,1/3 | each | equal",
        "words | terms:0,1 | whole | prefix:0.8 | resemblance>=0.8",
        "words | terms:0.1,0.9 weight=idf:corpus | digest:sha1 | each | equal",
        "words | terms:0.1,0.9 weight=idf:out/lexicon.parquet | minhash:96 | bands:16x6 | resemblance>=0.8",
        "words | keywords:10,ranked weight=idf:corpus | digest:md5 | each | equal",
        "words | keywords:5,sorted weight=tf | whole | each match=3 | equal",
        "words | spots:2,1 | whole | lengths:0.44 | resemblance>=0.44",
        "segmented | spots:2,1 antecedents=zh | whole | lengths:auto | resemblance>=0.44",
        "eojeol | spots:1,3 antecedents=ko | whole | lengths:auto | resemblance>=0.44",
        "words | spots:2,1 antecedents=file:lists/mine | minhash:96 | bands:16x6 | resemblance>=0.8",
        "words fold=marks | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "segmented fold=marks+latin+arabic+digits+hyphens+joiners signs=keep | shingles:5 | whole | prefix:0.8 | resemblance>=0.8",
        "lines fold=hyphens | shingles:1 | minhash:1 | bands:1x1 | resemblance=1",
        "code | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
        "code comments=c+html | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
    ];
    for line in table {
        let scheme = read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(scheme.to_string(), line);
        assert_eq!(read(&scheme.to_string()).unwrap(), scheme);
    }
}

#[test]
fn other_spellings_print_canonically() {
    let table = [
        ("  words  |\tshingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8\n", DEFAULT),
        ("words | shingles:5 | minhash:96 | bands:16x6 | resemblance >= .80", DEFAULT),
        ("words | shingles:05 | minhash:96 | bands:16x06 | resemblance>=4/5", DEFAULT),
        ("words | shingles:5 weight=1 | minhash:96 seed=0 | bands:16x6 match=1 | resemblance>=0.8", DEFAULT),
        (
            "words | shingles:5 | minhash:96 | bands:16x6 over=drop cap=10 match=3 | resemblance>=0.8",
            "words | shingles:5 | minhash:96 | bands:16x6 match=3 cap=10 over=drop | resemblance>=0.8",
        ),
        (
            "words | shingles:5 | minhash:96 | bands:16x6 cap=10 | resemblance>=0.8",
            "words | shingles:5 | minhash:96 | bands:16x6 cap=10 over=star | resemblance>=0.8",
        ),
        ("words | shingles:10 hash=mix | supershingles:100 | each | equal", "words | shingles:10 | supershingles:100,14 | each | equal"),
        ("words | shingles:10 | supershingles | each | equal", "words | shingles:10 | supershingles:200,14 | each | equal"),
        ("words | shingles:1 | digest | each | equal", "words | shingles:1 | digest:blake3 | each | equal"),
        ("words | shingles:1 | lexicons | each | equal", "words | shingles:1 | lexicons:10,1/3 | each | equal"),
        ("words | shingles:1 | lexicons:5 | each | equal", "words | shingles:1 | lexicons:5,1/3 | each | equal"),
        ("words | terms | whole | each | equal", "words | terms:0,1 | whole | each | equal"),
        ("words | terms:.25 weight=idf:a | whole | each | equal", "words | terms:0.25,1 weight=idf:a | whole | each | equal"),
        (
            "words | keywords weight=idf:corpus | digest:md5 | each | equal",
            "words | keywords:10,ranked weight=idf:corpus | digest:md5 | each | equal",
        ),
        ("words | spots antecedents=en | whole | each | equal", "words | spots:2,1 | whole | each | equal"),
        ("words | spots:3 | whole | each | equal", "words | spots:3,1 | whole | each | equal"),
        (
            "words signs=keep fold=joiners+marks | shingles:5 | whole | each | equal",
            "words fold=marks+joiners signs=keep | shingles:5 | whole | each | equal",
        ),
        ("code comments=shell+c | shingles:5 | whole | each | equal", "code comments=c+shell | shingles:5 | whole | each | equal"),
    ];
    let table = table.into_iter().chain([
        ("words | shingles:3 | simhash:64 | blocks:3 | hamming<=3", "words | shingles:3 | simhash:64 | blocks:3,auto | hamming<=3"),
        ("words | shingles:1 | projection | blocks:9 | agree>=375", "words | shingles:1 | projection:384 | blocks:9,auto | agree>=375"),
    ]);
    for (written, printed) in table {
        assert_eq!(read(written).unwrap().to_string(), printed, "{written}");
    }
}

/// Returns the default line with its part `number` replaced by `text`.
fn with(number: usize, text: &str) -> String {
    let mut parts: Vec<&str> = DEFAULT.split(" | ").collect();
    parts[number] = text;
    parts.join(" | ")
}

#[test]
fn wrong_lines_are_refused_with_place_and_reason() {
    // Line, column, stage, and parts of the reason.
    let exact = "words | shingles:5 | whole | ";
    let table: Vec<(String, usize, &str, &[&str])> = vec![
        // The line as a whole.
        (String::new(), 1, "pass", &["five stages", "here is none"]),
        ("words".into(), 1, "pass", &["five stages", "here is 1"]),
        ("words | shingles:5 | minhash:96".into(), 1, "pass", &["here are 3"]),
        (format!("{DEFAULT} | equal"), 1, "pass", &["here are 6"]),
        ("words|shingles:5|minhash:96|bands:16x6|resemblance>=0.8".into(), 1, "pass", &["` | ` between them", "here is 1"]),
        (format!("{DEFAULT} ;"), 67, "pass", &["here is none"]),
        (format!("; {DEFAULT}"), 1, "pass", &["here is none"]),
        (format!("{DEFAULT} ; words"), 67, "pass", &["here is 1"]),
        // Missing stages.
        (
            with(0, ""),
            2,
            "tokens",
            &["nothing is written here", "words, eojeol, segmented, chars, jamo, bytes, lines, sentences, paragraphs, code, given"],
        ),
        (with(1, ""), 9, "features", &["nothing is written here", "shingles:W"]),
        (with(2, ""), 22, "signature", &["nothing is written here", "minhash:K, "]),
        (with(3, ""), 35, "keys", &["nothing is written here", "bands:BxR, "]),
        (
            with(4, ""),
            48,
            "measure",
            &["nothing is written here", "resemblance>=NUMBER, containment>=NUMBER, ", "hamming<=NUMBER", "equal"],
        ),
        (with(2, "minhash:96 +"), 35, "signature", &["nothing is written here"]),
        (with(4, "resemblance>=0.8 &"), 67, "measure", &["nothing is written here"]),
        // Names.
        (with(0, "word"), 1, "tokens", &["no `word`", "there are words, eojeol"]),
        (with(0, "Words"), 1, "tokens", &["no `Words`"]),
        (with(0, "문서"), 1, "tokens", &["no `문서`"]),
        (with(1, "shingle:5"), 9, "features", &["no `shingle`", "did you mean shingles:W?", "there are shingles:W"]),
        (with(2, "simhsh:64"), 22, "signature", &["no `simhsh`", "minhash:K, "]),
        (with(3, "block:4"), 35, "keys", &["no `block`", "bands:BxR"]),
        (with(4, "cosin>=0.8"), 48, "measure", &["no `cosin`", "resemblance"]),
        // Arguments.
        (with(0, "words:5"), 1, "tokens", &["takes no argument"]),
        (with(0, "words fold=accents"), 1, "tokens", &["no fold \"accents\"", "marks, latin, arabic, digits, hyphens, joiners"]),
        (with(0, "words fold=marks+marks"), 1, "tokens", &["the fold marks is written twice"]),
        (with(0, "words signs=drop"), 1, "tokens", &["signs= is keep"]),
        (with(0, "chars signs=keep"), 1, "tokens", &["takes fold=, not `signs=`"]),
        (with(0, "bytes fold=marks"), 1, "tokens", &["takes no options, here is `fold=`"]),
        (with(0, "code fold=marks"), 1, "tokens", &["takes comments=, not `fold=`"]),
        (with(0, "words comments=c"), 1, "tokens", &["takes fold=, signs=, not `comments=`"]),
        (with(0, "code comments=python"), 1, "tokens", &["no style of comments \"python\"", "c, shell, sql, html"]),
        (with(1, "shingles"), 9, "features", &["takes 1 argument, here are 0", "shingles:W", "1 to 64"]),
        (with(1, "shingles:"), 9, "features", &["`` is not W", "1 to 64"]),
        (with(1, "shingles:5,6"), 9, "features", &["here are 2"]),
        (with(1, "shingles:0"), 9, "features", &["`0` is not W", "1 to 64"]),
        (with(1, "shingles:65"), 9, "features", &["`65` is not W"]),
        (with(1, "shingles:+5"), 9, "features", &["`+5` is not W"]),
        (with(1, "shingles:5.0"), 9, "features", &["`5.0` is not W"]),
        (with(1, "shingles:auto"), 9, "features", &["`auto` is not W"]),
        (with(1, "shingles:99999999999999999999"), 9, "features", &["is not W"]),
        (with(2, "minhash:0"), 22, "signature", &["`0` is not K", "1 to 1024 or auto"]),
        (with(2, "minhash:1025"), 22, "signature", &["`1025` is not K"]),
        (with(2, "whole:96"), 22, "signature", &["takes no argument"]),
        (with(3, "bands"), 35, "keys", &["takes 1 argument"]),
        (with(3, "bands:16"), 35, "keys", &["`16` is not BxR", "16x6"]),
        (with(3, "bands:0x6"), 35, "keys", &["`0x6` is not BxR"]),
        (with(3, "bands:16x0"), 35, "keys", &["`16x0` is not BxR"]),
        (with(3, "bands:16x6x2"), 35, "keys", &["is not BxR"]),
        (with(3, "bands:16X6"), 35, "keys", &["is not BxR"]),
        (format!("{exact}prefix:0 | resemblance>=0.8"), 30, "keys", &["`0` is not TAU", "above 0"]),
        (format!("{exact}prefix:1.5 | resemblance>=0.8"), 30, "keys", &["`1.5` is not TAU", "at most 1"]),
        (format!("{exact}prefix | resemblance>=0.8"), 30, "keys", &["takes 1 argument", "or auto"]),
        (with(1, "chunks"), 9, "features", &["takes 1 argument", "chunks:N", "1000000 or document"]),
        (with(1, "chunks:0"), 9, "features", &["`0` is not N"]),
        (with(1, "chunks:whole"), 9, "features", &["`whole` is not N", "or document"]),
        (with(1, "abstract:document"), 9, "features", &["`document` is not N"]),
        (with(1, "spots:0"), 9, "features", &["`0` is not C", "1 to 16"]),
        (with(1, "spots:2,0"), 9, "features", &["`0` is not D"]),
        (with(1, "spots:2,1,1"), 9, "features", &["takes 0 to 2 arguments"]),
        (with(1, "terms:0.1,0.9"), 9, "features", &["percentiles are of idf", "weight=idf:corpus"]),
        (with(1, "terms:0.1 weight=tf"), 9, "features", &["percentiles are of idf"]),
        (with(1, "terms:0.9,0.1 weight=idf:corpus"), 9, "features", &["above 0.9 and below 0.1", "lower percentile first"]),
        (with(1, "terms:1.1"), 9, "features", &["`1.1` is not LOW, a number from 0 to 1"]),
        (with(1, "keywords:0 weight=tf"), 9, "features", &["`0` is not N"]),
        (with(1, "keywords:5,any weight=tf"), 9, "features", &["`any` is not ORDER, one of ranked, sorted"]),
        (with(1, "keywords:5"), 9, "features", &["weigh most", "weight=idf:corpus"]),
        ("words | keywords:5 weight=tf | simhash:64 | blocks:3 | hamming<=3".into(), 9, "features", &["not of a few", "write terms"]),
        ("words | shingles:2 weight=tf | digest | each | equal".into(), 32, "signature", &["signs sets"]),
        ("words | shingles:2 weight=tf | lexicons | each | equal".into(), 32, "signature", &["signs sets"]),
        (with(2, "digest:sha2"), 22, "signature", &["`sha2` is not HASH", "blake3, sha1, md5"]),
        (with(2, "lexicons:0"), 22, "signature", &["`0` is not K"]),
        (with(2, "lexicons:10,2"), 22, "signature", &["`2` is not SHARE", "at most 1"]),
        ("words | shingles:1 | lexicons:10,1 | each | equal".into(), 22, "signature", &["leaves every term out", "1/3"]),
        (format!("{exact}lengths:0 | resemblance>=0.8"), 30, "keys", &["`0` is not TAU"]),
        // Options.
        (with(0, "words seed=1"), 1, "tokens", &["takes fold=, signs=, not `seed=`"]),
        (with(2, "minhash:96 cap=9"), 22, "signature", &["takes of=, seed=", "not `cap=`"]),
        (with(2, "minhash:96 seed=-1"), 22, "signature", &["whole number below 2^64", "file:PATH"]),
        (with(2, "minhash:96 seed=file:"), 22, "signature", &["file:PATH"]),
        (with(2, "minhash:96 seed=check:12"), 22, "signature", &["check:VALUE"]),
        (with(2, "minhash:96 seed=1 seed=2"), 22, "signature", &["seed= is written twice"]),
        (with(3, "bands:16x6 match=0"), 35, "keys", &["match= is a whole number from 1"]),
        (with(3, "bands:16x6 match=17"), 35, "keys", &["match=17 can never be met by 16 bands"]),
        (with(3, "bands:64x1 match=32"), 35, "keys", &["every choice of 32 of 64 bands is a key", "at most 65536"]),
        (with(3, "bands:16x6 + bands:8x12 + bands:16x6 cap=9"), 61, "keys", &["`bands:16x6` precedes it", "write one"]),
        (with(3, "bands:16x6 + prefix:0.8"), 48, "keys", &["prefix keys are cut from whole", "first signature is minhash"]),
        ("words | shingles:5 | whole | each match=3 + each match=3 cap=9 | equal".into(), 45, "keys", &["`each match=3` precedes it"]),
        (
            "words | shingles:5 | digest | each match=2 | equal".into(),
            31,
            "keys",
            &["never be met by `digest:blake3`", "has 1 of its values"],
        ),
        ("words | shingles:1 | lexicons:4 | each match=6 | equal".into(), 35, "keys", &["match=6 can never be met", "has 5 of its values"]),
        ("words | shingles:1 | minima:4 | each match=5 | equal".into(), 33, "keys", &["match=5 can never be met", "has 4 of its values"]),
        (
            "words | shingles:1 | supershingles:9,7 | each match=4 | equal".into(),
            42,
            "keys",
            &["match=4 can never be met", "has 3 of its values"],
        ),
        (with(3, "bands:16x6 cap=1"), 35, "keys", &["cap= is a whole number from 2 to 4294967295"]),
        (with(3, "bands:16x6 over=star"), 35, "keys", &["write cap=NUMBER too"]),
        (with(3, "bands:16x6 cap=9 over=skip"), 35, "keys", &["drop", "star"]),
        (with(3, "bands:16x6 fast"), 35, "keys", &["`fast` is no option", "name=value"]),
        (with(1, "shingles:5 frame=1"), 9, "features", &["frame= is a share", "above 0 and below 1", "file:PATH"]),
        (with(1, "shingles:5 frame=file:"), 9, "features", &["frame= is a share"]),
        (with(1, "shingles:5 frame=0.1 hash=rabin"), 9, "features", &["leave hash=rabin out"]),
        (with(1, "shingles:5 weight=2"), 9, "features", &["weight= is 1, tf, idf:corpus or idf:FILE"]),
        (with(1, "shingles:5 weight=tf"), 32, "signature", &["signs sets", "weight=tf"]),
        (with(1, "shingles:5 weight=idf:words.idf"), 43, "signature", &["weight=idf:words.idf"]),
        (format!("{exact}prefix:0.8 match=2 | resemblance>=0.8"), 30, "keys", &["takes cap=, over=", "not `match=`"]),
        (with(1, "spots antecedents=xx"), 9, "features", &["antecedents= is en, ko, zh, de, fr, es or file:PATH"]),
        (with(1, "spots antecedents=file:"), 9, "features", &["file:PATH"]),
        (with(1, "shingles:5 antecedents=en"), 9, "features", &["takes weight=, hash=, frame=, not `antecedents=`"]),
        (format!("{exact}lengths:0.8 match=2 | resemblance>=0.8"), 30, "keys", &["takes cap=, over="]),
        // Tests.
        (with(4, "resemblance"), 48, "measure", &["write resemblance with >=, <=, < or ="]),
        (with(4, "resemblance>0.8"), 48, "measure", &["write resemblance with >="]),
        (with(4, "resemblance>="), 48, "measure", &["`` is not a NUMBER", "as 0.8 or 4/5"]),
        (with(4, "resemblance>=80%"), 48, "measure", &["`80%` is not a NUMBER"]),
        (with(4, "resemblance>=0"), 48, "measure", &["`0` is not a NUMBER", "above 0"]),
        (with(4, "resemblance>=1.01"), 48, "measure", &["at most 1"]),
        (with(4, "~equal"), 48, "measure", &["`equal` is written alone"]),
        (with(4, "equal>=2"), 48, "measure", &["`equal` is written alone"]),
        (with(4, "resemblance<0.8"), 48, "measure", &["requires no similarity"]),
        (with(4, ">=0.8"), 48, "measure", &["there is no ``"]),
        // Stages that cannot work together.
        (with(3, "bands:16x7"), 35, "keys", &["16x7 bands take 112 slots, minhash:96 has 96", "minhash:112"]),
        (with(3, "bands:18446744073709551615x18446744073709551615"), 35, "keys", &["minhash:96 has 96"]),
        ("words | shingles:5 | minhash:auto | bands:64x17 | equal".into(), 37, "keys", &["at most 1024"]),
        (
            with(3, "prefix:0.8"),
            35,
            "keys",
            &["prefix keys are cut from whole, and the first signature is minhash", "keys of minhash: bands:BxR"],
        ),
        (with(2, "whole"), 30, "keys", &["bands keys are cut from minhash", "keys of whole: ", "prefix:TAU"]),
        (with(4, "~hamming<=3"), 48, "measure", &["in any case", "without ~"]),
        (with(4, "hamming<=3"), 48, "measure", &["measured on simhash", "the pass has none"]),
        ("given | bits:64 | given:128 | blocks:3 | hamming<=3".into(), 9, "features", &["made elsewhere", "given:64"]),
        ("words | bits:64 | given:64 | blocks:3 | hamming<=3".into(), 9, "features", &["made elsewhere"]),
        ("given | bits:65 | given:65 | blocks:3 | hamming<=3".into(), 9, "features", &["64 or 128"]),
        ("given | shingles:1 | given:64 | blocks:3 | hamming<=3".into(), 22, "signature", &["given | bits:64"]),
        (with(4, "hamming<=3.5"), 48, "measure", &["`3.5` is not a NUMBER", "whole"]),
        (with(4, "~agree>=3"), 48, "measure", &["in any case", "without ~"]),
        (with(4, "agree>=0"), 48, "measure", &["`0` is not a NUMBER", "from 1 on"]),
        (with(4, "agree>=300"), 48, "measure", &["measured on simhash or projection", "the pass has none"]),
        (with(4, "~cosine>=0.9"), 48, "measure", &["estimated by simhash or projection", "without ~"]),
        ("words | shingles:3 | simhash:65 | blocks:3 | hamming<=3".into(), 22, "signature", &["`65` is not F", "64 or 128"]),
        ("words | shingles:3 | simhash | blocks:3 | hamming<=3".into(), 22, "signature", &["takes 1 argument, here are 0"]),
        (
            "words | shingles:3 | projection:100 | blocks:3 | hamming<=3".into(),
            22,
            "signature",
            &["`100` is not B", "multiple of 64", "1024"],
        ),
        ("words | shingles:3 | projection:1088 | blocks:3 | hamming<=3".into(), 22, "signature", &["`1088` is not B"]),
        ("words | shingles:3 | projection:0 | blocks:3 | hamming<=3".into(), 22, "signature", &["`0` is not B"]),
        (
            "words | shingles:3 | simhash:64 | blocks:3,triple | hamming<=3".into(),
            35,
            "keys",
            &["`triple` is not PLAN", "single, double, nested, auto"],
        ),
        ("words | shingles:3 | simhash:64 | blocks:32 | hamming<=3".into(), 35, "keys", &["`32` is not M", "0 to 31"]),
        ("words | shingles:3 | simhash:64 | blocks:3 match=2 | hamming<=3".into(), 35, "keys", &["takes cap=, over=", "not `match=`"]),
        ("words | shingles:3 | projection | blocks:11 | agree>=372".into(), 35, "keys", &["differ in 12 bits", "write blocks:12"]),
        ("words | shingles:3 | projection | blocks:29 | ~cosine>=0.97".into(), 35, "keys", &["differ in 30 bits", "write blocks:30"]),
        ("words | shingles:3 | simhash:64 | blocks:3 | cosine>=0.97".into(), 35, "keys", &["would be missed", "`~cosine>=NUMBER`"]),
        ("words | shingles:3 | simhash:64 | blocks:3 | hamming>=3".into(), 35, "keys", &["would be missed", "hamming<=NUMBER"]),
        ("words | shingles:3 | simhash:64 | blocks:3 | hamming<=4".into(), 35, "keys", &["blocks:3 misses", "blocks:4"]),
        (format!("{exact}prefix:0.8 | containment>=0.8"), 30, "keys", &["would be missed", "add `resemblance>=NUMBER`"]),
        (format!("{exact}prefix:auto | containment>=0.8"), 30, "keys", &["would be missed"]),
        (format!("{exact}prefix:0.8 | equal"), 30, "keys", &["would be missed"]),
        (format!("{exact}lengths:0.8 | equal"), 30, "keys", &["lengths keys meet only at a resemblance", "would be missed"]),
        (format!("{exact}lengths:0.9 | resemblance>=0.8"), 30, "keys", &["lengths:0.9 misses pairs of resemblance 0.8", "lengths:auto"]),
        ("lines | spots | whole | each | equal".into(), 9, "features", &["found between words, not between lines"]),
        ("words | shingles:1 | lexicons | prefix:0.8 | resemblance>=0.8".into(), 33, "keys", &["cut from whole", "keys of lexicons: each"]),
        (format!("{exact}prefix:0.9 | resemblance>=0.8"), 30, "keys", &["prefix:0.9 misses pairs of resemblance 0.8", "prefix:auto"]),
        (format!("{exact}prefix:0.8 | ~resemblance>=0.8 & resemblance>=0.8"), 43, "measure", &["estimated by minhash", "without ~"]),
        (with(4, "~containment>=0.8"), 48, "measure", &["~containment is estimated by moduli or levels, and the pass has none"]),
        (with(1, "shingles:5 hash=md5"), 9, "features", &["hash= is mix (64 bits) or rabin (40 bits"]),
        (with(2, "minhash:96 hash=rabin"), 22, "signature", &["takes of=, seed=", "not `hash=`"]),
        ("words | shingles:5 | minima:0 | each | equal".into(), 22, "signature", &["`0` is not S", "1 to 65536"]),
        ("words | shingles:5 | moduli | each | equal".into(), 22, "signature", &["takes 1 argument", "moduli:M"]),
        ("words | shingles:5 | levels:auto | each | equal".into(), 22, "signature", &["`auto` is not N"]),
        ("words | shingles:5 | supershingles:200,14,3 | each | equal".into(), 22, "signature", &["0 to 2 arguments", "here are 3"]),
        ("words | shingles:5 | supershingles:9 | each | equal".into(), 22, "signature", &["9 minima have no run of 14", "W from 1 to 9"]),
        ("words | shingles:5 weight=tf | moduli:9 | each | equal".into(), 32, "signature", &["signs sets"]),
        (
            "words | shingles:5 | moduli:9 | bands:3x3 | equal".into(),
            33,
            "keys",
            &["bands keys are cut from minhash, and the first signature is moduli", "keys of moduli: each"],
        ),
        (
            "words | shingles:5 | minima:9 | each | ~containment>=0.5".into(),
            40,
            "measure",
            &["~containment is estimated by moduli or levels, and the pass has none"],
        ),
        ("words | shingles:5 | supershingles | each | ~resemblance>=0.5".into(), 45, "measure", &["estimated by minhash or minima"]),
        ("words | shingles:5 | whole + supershingles | each | equal".into(), 30, "signature", &["nothing uses it"]),
        (with(2, "minhash:96 + whole"), 35, "signature", &["nothing uses it"]),
        (with(2, "minhash:96 + minhash:64"), 35, "signature", &["nothing uses it"]),
        (
            "words | shingles:5 | whole + minhash:auto | prefix:0.8 | ~resemblance>=0.8 & resemblance>=0.8".into(),
            30,
            "signature",
            &["write a number"],
        ),
        (
            "words | shingles:5 | whole + minhash:9 seed=1 | prefix:0.8 | ~resemblance>=0.8 & resemblance>=0.8".into(),
            30,
            "signature",
            &["one seed"],
        ),
        (with(2, "minhash:96 of=words"), 22, "signature", &["write of= at a signature after the first"]),
        (with(2, "minhash:96 weight=tf"), 22, "signature", &["takes of=, seed=", "not `weight=`"]),
        (
            "words | shingles:3 | simhash:64 weight=tf | blocks:3 | hamming<=3".into(),
            22,
            "signature",
            &["the features of the pass, which carry their own weight", "of=UNIT weight=tf"],
        ),
        (
            "words | shingles:3 | minhash:20 + simhash:64 of=word | bands:4x5 | hamming<=3".into(),
            35,
            "signature",
            &["of= is a unit: words, eojeol"],
        ),
        (
            "words | shingles:3 | minhash:20 + simhash:64 of=words weight=idf:corpus | bands:4x5 | hamming<=3".into(),
            35,
            "signature",
            &["weighs 1 or tf"],
        ),
        (
            "words | shingles:3 | minhash:20 + simhash:64 of=given | bands:4x5 | hamming<=3".into(),
            35,
            "signature",
            &["those of the pass are `words`"],
        ),
        ("given | bits:64 | given:64 + simhash:64 of=given | blocks:3 | hamming<=3 & ~cosine>=0.5".into(), 30, "signature", &["no tokens"]),
        (
            "words | shingles:3 | simhash:64 + simhash:64 of=words | blocks:3 | hamming<=3".into(),
            35,
            "signature",
            &["nothing uses it", "`hamming<=3` is measured on `simhash:64`"],
        ),
        // The second pass is placed in the same line.
        (format!("{DEFAULT} ; {}", with(1, "shingles:0")), 75, "features", &["`0` is not W"]),
    ];
    let mut wrong = Vec::new();
    for (line, column, stage, parts) in table {
        let message = read(&line).map_or_else(|error| error.to_string(), |_| "it is read".to_owned());
        let placed = message.starts_with(&format!("scheme, column {column}, {stage} `"));
        if !placed || !parts.iter().all(|part| message.contains(part)) {
            wrong.push(format!("{line}\n  {message}\n  wanted: column {column}, {stage}, {parts:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn columns_count_characters() {
    let Err(error) = read("wörter | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8") else { panic!("read") };
    assert!(error.to_string().starts_with("scheme, column 1, tokens `wörter`"));
    let Err(error) = read("words | shingles:5 | minhash:96 seed=file:é | bands:16x7 | equal") else { panic!("read") };
    assert!(error.to_string().starts_with("scheme, column 47, keys `bands:16x7`"), "{error}");
}

fn stage() -> impl Strategy<Value = String> {
    let names = "words|shingles|minhash|whole|bands|prefix|resemblance|containment|equal|~|auto";
    let name = proptest::sample::select(names.split('|').map(str::to_owned).collect::<Vec<_>>());
    let tail = proptest::sample::select(vec!["", ":5", ":auto", ":16x6", ":0.8", ">=0.8", "<1", " seed=3", " cap=5", ":", "=", " x", ","]);
    (name, tail).prop_map(|(name, tail)| name + tail)
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(line in ".{0,80}") {
        let _ = read(&line);
    }

    #[test]
    fn a_parsed_line_prints_to_the_same_scheme(
        stages in proptest::collection::vec(stage(), 1..9), separators in proptest::collection::vec(proptest::sample::select(vec![" | ", " + ", " & ", " ; "]), 9),
    ) {
        let line: String = stages.iter().zip(separators).flat_map(|(stage, separator)| [stage.clone(), separator.to_owned()]).collect();
        match read(&line) {
            Ok(scheme) => prop_assert_eq!(read(&scheme.to_string()).unwrap(), scheme),
            Err(Error::Scheme { column, .. }) => prop_assert!(column >= 1 && column <= line.chars().count() + 2),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn well_formed_lines_are_read(
        w in 1u64..=64, b in 1u64..=32, r in 1u64..=32, spare in 0u64..8, number in 1u64..=1000, cap in 2u64..1_000_000, seed in any::<u64>(),
    ) {
        let slots = (b * r + spare).min(1024);
        let line = format!("chars | shingles:{w} | minhash:{slots} seed={seed} | bands:{b}x{r} cap={cap} | resemblance>={number}/1000");
        let scheme = read(&line).unwrap();
        prop_assert_eq!(read(&scheme.to_string()).unwrap(), scheme);
    }
}
