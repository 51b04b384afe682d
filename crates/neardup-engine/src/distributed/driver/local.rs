//! An engine in memory, by which distributed runs are compared with runs of one machine.

use crate::distributed::driver::{Division, Driver, Step};
use crate::distributed::message::{Row, StageName};
use crate::distributed::stages::StageTask;
use crate::job::options::JobOptions;
use crate::job::{Input, Job, Verb};
use crate::progress::Watch;
use crate::{Result, run};
use arrow_array::RecordBatch;
use arrow_cast::display::array_value_to_string;
use arrow_ipc::reader::StreamReader;
use neardup_core::scheme::Scheme;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Schemes with keys of every kind, some of which are dropped or only bound above a cap.
const LINES: [&str; 13] = [
    "words | shingles:3 | minhash:96 | bands:16x6 | resemblance>=0.8",
    "words | shingles:2 | minhash:48 | bands:12x4 | resemblance>=0.5",
    "words | shingles:3 | minhash:84 + simhash:64 | bands:6x14 match=2 | equal & ~resemblance>=0.5 & hamming<=9",
    "words | shingles:3 | simhash:64 | blocks:3,single | hamming<=3",
    "words | shingles:3 | moduli:4 | each cap=5 over=drop | ~resemblance>=0.5",
    "words | shingles:3 | moduli:4 | each cap=5 over=star | ~resemblance>=0.5",
    "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8",
    "words | spots antecedents=en | whole | each | equal",
    "words | shingles:9 | levels:5 | each | equal",
    "words | shingles:3 | minhash:96 | bands:16x6 | resemblance>=0.8 ; words | shingles:1 | minhash:48 | bands:12x4 | resemblance>=0.5",
    "words | shingles:9 | whole | each | equal ; words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3 ; chars | shingles:3 | moduli:4 | each cap=5 over=drop | ~resemblance>=0.3",
    "words signs=keep | shingles:40 | digest | each | equal ; words | shingles:2 | whole | prefix:0.3 | resemblance>=0.3",
    "words | shingles:3 | minhash:9 | bands:3x3 cap=5 over=drop | ~resemblance>=0.5",
];

fn job(verb: Verb, line: &str, options: &JobOptions, inputs: &[String], against: &[String]) -> Job<'static> {
    let scheme: Scheme = line.parse().unwrap();
    Job {
        verb,
        input: Input::Files(inputs.to_vec()),
        against: (!against.is_empty()).then(|| Input::Files(against.to_vec())),
        scheme,
        fields: options.fields(),
        options: options.clone(),
        threads: 2,
        most_threads: 2,
        memory: 1 << 30,
        extract: None,
        archive: None,
    }
}

/// Runs all steps of a driver, in any order of tasks and messages, and returns the summary and the rows of tables.
fn spread(make: &dyn Fn() -> Job<'static>, division: Division) -> Result<(String, Vec<Vec<Vec<u8>>>)> {
    let mut driver = Driver::new(&make(), division, None)?;
    let mut kept: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    while let Some(Step { name, stages }) = driver.next()? {
        let mut rows: Vec<Row> = Vec::new();
        for step in stages {
            let mut taken: Vec<Row> = rows.into_iter().filter(|row| row.stage == step.stage).collect();
            for (name, stage) in &step.inputs {
                taken.extend(kept[name].iter().filter(|row| row.stage == *stage).cloned());
            }
            taken.extend(step.messages);
            let mut parts: BTreeMap<u32, Vec<&[u8]>> = BTreeMap::new();
            taken.iter().rev().for_each(|row| parts.entry(row.part % step.parts).or_default().push(&row.packed));
            rows = Vec::new();
            let nothing = Vec::new();
            for part in 0..step.parts {
                let packed = parts.get(&part).unwrap_or(&nothing);
                let mut job = make().without_inputs();
                let (plan, watch) = (driver.plan().clone(), Watch::default());
                rows.extend(StageTask { job: &mut job, plan: &plan, stage: step.stage, part, watch: &watch }.run(packed)?);
            }
        }
        let tallies: Vec<&[u8]> = rows.iter().filter(|row| row.stage == StageName::Driver).map(|row| &row.packed[..]).collect();
        driver.take(&make(), &name, &tallies)?;
        kept.insert(name, rows);
    }
    let rows = |step: &str| -> Vec<Vec<u8>> {
        let mut tables: Vec<&Row> = kept.get(step).into_iter().flatten().filter(|row| row.stage == StageName::Table).collect();
        tables.sort_by_key(|row| row.part);
        tables.into_iter().map(|row| row.packed.clone()).collect()
    };
    Ok((driver.summary(&make(), "memory", &[])?, [rows("write"), rows("pairs")].into_iter().filter(|rows| !rows.is_empty()).collect()))
}

fn lines(batches: &[RecordBatch]) -> Vec<String> {
    let value = |batch: &RecordBatch, column: usize, row: usize| array_value_to_string(batch.column(column), row).unwrap();
    let line = |batch: &RecordBatch, row| (0..batch.num_columns()).map(|column| value(batch, column, row)).collect::<Vec<_>>().join("|");
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| line(batch, row))).collect()
}

/// Checks that a distributed run gives the table, the digest and the counts of a run on one machine.
fn check(make: &dyn Fn() -> Job<'static>, division: Division) {
    let (local, found) = (run(make(), &Watch::default()), spread(make, division));
    let (local, (summary, tables)) = match (local, found) {
        (Ok(local), Ok(found)) => (local, found),
        (local, found) => {
            assert_eq!(found.err().map(|error| error.to_string()), local.err().map(|error| error.to_string()));
            return;
        }
    };
    let read = |packed: &Vec<u8>| StreamReader::try_new(&packed[..], None).unwrap().map(std::result::Result::unwrap).collect::<Vec<_>>();
    assert_eq!(tables.len(), local.tables.len());
    for (ours, (name, _, theirs)) in tables.iter().zip(&local.tables) {
        let ours: Vec<String> = ours.iter().flat_map(|packed| lines(&read(packed))).collect();
        assert_eq!(ours, lines(theirs), "{name}");
    }
    let [ours, theirs]: [Value; 2] = [&summary, &local.summary].map(|text| serde_json::from_str(text).unwrap());
    for name in ["digest", "clusters", "inputs", "keep", "records", "files", "passes", "without_text", "verified", "scheme"] {
        assert_eq!(ours[name], theirs[name], "{name}");
    }
    for (name, count) in theirs["counts"].as_object().unwrap() {
        assert!(name == "thin_samples" || ours["counts"][name] == *count, "{name}: {} and {count}", ours["counts"][name]);
    }
    for name in ["stars", "starred_keys"] {
        let mut both = [&ours, &theirs].map(|summary| summary[name].as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>());
        both.iter_mut().for_each(|families| families.sort());
        assert_eq!(both[0], both[1], "{name}");
    }
    let shown = |summary: &Value| -> Vec<(u64, u64, u64)> {
        let number = |key: &Value, name: &str| key[name].as_u64().unwrap();
        summary["capped"].as_array().unwrap().iter().map(|key| (number(key, "table"), number(key, "key"), number(key, "size"))).collect()
    };
    // Keys without a stated cap may be replaced by the rarest features of the documents that are compared together, which depend on
    // the division of the run. The keys that are reported then are others, and so is the note on them.
    if make().scheme.to_string().contains("cap=") || shown(&theirs).is_empty() == shown(&ours).is_empty() {
        assert_eq!(ours["notes"], theirs["notes"]);
    }
    if make().scheme.to_string().contains("cap=") {
        assert_eq!(shown(&ours), shown(&theirs));
    }
}

/// A document: which of few base texts it is made from, what is changed, and how it is written.
#[derive(Clone, Debug)]
struct Made {
    base: u8,
    change: u8,
    form: u8,
    time: Option<i8>,
}

fn made() -> impl Strategy<Value = Made> {
    (0..9_u8, prop_oneof![3 => Just(0_u8), 2 => 1..4_u8], 0..6_u8, prop::option::of(-3..3_i8)).prop_map(|(base, change, form, time)| Made {
        base,
        change,
        form,
        time,
    })
}

/// Writes documents as JSON lines; some texts are equal in their tokens, in their characters, or in neither.
fn write(path: &Path, documents: &[Made], first: usize) {
    let mut text = String::new();
    for (number, made) in documents.iter().enumerate() {
        let mut words: Vec<String> = (0..40 + usize::from(made.base)).map(|word| format!("w{}x{word}", made.base)).collect();
        if made.base == 8 {
            words.truncate(usize::from(made.change));
        }
        if made.change > 0 && words.len() > 9 {
            words[usize::from(made.change) * 9] = format!("other{}", made.change);
        }
        let mut body = words.join(" ");
        match made.form {
            1 => body = body.to_uppercase(),
            2 => body.push_str(" %"),
            3 => body = body.replacen('w', "\\u0077", 1),
            4 if made.base == 7 => body.clear(),
            _ => {}
        }
        let time = made.time.map(|time| format!(", \"time\": {}", 1_000_000 + i64::from(time))).unwrap_or_default();
        writeln!(
            text,
            "{{\"text\": \"{body}\", \"id\": \"d{}\", \"url\": \"http://h{}.example/p\"{time}}}",
            (number + first) * 7919 % 10_007,
            made.base
        )
        .unwrap();
        if made.form == 5 {
            text.push('\n');
        }
    }
    std::fs::write(path, text).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_distributed_run_equals_a_run_of_one_machine(
        one in prop::collection::vec(made(), 0..60),
        other in prop::collection::vec(made(), 1..60),
        (ids, pairs, with_reference, urls) in any::<(bool, bool, bool, bool)>(),
        verb in prop::sample::select(vec![Verb::Dedup, Verb::Cluster, Verb::Pairs]),
        keep in 0..5_usize,
        (cap, cores, home, connected) in (prop::sample::select(vec![3_usize, 1000]), 1..4_u32, 1..4_u64, prop::sample::select(vec![0_u64, 1000])),
        line in prop::sample::select(&LINES[..]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one.jsonl", "other.jsonl", "third.jsonl"].map(|name| folder.path().join(name));
        write(&paths[0], &one, 0);
        write(&paths[1], &other, 1000);
        write(&paths[2], &one, 2000);
        let [first, second, third] = paths.map(|path| path.to_string_lossy().into_owned());
        let options = JobOptions {
            id_field: ids.then(|| "id".to_owned()),
            url_field: urls.then(|| "url".to_owned()),
            time_field: (keep == 1).then(|| "time".to_owned()),
            keep: Some(["first", "earliest", "longest", "shortest", "first"][keep].parse().unwrap()),
            prefer: if keep == 4 { vec![("id".to_owned(), vec!["d7".to_owned()], true)] } else { Vec::new() },
            max_family: cap,
            pairs: pairs && verb == Verb::Cluster,
            chunk: 4096,
            ..JobOptions::default()
        };
        let division = Division { cores, home: [4096, home * 4096], part: 10_000, listed: 5, connected };
        let (inputs, against) = if with_reference { (vec![second, third], vec![first]) } else { (vec![first, second, third], Vec::new()) };
        check(&|| job(verb, line, &options, &inputs, &against), division);
    }
}
