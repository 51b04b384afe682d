//! Records that other code supplies: Arrow batches, records of archives, texts of HTML.

use std::borrow::Cow;
use std::sync::Arc;

use crate::common::{self, Given, all_fields, collect, gather, texts};
use arrow_array::{ArrayRef, RecordBatch, StringArray, StringViewArray};
use neardup_corpus::{
    ArchiveRecord, Error, Extract, Extracted, Fields, JobControl, OnError, ReadOptions, RecordContent, SourceSpan, discover, read,
    read_batches, read_records, read_together,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn batch(values: &[Option<&str>], view: bool) -> RecordBatch {
    let text: ArrayRef = if view { Arc::new(StringViewArray::from(values.to_vec())) } else { Arc::new(StringArray::from(values.to_vec())) };
    let site: ArrayRef = Arc::new(StringArray::from(vec!["fair"; values.len()]));
    RecordBatch::try_from_iter_with_nullable([
        ("text", text.clone(), true),
        ("id", text.clone(), true),
        ("url", text.clone(), true),
        ("time", Arc::new(StringArray::from(vec!["2020"; values.len()])) as ArrayRef, true),
        ("site", site, true),
    ])
    .unwrap()
}

/// Extracts the text after the tag `<p>`; refuses a page without it.
fn strip(pages: &[Cow<'_, str>]) -> Result<Vec<Extracted>, Failure> {
    let text = |page: &Cow<'_, str>| match page.strip_prefix("<p>") {
        Some(text) => Ok(text.to_owned()),
        None => Err("no paragraph".to_owned()),
    };
    Ok(pages.iter().map(|page| Extracted { text: text(page), flaw: None }).collect())
}

struct Bench {
    folder: tempfile::TempDir,
    control: JobControl,
}

impl Bench {
    fn new() -> Bench {
        Bench { folder: tempfile::tempdir().unwrap(), control: JobControl::default() }
    }

    fn run<R>(&self, chunk_bytes: usize, on_error: OnError, run: impl FnOnce(&ReadOptions<'_>) -> R) -> R {
        let spool = self.folder.path().join("spool");
        let extract: &Extract<'_> = &strip;
        run(&ReadOptions { chunk_bytes, on_error, extract: Some(extract), ..ReadOptions::new(&self.control, &spool) })
    }
}

#[test]
fn batches_are_read_and_fetched_from_memory() {
    let bench = Bench::new();
    let long = "much longer than a view holds inline, ".repeat(3);
    for view in [false, true] {
        for chunk_bytes in [1, 20, 1 << 20] {
            let first = batch(&[Some("zero"), Some("one"), Some(&long), Some("three")], view).slice(1, 3);
            let batches = vec![first, batch(&[], view), batch(&[Some("넷"), Some("")], view)];
            let found = bench.run(chunk_bytes, OnError::Stop, |options| {
                let read = read_batches("table", &mut batches.clone().into_iter().map(Ok::<_, Failure>), &all_fields(), options, &collect);
                assert!(!options.spool.exists());
                gather(read.unwrap())
            });
            assert_eq!(texts(&found), ["one", &long, "three", "넷", ""]);
            assert_eq!(found.docs.iter().map(|doc| doc.row).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
            assert_eq!((found.docs[3].id.as_deref(), found.docs[3].time, found.docs[3].rank), (Some("넷"), Some(1_577_836_800_000_000), 1));
            assert_eq!(found.docs[3].span, SourceSpan { offset: 3, len: 1 });
        }
    }
}

#[test]
fn bad_rows_and_failing_iterators_are_named() {
    let bench = Bench::new();
    let rows = || batch(&[Some("a"), None, Some("b")], true);
    let fields = Fields { id: Some("id".into()), ..Fields::default() };
    let error = bench.run(1, OnError::Stop, |options| {
        read_batches("table", &mut [Ok::<_, Failure>(rows())].into_iter(), &fields, options, &collect).unwrap_err()
    });
    assert!(error.to_string().starts_with("table, row 2: there is no id in the field \"id\""), "{error}");
    let found = bench.run(1, OnError::Skip, |options| {
        gather(read_batches("table", &mut [Ok::<_, Failure>(rows())].into_iter(), &fields, options, &collect).unwrap())
    });
    assert_eq!((texts(&found), found.rejects[0].row), (vec!["a", "b"], 2));
    let error = bench.run(1, OnError::Skip, |options| {
        read_batches("table", &mut [Err::<RecordBatch, Failure>("gone".into())].into_iter(), &fields, options, &collect).unwrap_err()
    });
    assert!(matches!(&error, Error::Input { .. }) && error.to_string().contains("gone"));
    let other = Fields { text: "body".into(), ..Fields::default() };
    let error = bench.run(1, OnError::Skip, |options| {
        read_batches("table", &mut [Ok::<_, Failure>(rows())].into_iter(), &other, options, &collect).unwrap_err()
    });
    assert!(error.to_string().contains("there is no field \"body\""), "{error}");
}

#[test]
fn records_read_elsewhere_are_spooled() {
    let bench = Bench::new();
    let arrival = |number: u64, text: Result<&str, &str>| ArchiveRecord {
        id: Some(number.to_string()),
        url: Some(format!("http://{number}")),
        time: Some("2021-01-01T00:00:00Z".into()),
        span: SourceSpan { offset: number * 100, len: 100 },
        content: text.map_or_else(|reason| RecordContent::Refused(reason.to_owned()), |text| RecordContent::Text(text.to_owned())),
        response: None,
        flaws: Vec::new(),
    };
    let arrivals = || vec![arrival(0, Ok("first")), arrival(1, Err("the header is damaged")), arrival(2, Ok("셋째"))];
    for chunk_bytes in [1, 1 << 20] {
        let found = bench.run(chunk_bytes, OnError::Skip, |options| {
            gather(
                read_records("a.warc", &mut arrivals().into_iter().map(Ok::<_, Failure>), false, &Fields::default(), options, &collect)
                    .unwrap(),
            )
        });
        assert_eq!(texts(&found), ["first", "셋째"]);
        assert_eq!((found.docs[1].row, found.docs[1].span.offset, found.docs[1].id.as_deref()), (3, 200, Some("2")));
        assert_eq!((found.rejects[0].row, found.rejects[0].offset, found.rejects[0].reason.as_str()), (2, 100, "the header is damaged"));
        assert!(found.rejects[0].to_string().starts_with("a.warc, record 2: "), "{}", found.rejects[0]);
    }
    let html = vec![arrival(0, Ok("<p>first")), arrival(1, Ok("second"))];
    let found = bench.run(1, OnError::Skip, |options| {
        gather(read_records("a.warc", &mut html.into_iter().map(Ok::<_, Failure>), true, &Fields::default(), options, &collect).unwrap())
    });
    assert_eq!((texts(&found), found.rejects[0].row), (vec!["first"], 2));
}

#[test]
fn html_in_a_field_becomes_text() {
    let bench = Bench::new();
    let fields = Fields { html: Some("page".into()), id: Some("id".into()), ..Fields::default() };
    let lines = "{\"page\":\"<p>one\",\"id\":1}\n{\"page\":\"two\",\"id\":2}\n{\"id\":3,\"page\":\"<p>thr\\u00e9e\"}\n";
    for (name, bytes) in [("a.jsonl", lines), ("a.jsonl.gz", lines), ("a.csv", "page,id\n<p>one,1\ntwo,2\n<p>thrée,3\n")] {
        let given = Given::new(name, bytes.as_bytes());
        let found = bench.run(1, OnError::Skip, |options| gather(read(&given.source, &fields, options, &collect).unwrap()));
        assert_eq!(texts(&found), ["one", "thrée"]);
        assert_eq!(found.rejects.len(), 1);
        assert!(found.rejects[0].reason.contains("no text could be extracted: no paragraph"));
        assert_eq!(found.rejects[0].excerpt, "two");
    }
}

#[test]
fn many_files_are_read_together() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    for number in 0..700 {
        std::fs::write(folder.path().join(format!("{number:03}.txt")), format!("text {number}")).unwrap();
        std::fs::write(folder.path().join(format!("{number:03}.html.gz")), common::gzip(format!("<p>page {number}").as_bytes())).unwrap();
    }
    std::fs::write(folder.path().join("350.txt"), b"\xff").unwrap();
    let all = discover(&[folder.path().to_str().unwrap().to_owned()], &neardup_corpus::FindOptions::default()).unwrap().sources;
    let (plain, markup): (Vec<_>, Vec<_>) = all.into_iter().partition(|source| source.format.name() == "txt");
    for chunk_bytes in [1, 100, 1 << 20] {
        let found =
            bench.run(chunk_bytes, OnError::Skip, |options| gather(read_together(&plain, &Fields::default(), options, &collect).unwrap()));
        assert_eq!(found.docs.len(), 699);
        assert!(found.docs.iter().all(|doc| doc.text == format!("text {}", doc.file) && doc.row == 1));
        assert_eq!((found.rejects[0].source.as_str(), found.rejects[0].row), ("350.txt", 1));
        let error =
            bench.run(chunk_bytes, OnError::Stop, |options| read_together(&plain, &Fields::default(), options, &collect).unwrap_err());
        assert!(error.to_string().starts_with("350.txt: invalid UTF-8"), "{error}");
        let found =
            bench.run(chunk_bytes, OnError::Stop, |options| gather(read_together(&markup, &Fields::default(), options, &collect).unwrap()));
        assert!(found.docs.len() == 700 && found.docs.iter().all(|doc| doc.text == format!("page {}", doc.file)));
    }
    let mixed = [plain[0].clone(), markup[0].clone()];
    assert!(bench.run(1, OnError::Stop, |options| read_together(&mixed, &Fields::default(), options, &collect).is_err()));
}

#[test]
fn many_sources_do_not_exhaust_open_files() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new();
    let mut kept = Vec::new();
    for number in 0..300 {
        let path = folder.path().join(format!("{number}.jsonl"));
        std::fs::write(&path, format!("{{\"text\":\"text {number}\"}}\n")).unwrap();
        let source = common::source(&path);
        kept.push(bench.run(1 << 20, OnError::Stop, |options| read(&source, &Fields::default(), options, &collect).unwrap()));
    }
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, |files| files.count());
    assert!(open < 220, "{open} files are open");
    for (number, read) in kept.iter().enumerate() {
        let text = read.texts.fetch(read.chunks[0][0].1, &mut Vec::new()).unwrap().decode().into_owned();
        assert_eq!(text, format!("text {number}"));
    }
}

#[test]
fn texts_and_places_can_be_shared_and_stored() {
    fn shared<T: Send + Sync>() {}
    shared::<neardup_corpus::CorpusTexts>();
    fn stored<T: bytemuck::Pod>() {}
    stored::<neardup_corpus::TextPlace>();
    stored::<SourceSpan>();
    assert_eq!((size_of::<neardup_corpus::TextPlace>(), size_of::<SourceSpan>()), (16, 16));
}
