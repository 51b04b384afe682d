//! Writes a report page of an invented run: `cargo run -p neardup-report --example sample -- /tmp/report.html`.

use std::collections::BTreeMap;
use std::time::Instant;
use std::{env, fs, process};

use neardup_report::*;

const SENTENCES: &[&str] = &[
    "The library may be copied and given away on the terms below, with or without changes.",
    "Every copy of the source must carry this notice and the list of conditions that follows it.",
    "Copies in compiled form must print the same notice in the handbook that is delivered with them.",
    "The names of the authors may not be used to praise a product made from this work without leave given in writing.",
    "It is handed over as it stands, and nobody promises that it is fit for any purpose.",
    "In no case are the authors answerable for loss of data, of profit or of time that comes from its use.",
    "Some parts were written for an earlier project and are used here by kind permission.",
    "A patch sent to the list counts as offered on these same terms unless its sender says otherwise.",
    "Questions go to the maintainers, who answer on weekdays and sometimes on Sundays.",
    "To build it, run the setup script once and then call make in the top folder.",
    "The tests take about four minutes on a small machine and leave nothing behind.",
    "Report a fault with the version, the command and the shortest input that shows it.",
];

fn text(from: usize, sentences: usize) -> String {
    let pick = (0..sentences).map(|i| SENTENCES[(from + i) % SENTENCES.len()]);
    let mut out = String::new();
    for (i, sentence) in pick.enumerate() {
        out.push_str(sentence);
        out.push_str(if i % 4 == 3 { "\n\n" } else { " " });
    }
    out
}

/// A table of clusters that are also the leader groups, as in `dedup`.
const TABLE: ClusterTable = ClusterTable {
    documents: 105_809,
    clusters: 9_914,
    identical_clusters: 4_602,
    identical_documents: 12_488,
    mixed_clusters: 5_312,
    mixed_documents: 32_015,
};

fn document(id: &str, source: &str, row: u64, text: String) -> ShownDocument {
    ShownDocument { id: Some(id.into()), source: source.into(), row, bytes: text.len() as u64, text }
}

fn evidence(rule: Option<Rule>, shared: u64, left_size: u64, right_size: u64) -> Evidence {
    Evidence { rule, shared, left_size, right_size, decided: None }
}

fn cluster(number: u64, size: u64, shared: u64) -> Cluster {
    let base = text(number as usize, 26);
    let package = format!("The package number {number}");
    let edits: [(&str, &str); 4] = [
        ("nobody promises", "no promise is made"),
        ("weekdays and sometimes on Sundays", "most days"),
        ("about four minutes on a small machine", "nine minutes"),
        ("The library", &package),
    ];
    let edited = |n: usize| edits[..n].iter().fold(base.clone(), |text, (from, to)| text.replacen(from, to, 1));
    let member = |i: usize| {
        let rule = [Rule::Near, Rule::Near, Rule::Lexical, Rule::Identical][i];
        let text = match i {
            0 => edited(4),
            1 => edited(1),
            2 => base.to_uppercase(),
            _ => base.clone(),
        };
        let shared = if i < 2 { shared + 20 * i as u64 } else { 430 };
        ClusterMember {
            document: document(&format!("pkg-{number:03}/copy-{i}/LICENSE"), "site-packages.jsonl", number * 97 + i as u64, text),
            evidence: evidence(Some(rule), shared, 430, if i < 2 { 438 } else { 430 }),
        }
    };
    Cluster {
        leader: document(&format!("pkg-{number:03}/LICENSE"), "site-packages.jsonl", number * 31, base.clone()),
        size,
        members: (0..4).map(member).collect(),
    }
}

fn scripts() -> Vec<Cluster> {
    let pairs = [
        (
            "notice-ja",
            "本ソフトウェアは現状のまま提供され、いかなる保証も行いません。利用者は自らの責任で複製し、配布することができます。",
            "本ソフトウェアは現状有姿で提供され、いかなる保証も行いません。利用者は自己の責任で複製し、再配布することができます。",
        ),
        (
            "notice-ar",
            "تقدم هذه المكتبة كما هي من غير أي ضمان، ويجوز نسخها وتوزيعها بالشروط المذكورة أدناه.",
            "تقدم هذه الحزمة كما هي من غير أي ضمان، ويجوز نسخها ونشرها بالشروط المذكورة أدناه.",
        ),
        (
            "notice-ko",
            "이 프로그램은 있는 그대로 제공되며 어떠한 보증도 하지 않습니다. 누구나 복사하고 배포할 수 있습니다.",
            "이 소프트웨어는 있는 그대로 제공되며 어떠한 보증도 하지 않습니다. 누구나 자유롭게 복사하고 배포할 수 있습니다.",
        ),
        (
            "<script>alert('x')</script>\u{202e}gpj.exe",
            "A line with <b onclick=\"alert(1)\">markup</b>, a bell \u{7} and a reversed \u{202e}drow\u{202c} in it.",
            "A line with <i>markup</i>, a zero\0byte and a reversed \u{2067}drow\u{2069} in it.",
        ),
    ];
    let cluster = |(i, (id, left, right)): (usize, &(&str, &str, &str))| Cluster {
        leader: document(id, "notices/多言語.jsonl", i as u64, left.to_string()),
        size: 2,
        members: vec![ClusterMember {
            document: document(&format!("{id}-2"), "notices/多言語.jsonl", 40 + i as u64, right.to_string()),
            evidence: evidence(Some(Rule::Near), 41, 45, 47),
        }],
    };
    pairs.iter().enumerate().map(cluster).collect()
}

/// Returns the clusters at the threshold 0.8 + 0.005 `number`.
fn step(number: u64) -> ThresholdStep {
    let left = |all: u64| all * (60 - number) / 60;
    let sizes = [6_200, 2_300, 900, 310, 120, 61, 17, 4, 1, 1, 0, 1].map(left).to_vec();
    let threshold = format!("0.{:03}", 800 + 5 * number);
    ThresholdStep {
        threshold: if number == 40 { "1".into() } else { threshold.trim_end_matches('0').to_owned() },
        clusters: sizes.iter().sum(),
        clustered: left(44_503),
        largest: left(4_870),
        sizes,
    }
}

fn recall() -> Recall {
    let at = |s: f64| 1.0 - (1.0 - s.powi(6)).powi(16);
    Recall {
        promise: "bands 16x6 find a pair of resemblance 0.8 with probability 0.9922, and more similar ones with a higher probability"
            .into(),
        certificate: Some("0.9995, 95 % interval 0.9960 to 1.0000: about 6.6 of 12,353 pairs of different texts missed".into()),
        estimated: true,
        chance: Some(Chance { keys: KeyRequirement::Bands { bands: 16, rows: 6, least: 1 }, at_threshold: Some(at(0.8)) }),
        curve: (0..=200).map(|step| f64::from(step) / 200.0).map(|s| (s, at(s))).collect(),
    }
}

fn sample() -> Report {
    let mut histogram = Histogram::default();
    for (bin, n) in histogram.accepted.iter_mut().enumerate().skip(80) {
        *n = (30.0 * 1.22f64.powi(bin as i32 - 80)) as u64 + (bin as u64 * 7919) % 23;
    }
    histogram.accepted[99] = 21_840;
    for (bin, n) in histogram.rejected.iter_mut().enumerate().take(80).skip(14) {
        *n = (900.0 * (-((bin as f64 - 46.0) / 14.0).powi(2)).exp()) as u64 + (bin as u64 * 6151) % 17;
    }
    let sizes: BTreeMap<u64, u64> = (2..60u64)
        .map(|s| (s, 16_000 / (s * s)))
        .chain([(71, 2), (88, 3), (104, 1), (140, 2), (233, 1), (412, 1), (1_203, 1), (4_870, 1)])
        .filter(|&(_, n)| n > 0)
        .collect();
    let phase = |name: &str, seconds, work| Phase { name: name.into(), seconds, work };
    let pair = |n: usize| {
        let left = text(n, 18);
        let right = format!("{} {}", text(n, 14), text(n + 7, 3))
            .replace("four minutes", "an hour")
            .replace("terms below", "conditions named here");
        ShownPair {
            left: document(&format!("readme-{n:02}"), "docs.jsonl", 5 * n as u64, left),
            right: document(&format!("readme-{n:02}-fork"), "docs.jsonl", 900 + n as u64, right),
            evidence: evidence(None, 321 - n as u64, 360, 363),
        }
    };
    let mut riskiest = scripts();
    riskiest.extend((1..=16).map(|n| cluster(n, 3 + n, 386 + 2 * n)));
    Report {
        job: ReportedJob::Cluster,
        command: "neardup cluster site-packages.jsonl docs.jsonl 'notices/*.jsonl' -o clean --threshold 0.8 --keep earliest".into(),
        version: "0.1.0".into(),
        scheme: "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8".into(),
        condition: "resemblance>=0.8".into(),
        threshold: "0.8".into(),
        features: "shingles".into(),
        recall: recall(),
        digest: "5f0d1c7e94b2a836d07fe1b5c2a9483e6b17d2f04c5a8e9133b0746fd8ce2a91".into(),
        verified: true,
        counts: Counts {
            documents: 105_809,
            kept: 71_220,
            identical: 18_402,
            lexical: 2_310,
            shingles: 87,
            near: 13_790,
            originals: 0,
            blank: 412,
            short: 1_874,
            thin: 0,
            rejected: 3,
            reference: 0,
        },
        notes: Vec::new(),
        table: TABLE,
        leader_groups: TABLE,
        phases: vec![
            phase("sign", 0.1934, PhaseWork::Bytes(253_400_000)),
            phase("arrange", 0.0312, PhaseWork::Items(1_692_944)),
            phase("lead", 0.0871, PhaseWork::Items(830_114)),
            phase("keep", 0.0664, PhaseWork::Bytes(171_900_000)),
        ],
        groups: Vec::new(),
        inputs: vec![
            InputFile { name: "site-packages.jsonl".into(), documents: 61_004, kept: 34_987 },
            InputFile { name: "docs.jsonl".into(), documents: 40_118, kept: 33_002 },
            InputFile { name: "notices/多言語.jsonl".into(), documents: 4_687, kept: 3_231 },
        ],
        hosts: vec![
            InputFile { name: "docs.example.org".into(), documents: 30_118, kept: 24_002 },
            InputFile { name: "한국.example:8080".into(), documents: 4_002, kept: 4_002 },
        ],
        all_hosts: 4,
        histogram,
        sizes,
        steps: (0..=40).map(step).collect(),
        largest: [4_870, 1_203, 412, 233, 140, 140, 104, 88, 88, 88].iter().zip(20..).map(|(&size, n)| cluster(n, size, 401)).collect(),
        riskiest,
        rejected: (0..20).map(pair).collect(),
        capped: vec![CappedKey {
            key: "7:9c1f20ab".into(),
            size: 18_233,
            over: CappedFate::Star,
            sample: "Generated by the documentation tool. Do not edit this file by hand.".into(),
        }],
    }
}

fn main() {
    let Some(path) = env::args_os().nth(1) else {
        eprintln!("usage: sample PATH");
        process::exit(2);
    };
    let report = sample();
    let mut fastest = f64::INFINITY;
    let mut page = Ok(String::new());
    for _ in 0..20 {
        let start = Instant::now();
        page = render(&report, &PageLimits::default());
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    let written = page.map_err(|error| error.to_string()).and_then(|page| {
        fs::write(&path, &page).map_err(|error| error.to_string())?;
        Ok(page.len())
    });
    match written {
        Ok(bytes) => println!("{bytes} bytes in {:.2} ms", fastest * 1e3),
        Err(error) => {
            eprintln!("{error}");
            process::exit(1);
        }
    }
}
