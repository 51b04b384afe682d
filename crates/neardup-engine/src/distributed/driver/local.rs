//! An engine in memory, by which distributed runs are compared with runs of one machine.

use crate::distributed::driver::{Division, Driver, ROWS, Step};
use crate::distributed::message::{Row, StageName};
use crate::distributed::sent_tables::{SentTables, TableSize};
use crate::distributed::stages::StageTask;
use crate::job::options::JobOptions;
use crate::job::{BatchStream, Input, Job, Verb};
use crate::progress::Watch;
use crate::tables::table::{batch, schema};
use crate::{Result, run};
use arrow_array::{Int64Array, RecordBatch, StringArray, StringViewArray};
use arrow_cast::display::array_value_to_string;
use arrow_ipc::reader::StreamReader;
use arrow_schema::DataType;
use neardup_core::scheme::Scheme;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Schemes with keys of every kind, some of which are dropped or only bound above a cap.
const LINES: [&str; 17] = [
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
    "words | terms:0.2,0.8 weight=idf:corpus | digest:sha1 | each | equal",
    "words | keywords:6,sorted weight=idf:corpus | digest:md5 | each | equal ; words | terms:0.1,0.6 weight=idf:corpus | lexicons:10,1/3 | each | equal",
    "words | shingles:2 frame=0.3 | minhash:60 | bands:20x3 | resemblance>=0.3",
    "words | shingles:9 | whole | each | equal ; words | shingles:3 frame=0.2 | whole | prefix:0.5 | resemblance>=0.5",
];

/// The documents of one side: files, or tables.
#[derive(Clone, Debug)]
enum Given {
    Files(Vec<String>),
    Tables(Vec<RecordBatch>),
}

impl Given {
    fn is_empty(&self) -> bool {
        matches!(self, Given::Files(files) if files.is_empty()) || matches!(self, Given::Tables(tables) if tables.is_empty())
    }

    fn input(&self) -> Input {
        match self {
            Given::Files(files) => Input::Files(files.clone()),
            Given::Tables(tables) => Input::Streams((1..).zip(tables).map(|(number, table)| stream(number, table)).collect()),
        }
    }
}

/// Returns a table as a stream of several batches.
fn stream(number: usize, table: &RecordBatch) -> BatchStream {
    let half = table.num_rows() / 2;
    let batches = [table.slice(0, half), table.slice(half, 0), table.slice(half, table.num_rows() - half)];
    BatchStream {
        name: number.to_string(),
        batches: Mutex::new(Box::new(batches.into_iter().map(Ok))),
        is_in_memory: true,
        folder: None,
        fields: table.schema().fields().iter().map(|field| field.name().clone()).collect(),
    }
}

fn job(verb: Verb, line: &str, options: &JobOptions, inputs: &Given, against: &Given) -> Job<'static> {
    let scheme: Scheme = line.parse().unwrap();
    Job {
        verb,
        input: inputs.input(),
        against: (!against.is_empty()).then(|| against.input()),
        scheme,
        fields: options.fields(),
        options: options.clone(),
        threads: 2,
        most_threads: 2,
        memory: 1 << 30,
        extract: None,
        archive: None,
        fetch: None,
    }
}

/// Runs all steps of a driver, in any order of tasks and messages, and returns the summary and the rows of tables. If `again`, each task is
/// done twice, and must send the same.
fn spread(make: &dyn Fn() -> Job<'static>, division: Division, again: bool) -> Result<(String, Vec<Vec<Vec<u8>>>)> {
    let sent = sent_tables(&make());
    let mut driver = Driver::new(&make(), division, sent, None)?;
    let mut kept: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let mut rows = Vec::new();
    for (table, stream) in streams(make()).into_iter().enumerate() {
        rows.extend(driver.pack(table, &batches(stream))?);
    }
    kept.insert(ROWS.to_owned(), rows);
    while let Some(Step { name, stages }) = driver.next()? {
        let mut rows: Vec<Row> = Vec::new();
        for step in stages {
            let (of_tables, sent): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.stage == StageName::Table);
            let mut taken: Vec<Row> = sent.into_iter().filter(|row| row.stage == step.stage).collect();
            for (name, stage) in &step.inputs {
                taken.extend(kept[name].iter().filter(|row| row.stage == *stage).cloned());
            }
            taken.extend(step.messages);
            let mut parts: BTreeMap<u32, Vec<&[u8]>> = BTreeMap::new();
            taken.iter().rev().for_each(|row| parts.entry(row.part % step.parts).or_default().push(&row.packed));
            rows = of_tables;
            let nothing = Vec::new();
            for part in 0..step.parts {
                let packed = parts.get(&part).unwrap_or(&nothing);
                let (plan, watch) = (driver.plan(), Watch::default());
                let run = |packed: &[&[u8]]| {
                    let (mut job, lexicon) = (make().without_inputs(), driver.lexicon().cloned());
                    StageTask { job: &mut job, plan, stage: step.stage, part, lexicon, watch: &watch }.run(packed)
                };
                let sent = run(packed)?;
                if again {
                    let reversed: Vec<&[u8]> = packed.iter().rev().copied().collect();
                    let [mut first, mut second] = [sent.clone(), run(&reversed)?];
                    [&mut first, &mut second].into_iter().for_each(|rows| rows.sort_by(|left, right| left.packed.cmp(&right.packed)));
                    assert!(first == second, "{} sends other bytes when it is done again", step.stage.name());
                }
                rows.extend(sent);
            }
        }
        let tallies: Vec<&[u8]> = rows.iter().filter(|row| row.stage == StageName::Driver).map(|row| &row.packed[..]).collect();
        driver.take(&make(), &name, &tallies)?;
        kept.insert(name, rows);
    }
    if let (Some(folder), true) = (make().folder(), driver.plan().past.is_some()) {
        driver.begin_past(folder)?;
        driver.close_past()?;
    }
    let rows = |step: &str| -> Vec<Vec<u8>> {
        let mut tables: Vec<&Row> = kept.get(step).into_iter().flatten().filter(|row| row.stage == StageName::Table).collect();
        tables.sort_by_key(|row| row.part);
        tables.into_iter().map(|row| row.packed.clone()).collect()
    };
    Ok((driver.summary(&make(), "memory", &[])?, [rows("write"), rows("pairs")].into_iter().filter(|rows| !rows.is_empty()).collect()))
}

/// Returns the streams of a job, those of the input first.
fn streams(job: Job<'_>) -> Vec<BatchStream> {
    let of = |input| if let Some(Input::Streams(streams)) = input { streams } else { Vec::new() };
    let [input, against] = [of(Some(job.input)), of(job.against)];
    input.into_iter().chain(against).collect()
}

fn batches(stream: BatchStream) -> Vec<RecordBatch> {
    stream.batches.into_inner().unwrap().map(std::result::Result::unwrap).collect()
}

fn sent_tables(job: &Job<'_>) -> Option<SentTables> {
    let Input::Streams(input) = &job.input else { return None };
    // The test makes the same streams again.
    let size = |stream: &BatchStream| {
        let batches: Vec<RecordBatch> = stream.batches.lock().unwrap().by_ref().map(std::result::Result::unwrap).collect();
        let sum = |size: fn(&RecordBatch) -> usize| batches.iter().map(size).sum::<usize>() as u64;
        TableSize { rows: sum(RecordBatch::num_rows), bytes: sum(RecordBatch::get_array_memory_size) }
    };
    Some(SentTables { sizes: job.batch_streams().map(size).collect(), inputs: input.len(), by_id: false })
}

fn lines(batches: &[RecordBatch]) -> Vec<String> {
    let value = |batch: &RecordBatch, column: usize, row: usize| array_value_to_string(batch.column(column), row).unwrap();
    let line = |batch: &RecordBatch, row| (0..batch.num_columns()).map(|column| value(batch, column, row)).collect::<Vec<_>>().join("|");
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| line(batch, row))).collect()
}

/// Checks that a distributed run gives the table, the digest and the counts of a run on one machine.
fn check(make: &dyn Fn() -> Job<'static>, division: Division, again: bool) {
    let (local, found) = (run(make(), &Watch::default()), spread(make, division, again));
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

impl Made {
    /// Returns the text; some texts are equal in their tokens, in their characters, or in neither.
    fn text(&self) -> String {
        let made = self;
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
            4 if made.base == 7 => body.clear(),
            _ => {}
        }
        body
    }

    fn id(number: usize) -> String {
        format!("d{}", number * 7919 % 10_007)
    }

    fn url(&self) -> String {
        format!("http://h{}.example/p", self.base / 3)
    }

    fn time(&self) -> Option<i64> {
        self.time.map(|time| 1_000_000 + i64::from(time))
    }
}

/// Returns documents as a table.
fn table(documents: &[Made], first: usize) -> RecordBatch {
    let columns = [
        ("text", DataType::Utf8View, false),
        ("id", DataType::Utf8, false),
        ("other", DataType::Utf8, false),
        ("url", DataType::Utf8, false),
        ("time", DataType::Int64, true),
    ];
    let ids: StringArray = (first..).take(documents.len()).map(|number| Some(Made::id(number))).collect();
    let texts: StringViewArray = documents.iter().map(|made| Some(made.text())).collect();
    let urls: StringArray = documents.iter().map(|made| Some(made.url())).collect();
    let times: Int64Array = documents.iter().map(Made::time).collect();
    batch(schema(&columns, &[]), vec![Arc::new(texts), Arc::new(ids.clone()), Arc::new(ids), Arc::new(urls), Arc::new(times)]).unwrap()
}

/// Writes documents as JSON lines.
fn write(path: &Path, documents: &[Made], first: usize) {
    let mut text = String::new();
    for (number, made) in documents.iter().enumerate() {
        let mut body = made.text();
        if made.form == 3 {
            body = body.replacen('w', "\\u0077", 1);
        }
        let time = made.time().map(|time| format!(", \"time\": {time}")).unwrap_or_default();
        writeln!(text, "{{\"text\": \"{body}\", \"id\": \"{}\", \"url\": \"{}\"{time}}}", Made::id(number + first), made.url()).unwrap();
        if made.form == 5 {
            text.push('\n');
        }
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn documents_that_are_alone_in_a_divided_family_are_no_clusters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("docs.jsonl");
    let documents: Vec<Made> = (0..3).map(|change| Made { base: 6, change, form: 0, time: None }).collect();
    write(&path, &documents, 0);
    let (given, options) = (Given::Files(vec![path.to_string_lossy().into_owned()]), JobOptions::default());
    let division = Division { family: 2, connected: 0, ..Division::for_cores(1) };
    check(&|| job(Verb::Cluster, LINES[6], &options, &given, &Given::Files(Vec::new())), division, true);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_distributed_run_equals_a_run_of_one_machine(
        one in prop::collection::vec(made(), 0..60),
        other in prop::collection::vec(made(), 1..60),
        (ids, pairs, with_reference, urls, tables, again) in any::<(bool, bool, bool, bool, bool, bool)>(),
        verb in prop::sample::select(vec![Verb::Dedup, Verb::Cluster, Verb::Pairs]),
        keep in 0..5_usize,
        (cap, cores, home) in (prop::sample::select(vec![3_usize, 1000]), 1..4_u32, 1..4_u64),
        (connected, family, wide_above) in (prop::sample::select(vec![0_u64, 1000]), prop::sample::select(vec![2_u64, 5, 1000]), prop::sample::select(vec![0, u64::MAX])),
        line in prop::sample::select(&LINES[..]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one.jsonl", "other.jsonl", "third.jsonl"].map(|name| folder.path().join(name));
        write(&paths[0], &one, 0);
        write(&paths[1], &other, 1000);
        write(&paths[2], &one, 2000);
        let files: [String; 3] = paths.map(|path| path.to_string_lossy().into_owned());
        let made = [table(&one, 0), table(&other, 1000), table(&one, 2000)];
        let given = |numbers: &[usize]| {
            if tables {
                Given::Tables(numbers.iter().map(|&number| made[number].clone()).collect())
            } else {
                Given::Files(numbers.iter().map(|&number| files[number].clone()).collect())
            }
        };
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
        let division = Division { cores, home: [4096, home * 4096], part: 10_000, listed: 5, connected, family, family_bytes: 1 << 30, wide_above };
        let (inputs, against) = if with_reference { (given(&[1, 2]), given(&[0])) } else { (given(&[0, 1, 2]), given(&[])) };
        check(&|| job(verb, line, &options, &inputs, &against), division, again);
    }
    /// Batches that are decided one after another, against the past of the earlier ones, have the decisions of one run over all. Only
    /// the groups of earlier batches may have grown.
    #[test]
    fn batches_against_their_past_equal_a_run_over_all(
        batches in prop::collection::vec(prop::collection::vec(made(), 1..40), 1..4),
        (ids, again) in any::<(bool, bool)>(),
        (cores, home) in (1..4_u32, 1..4_u64),
        (connected, family) in (prop::sample::select(vec![0_u64, 1000]), prop::sample::select(vec![2_u64, 5, 1000])),
        line in prop::sample::select(&LINES[..2]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let [past, output] = ["past", "out"].map(|name| folder.path().join(name));
        let files: Vec<String> = (0..batches.len()).map(|batch| folder.path().join(format!("{batch}.jsonl")).to_string_lossy().into_owned()).collect();
        batches.iter().zip(&files).enumerate().for_each(|(batch, (documents, file))| write(Path::new(file), documents, 1000 * batch));
        let options = JobOptions { id_field: ids.then(|| "id".to_owned()), chunk: 4096, ..JobOptions::default() };
        let with_past = JobOptions { past: Some(past), output: Some(output), ..options.clone() };
        let division = Division {
            cores, home: [4096, home * 4096], part: 300, listed: 5, connected, family, family_bytes: 1 << 30, wide_above: u64::MAX,
        };
        let nothing = Given::Files(Vec::new());
        let all = run(job(Verb::Dedup, line, &options, &Given::Files(files.clone()), &nothing), &Watch::default()).unwrap();
        let theirs = lines(&all.tables[0].2);
        let mut ours = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let given = Given::Files(vec![file.clone()]);
            let (_, tables) = spread(&|| job(Verb::Dedup, line, &with_past, &given, &nothing), division, again).unwrap();
            let read = |packed: &Vec<u8>| StreamReader::try_new(&packed[..], None).unwrap().map(std::result::Result::unwrap).collect::<Vec<_>>();
            let of_batch: Vec<String> = tables[0].iter().flat_map(|packed| lines(&read(packed))).collect();
            if number + 1 == files.len() {
                prop_assert_eq!(&of_batch[..], &theirs[theirs.len() - of_batch.len()..]);
            }
            ours.extend(of_batch);
        }
        // The group size comes before the last column.
        let without_size = |line: &String| {
            let mut values: Vec<String> = line.split('|').map(str::to_owned).collect();
            let at = values.len() - 2;
            values.remove(at);
            values
        };
        prop_assert_eq!(ours.iter().map(without_size).collect::<Vec<_>>(), theirs.iter().map(without_size).collect::<Vec<_>>());
    }
}
