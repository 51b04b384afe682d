//! The report page: its figures are right, texts are escaped, and its size stays within the cap.

use std::collections::BTreeMap;

use crate::html::{assert_loads_nothing, attributes, texts, valid};
use neardup_report::*;

/// A table of clusters that are also the leader groups, as in `dedup`.
const TABLE: ClusterTable = ClusterTable {
    documents: 105_809,
    clusters: 5_312,
    identical_clusters: 3_000,
    identical_documents: 9_000,
    mixed_clusters: 2_312,
    mixed_documents: 30_901,
};

fn report() -> Report {
    let mut histogram = Histogram::default();
    histogram.accept(Fraction { numerator: 9, denominator: 10 });
    histogram.reject(Fraction { numerator: 7, denominator: 10 });
    Report {
        job: ReportedJob::Dedup,
        command: "neardup dedup a.jsonl".into(),
        version: "0.1.0".into(),
        scheme: "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8".into(),
        condition: "resemblance>=0.8".into(),
        threshold: "0.8".into(),
        features: "shingles".into(),
        recall: bands(16, 6, 1),
        digest: "d1ge57".into(),
        verified: true,
        counts: Counts {
            documents: 105_809,
            kept: 71_220,
            identical: 20_000,
            lexical: 4_000,
            shingles: 500,
            near: 10_089,
            originals: 0,
            blank: 12,
            short: 34,
            thin: 56,
            rejected: 0,
            reference: 0,
        },
        notes: vec!["9 of 10 have <no> features".into()],
        table: TABLE,
        leader_groups: TABLE,
        phases: vec![Phase { name: "sign".into(), seconds: 0.2, work: PhaseWork::Bytes(285_000_000) }],
        inputs: vec![InputFile { name: "a.jsonl".into(), documents: 105_809, kept: 71_220 }],
        groups: vec![ReportedGroup { name: "<b>u1".into(), documents: 1_234, dropped: Some(34), pairs: None }],
        hosts: vec![],
        all_hosts: 0,
        histogram,
        sizes: BTreeMap::from([(2, 5_000), (40, 312)]),
        steps: vec![],
        largest: vec![],
        riskiest: vec![],
        rejected: vec![],
        capped: vec![],
    }
}

fn bands(bands: u64, rows: u64, least: u64) -> Recall {
    let chance = Chance { keys: KeyRequirement::Bands { bands, rows, least }, at_threshold: Some(0.9923) };
    Recall {
        promise: "pairs are found".into(),
        certificate: None,
        estimated: false,
        chance: Some(chance),
        curve: vec![(0.0, 0.0), (0.8, 0.9923), (1.0, 1.0)],
    }
}

fn document(id: &str, text: &str) -> ShownDocument {
    ShownDocument { id: Some(id.into()), source: "a.jsonl".into(), row: 7, text: text.into(), bytes: text.len() as u64 }
}

fn near() -> Evidence {
    Evidence { rule: Some(Rule::Near), shared: 90, left_size: 95, right_size: 96, decided: None }
}

fn cluster(left: &str, right: &str) -> Cluster {
    let member = ClusterMember { document: document("m", right), evidence: near() };
    Cluster { leader: document("l", left), size: 2, members: vec![member] }
}

fn page(report: &Report) -> String {
    valid(render(report, &PageLimits::default()).unwrap())
}

#[test]
fn figures_appear() {
    let page = page(&report());
    assert_eq!(texts(&page, "h1"), ["105,809 documents: 71,220 kept, 34,589 dropped, every one checked against a kept document."]);
    assert_eq!(texts(&page, ".cards b")[..4], ["105,809", "71,220", "34,589", "5,312"]);
    assert_eq!(texts(&page, "#recall b"), ["0.9923"]);
    assert_eq!(texts(&page, ".groups td"), ["<b>u1", "1,234", "34", ""]);
    assert!(page.contains("1.43 GB/s") && page.contains("d1ge57") && page.contains("bands:16x6"));
    assert!(page.contains("32.7 %"));
    assert!(texts(&page, ".aside")[0].contains("56 documents have samples of fewer than 8 values: their estimates are unreliable."));
    assert!(texts(&page, ".aside")[0].contains("9 of 10 have <no> features."));
    assert_eq!(texts(&page, "#recall .promise title"), ["0.9923 at 0.8"]);
    assert_eq!(texts(&page, "#scores rect title"), ["0.90 to 0.91: 1 verified", "0.70 to 0.71: 1 rejected"]);
    assert_eq!(texts(&page, "#clusters .dot title"), ["5,000 of 2 documents", "312 of 40 documents"]);
}

#[test]
fn clusters_and_leader_groups_are_distinguished() {
    let mut report = report();
    report.job = ReportedJob::Cluster;
    report.leader_groups = ClusterTable { clusters: 6_000, mixed_clusters: 2_900, ..report.table };
    report.largest = vec![cluster("a", "b")];
    report.riskiest = vec![cluster("a", "b")];
    let clustered = page(&report);
    assert_eq!(texts(&clustered, "h1"), ["105,809 documents: 5,312 clusters holding 39,901 of them, the largest 40."]);
    assert!(texts(&clustered, "#clusters p")[0].starts_with("5,312 clusters, the largest of 40 documents;"));
    assert_eq!(texts(&clustered, "#largest h2"), ["Largest leader groups"]);
    assert!(texts(&clustered, "#largest .note")[0].starts_with("1 of 6,000 leader groups shown"));
    assert!(texts(&clustered, "#riskiest .note")[0].starts_with("1 of 2,900 mixed leader groups shown"));
    report.job = ReportedJob::Dedup;
    let decided = page(&report);
    assert_eq!(texts(&decided, "#largest h2"), ["Largest clusters"]);
    assert!(!decided.contains("leader group"));
    report.job = ReportedJob::Cluster;
    report.counts.reference = 3;
    assert!(texts(&page(&report), "h1")[0].contains("clusters holding 39,901 with those of the reference, the largest 40"));
}

#[test]
fn every_threshold_can_be_chosen() {
    let mut report = report();
    assert!(!page(&report).contains("thresholds"));
    report.job = ReportedJob::Cluster;
    let step = |threshold: &str, clusters, clustered, largest| ThresholdStep {
        threshold: threshold.into(),
        clusters,
        clustered,
        largest,
        sizes: [vec![clusters - 1], vec![0; 12], vec![1], vec![0; 18]].concat(),
    };
    report.steps = vec![step("0.8", 1_205, 70_000, 9_000), step("0.9", 1_100, 35_000, 8_500), step("1", 700, 12_345, 8_200)];
    let page = page(&report);
    let of = |name| attributes(&page, ".steps input[type=radio]", name);
    assert_eq!(of("aria-label"), ["0.8", "0.9", "1"]);
    assert_eq!(of("checked").len(), 1);
    assert_eq!(texts(&page, ".figures b")[4..8], ["0.9", "1,100", "35,000", "8,500"]);
    // All sizes above 1,024 are on the last bar.
    assert_eq!(texts(&page, ".spread small")[9..11], ["–1,024", "1,025+"]);
    assert_eq!(texts(&page, ".spread em")[..11].join(" ").trim(), "1,204          1");
    assert!(page.contains(r#"style="height:50.00%""#));
    assert_runs_nothing(&page);
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    let page = page(&report());
    assert!(page.starts_with("<!DOCTYPE html>"));
    let policy = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;";
    assert!(page.contains(&policy.replace("&#39;", "'")));
    assert_runs_nothing(&page);
}

fn assert_runs_nothing(page: &str) {
    assert_loads_nothing(page);
    assert!(!page.contains("src="));
}

#[test]
fn hostile_texts_stay_texts() {
    let evil = "</div></details><script>alert(1)</script><!--list--><img src=x onerror='a()' \"q\">{{ 7*7 }}{% raw %}\0\u{202e}\u{2066}\u{feff}\u{fffe}";
    let mut report = report();
    let name = |text: &str| ShownDocument { id: Some(evil.into()), source: evil.into(), row: 1, text: text.into(), bytes: 9 };
    let pair = ShownPair { left: name(evil), right: name(&format!("{evil} more")), evidence: near() };
    report.riskiest = vec![Cluster {
        leader: pair.left.clone(),
        size: 2,
        members: vec![ClusterMember { document: pair.right.clone(), evidence: near() }],
    }];
    report.rejected = vec![ShownPair { left: name("quite other words"), ..pair }];
    report.inputs[0].name = evil.into();
    report.phases[0].name = evil.into();
    report.capped = vec![CappedKey { key: evil.into(), size: 9, over: CappedFate::Drop, sample: evil.into() }];
    for field in
        [&mut report.command, &mut report.version, &mut report.scheme, &mut report.condition, &mut report.threshold, &mut report.digest]
    {
        *field = evil.into();
    }
    let page = page(&report);
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<!--list-->"));
    for c in ['\0', '\u{202e}', '\u{2066}', '\u{feff}', '\u{fffe}'] {
        assert!(!page.contains(c), "{c:?}");
    }
    assert!(page.contains("{{ 7*7 }}{% raw %}"));
    assert!(page.contains("[U+202E]") && page.contains("<bdi class=\"u\">U+202E</bdi>"));
    assert_eq!(texts(&page, "#riskiest .entry").len(), 1);
    assert_eq!(texts(&page, "#rejected .entry").len(), 1);
}

#[test]
fn a_page_stays_within_the_cap() {
    check_caps(&[300_000, 2_000_000], 6_000, 300);
}

#[test]
#[ignore = "another cap, ten times the keys and texts ten times as long, of which the report shows as much"]
fn a_page_of_long_texts_stays_within_the_cap() {
    check_caps(&[300_000, 1_000_000, 2_000_000], 60_000, 3_000);
}

/// Checks that a full report stays within each cap; it has texts of `count` words and `keys` capped keys.
fn check_caps(caps: &[usize], count: usize, keys: usize) {
    let words: String = (0..count).map(|i| format!("<w{}> ", i * 7919 % 9973)).collect();
    let other: String = (0..count).map(|i| format!("&v{}\u{1} ", i * 6151 % 9973)).collect();
    let mut report = report();
    report.riskiest = vec![cluster(&words, &other); 30];
    report.largest = vec![cluster(&words, &other.replace('v', "w")); 30];
    report.rejected = vec![ShownPair { left: document("x", &words), right: document("y", &other), evidence: near() }; 30];
    report.inputs = (0..5_000).map(|i| InputFile { name: format!("{i}{}", "/deep".repeat(900)), documents: 1, kept: 1 }).collect();
    report.capped = vec![CappedKey { key: words.clone(), size: 1, over: CappedFate::Star, sample: words.clone() }; keys];
    report.sizes = (2..200_000).map(|size| (size, 1 + size % 1_000)).collect();
    report.command = words.clone();
    for &cap in caps {
        let limits = PageLimits { page: cap, ..PageLimits::default() };
        let page = valid(render(&report, &limits).unwrap());
        assert!(page.len() <= cap, "{} above {cap}", page.len());
        let entries =
            [texts(&page, "#riskiest .entry").len(), texts(&page, "#rejected .entry").len(), texts(&page, "#largest .entry").len()];
        assert!(entries.iter().all(|&n| n > 0 && n <= 20), "{cap}: {entries:?}");
        assert!(page.contains(&format!("{} of 2,312 mixed clusters shown", entries[0])));
        assert!(page.contains("Texts cut at 4,000 characters"));
        assert!(page.contains("4,950 more are in run.json"));
    }
}

#[test]
fn the_error_of_a_small_cap_states_the_size_needed() {
    let error = render(&report(), &PageLimits { page: 1_000, ..PageLimits::default() }).unwrap_err();
    let Error::CapTooSmall { cap: 1_000, needed } = error else { panic!("{error}") };
    assert!(error.to_string().contains("1000 bytes"));
    let page = render(&report(), &PageLimits { page: needed, ..PageLimits::default() }).unwrap();
    assert!(page.len() <= needed);
}

#[test]
fn hosts_are_listed_like_inputs() {
    let page_without = page(&report());
    assert!(!page_without.contains("<th>host</th>"));
    let host = |number: u64| InputFile { name: format!("h{number}.example.org"), documents: 1_000 - number, kept: 10 };
    let hosts = page(&Report { hosts: (0..60).map(host).collect(), all_hosts: 70, ..report() });
    assert!(hosts.contains("<th>host</th>") && hosts.contains("h49.example.org") && !hosts.contains("h50.example.org"));
    assert!(hosts.contains("The 50 hosts with the most documents are shown, of 70."));
}

#[test]
fn an_empty_run_is_stated() {
    let empty = Report {
        counts: Counts::default(),
        notes: vec![],
        table: ClusterTable::default(),
        leader_groups: ClusterTable::default(),
        phases: vec![],
        inputs: vec![],
        groups: vec![],
        histogram: Histogram::default(),
        sizes: BTreeMap::new(),
        ..report()
    };
    let page = page(&empty);
    assert_eq!(texts(&page, "h1"), ["No documents were read."]);
    assert!(page.contains("No pair was compared.") && page.contains("No two documents are alike."));
    assert_eq!(page.matches("None in this run.").count(), 3);
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn the_promise_and_the_chance_of_the_keys_are_shown() {
    let found = page(&report());
    assert_eq!(texts(&found, ".lead"), ["resemblance>=0.8; pairs are found."]);
    assert!(texts(&found, "#recall")[0].contains("Pairs are found."));
    assert!(texts(&found, ".formula")[0].contains("P(s) = 1 − (1 − s6)16"));
    let of = |recall| texts(&page(&Report { recall, ..report() }), "#recall").concat();
    let shared = of(bands(6, 14, 2));
    assert!(shared.contains("2 of 6 bands of 14 rows are equal") && shared.contains("∑ C(6, i) pi (1 − p)6 − i over i ≥ 2"), "{shared}");
    let certificate = "estimated recall 0.98, 95 % interval 0.97 to 0.99: about 2 of 100 pairs missed";
    let certified = of(Recall { certificate: Some(certificate.into()), estimated: true, ..bands(16, 6, 1) });
    assert!(certified.contains(&format!("Of this run: {certificate}. Nineteen of twenty")), "{certified}");
    assert!(!of(bands(16, 6, 1)).contains("Of this run"));
    let minima = Chance { keys: KeyRequirement::Minima { size: 200 }, at_threshold: None };
    let minima = of(Recall { chance: Some(minima), ..bands(1, 1, 1) });
    assert!(minima.contains("one of 200 minima") && minima.contains("P(s) = 1 − (1 − s)200") && !minima.contains("bands"), "{minima}");
}

#[test]
fn a_curve_is_drawn_if_there_is_one() {
    let line = |page: &str| attributes(page, "#recall .line", "d");
    assert_eq!(line(&page(&report())), ["M0.00 100.00L80.00 0.77L100.00 0.00"]);
    let exact = Recall { chance: None, curve: vec![(0.0, 0.0), (0.8, 0.0), (0.8, 1.0), (1.0, 1.0)], ..bands(1, 1, 1) };
    let found = page(&Report { recall: exact.clone(), ..report() });
    assert_eq!(line(&found), ["M0.00 100.00L80.00 100.00L80.00 0.00L100.00 0.00"]);
    assert!(!found.contains("1 − (1 −"));
    let none = page(&Report { recall: Recall { curve: vec![], ..exact }, ..report() });
    assert_eq!((line(&none).len(), none.contains("chance to be proposed")), (0, false));
}

#[test]
fn decisions_by_sketches_are_not_called_verified() {
    let unverified = Report { verified: false, recall: Recall { chance: None, ..bands(1, 1, 1) }, ..report() };
    let found = page(&unverified);
    assert!(texts(&found, "h1")[0].ends_with("decided by sketches, not checked on the texts."));
    assert_eq!(texts(&found, "#scores .legend li"), ["accepted", "rejected"]);
    assert!(!found.contains("verified") && !found.contains("checked,") && !found.contains("after the check"));
    let nothing = Report { histogram: Histogram::default(), ..unverified };
    let found = page(&nothing);
    assert!(texts(&found, "#rejected")[0].contains("Pairs that a sketch turns away are not compared"));
    let nothing = Counts { documents: 5, kept: 5, ..Counts::default() };
    assert_eq!(texts(&page(&Report { counts: nothing, ..report() }), "h1"), ["5 documents: 5 kept, 0 dropped."]);
}

#[test]
fn features_other_than_shingles_are_named() {
    let mut report = Report { features: "keywords".into(), threshold: String::new(), condition: "equal".into(), ..report() };
    report.riskiest = vec![cluster("one", "other")];
    let found = page(&report);
    assert!(texts(&found, ".legend").concat().contains("equal keywords 500"));
    assert!(texts(&found, ".scores").concat().contains("90 / 101 keywords"));
    assert!(!found.contains("set of shingles"));
    assert!(texts(&found, "#scores > p")[0].ends_with("a pair that meets it may be anywhere."));
    assert!(texts(&found, "#rejected > p")[0].ends_with("found not to meet equal. If these should have matched, loosen the measure."));
}

#[test]
fn the_number_that_decides_is_shown() {
    let with = |value| {
        let decided = Some(Decided { subject: "~resemblance".into(), value });
        let mut report = report();
        report.rejected =
            vec![ShownPair { left: document("x", "a b c"), right: document("y", "a b d"), evidence: Evidence { decided, ..near() } }];
        texts(&page(&report), "#rejected .scores").concat()
    };
    assert!(with(2.0 / 3.0).contains("~resemblance 0.6667"));
    assert!(with(1.0).contains("~resemblance 1\n"), "{}", with(1.0));
    assert!(!texts(&page(&report()), ".scores").concat().contains('~'));
}

#[test]
fn other_jobs_have_their_own_headings() {
    let clusters = page(&Report { job: ReportedJob::Cluster, ..report() });
    assert_eq!(texts(&clusters, "h1"), ["105,809 documents: 5,312 clusters holding 39,901 of them, the largest 40."]);
    let pairs = page(&Report { job: ReportedJob::Pairs, ..report() });
    assert_eq!(texts(&pairs, "h1"), ["105,809 documents: 1 pair, every one checked."]);
    assert_eq!(texts(&pairs, ".cards b")[1], "1");
    assert_eq!(texts(&pairs, "main section[id] h2"), ["Scores", "Recall", "The run", "Nearest rejected pairs", "Words"]);
    assert!(!pairs.contains("luster") && !pairs.contains("<!--list-->"));
}

#[test]
fn differences_are_marked_and_long_equal_stretches_folded() {
    let middle = "one two three four five six seven eight nine ten ".repeat(30);
    let mut report = report();
    report.riskiest = vec![cluster(&format!("The old house. {middle}It ends here."), &format!("The new house. {middle}It ends here."))];
    let page = page(&report);
    assert_eq!(texts(&page, "#riskiest del"), ["old"]);
    assert_eq!(texts(&page, "#riskiest ins"), ["new"]);
    let folds = texts(&page, "#riskiest .fold");
    assert_eq!(folds.len(), 1);
    assert!(folds[0].ends_with("equal words"), "{folds:?}");
    let shown = texts(&page, "#riskiest .left").concat().split_whitespace().count();
    let folded: usize = folds[0].split(' ').next().unwrap().parse().unwrap();
    assert_eq!(shown + folded, 306);
}

#[test]
fn scripts_without_spaces_and_from_right_to_left_are_compared() {
    let mut report = report();
    let long = "東京都は日本の首都である".repeat(60);
    report.riskiest = vec![
        cluster("今日は晴れです。", "今日は雨です。"),
        cluster(&format!("甲{long}"), &format!("乙{long}")),
        cluster("الكتاب على الطاولة", "الكتاب تحت الطاولة"),
    ];
    let page = page(&report);
    assert_eq!(texts(&page, "#riskiest del"), ["晴れ", "甲", "على"]);
    assert_eq!(texts(&page, "#riskiest ins"), ["雨", "乙", "تحت"]);
    assert!(texts(&page, "#riskiest .fold")[0].ends_with("equal characters"));
    assert!(page.contains("<div class=\"left\" dir=\"auto\">الكتاب"));
}

#[test]
fn uncompared_text_is_stated() {
    let mut report = report();
    let signs = |from: u32, step: u32| (0..3_000).filter_map(|i| char::from_u32(0x4e00 + (from + i * step) % 900)).collect::<String>();
    report.riskiest = vec![cluster(&signs(0, 7), &signs(5, 11))];
    let page = page(&report);
    let folds = texts(&page, "#riskiest .fold").join(" ");
    assert!(folds.contains("6.00 kB and 6.00 kB not compared"), "{folds}");
}

#[test]
fn members_are_listed_from_the_lowest_score_and_the_rest_is_counted() {
    let mut report = report();
    let member = |shared| ClusterMember {
        document: document(&format!("s{shared}"), "a b c"),
        evidence: Evidence { rule: Some(Rule::Near), shared, left_size: 100, right_size: 100, decided: None },
    };
    report.largest = vec![Cluster { leader: document("l", "a b d"), size: 500, members: [99, 90, 95, 97].map(member).to_vec() }];
    let page = page(&report);
    assert_eq!(texts(&page, "#largest .score"), ["0.8181", "0.9047", "0.9417"]);
    assert!(page.contains("3 of 499 members shown"));
    assert!(page.contains("lowest score <b>0.8181</b>"));
}

#[test]
fn reports_are_unchanged_through_json() {
    let mut report = report();
    report.riskiest = vec![cluster("a", "b")];
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}
