//! The page about sweeps: true figures, harmless dates, words where there is nothing to draw.

use crate::html::{EVIL, assert_harmless, attributes, words};
use neardup_report::*;

fn interval(start: &str, end: &str) -> Interval {
    Interval {
        start: start.into(),
        end: end.into(),
        days: 31.0,
        pages: 1_040,
        kinds: Kinds { same: 900, changed: 80, moved: 30, moved_changed: 10, new: 20, gone: 5 },
        within: 38,
        between: 2,
        amount: vec![1, 0, 0, 0, 0, 2, 3, 4, 10, 50, 20],
        resemblance: Some(0.9375),
    }
}

fn sweeps() -> Sweeps {
    Sweeps {
        neardup: "0.1.0".into(),
        scheme: "words | shingles:5".into(),
        dates: vec!["2024-01".into(), "2024-02".into(), "2024-04".into()],
        times: vec![1_704_067_200, 1_706_745_600, 1_711_929_600],
        pages: vec![1_025, 1_040, 1_055],
        texts: 1_300,
        intervals: vec![interval("2024-01", "2024-02"), interval("2024-02", "2024-04")],
        cohorts: vec![
            Cohort { date: "2024-01".into(), alive: vec![1_000, 500, 250] },
            Cohort { date: "2024-02".into(), alive: vec![20, 20] },
            Cohort { date: "2024-04".into(), alive: vec![0] },
        ],
        lives: 1_020,
        ended: 750,
        lifetime: Some(60.0),
        changes: [(0, 700), (1, 200), (40, 3)].into(),
    }
}

fn page(sweeps: &Sweeps) -> String {
    render_sweeps(sweeps).unwrap()
}

#[test]
fn figures_stand_on_the_page() {
    let page = page(&sweeps());
    assert_eq!(words(&page, "h1"), ["1,020 pages in 3 sweeps, 750 of them gone."]);
    assert_eq!(words(&page, ".cards b"), ["3", "1,055", "1,300", "60"]);
    let rows = words(&page, "#intervals tbody tr:nth-child(odd)");
    assert_eq!(rows, ["2024-01 2024-02 31 900 80 30 10 20 5 38 / 2 0.938", "2024-02 2024-04 31 900 80 30 10 20 5 38 / 2 0.938"]);
    assert_eq!(attributes(&page, "#intervals .fate:first-child i", "style")[..2], ["flex-grow:900", "flex-grow:80"]);
    assert_eq!(words(&page, "#lives tbody tr"), ["2024-01 1,000 500 250", "2024-02 20 20", "2024-04 0"]);
}

#[test]
fn bars_and_lines_have_their_heights() {
    let page = page(&sweeps());
    // 50 of both intervals make 100, the highest bar; 10 of both a fifth of it.
    let heights = attributes(&page, "#amount .two section:first-child rect", "height");
    assert_eq!(heights.iter().filter(|height| *height == "100.00").count(), 1);
    assert!(heights.contains(&"20.00".to_owned()));
    // More than 12 changes stand in the last bar.
    assert_eq!(attributes(&page, "#amount .two section + section rect", "height"), ["100.00", "28.57", "0.43"]);
    // A cohort loses half, and half of that; one without pages has no line. The axis of time is to scale.
    let lines = attributes(&page, "#lives path.series", "d");
    assert_eq!(lines, ["M0.00 0.00L34.07 50.00L100.00 75.00", "M34.07 0.00L100.00 0.00"]);
}

#[test]
fn few_sweeps_are_told_in_words() {
    let empty = Sweeps {
        dates: vec![],
        times: vec![],
        pages: vec![],
        intervals: vec![],
        cohorts: vec![],
        changes: Default::default(),
        lifetime: None,
        lives: 0,
        ended: 0,
        texts: 0,
        ..sweeps()
    };
    for page in [page(&empty), page(&Sweeps { dates: vec!["2024".into()], times: vec![1_704_067_200], pages: vec![7], ..empty.clone() })] {
        assert!(words(&page, "#intervals p")[0].contains("fewer than two sweeps"));
        assert!(words(&page, "#lives p")[0].contains("fewer than two sweeps"));
        assert_eq!(words(&page, "#amount section p"), ["No text changed.", "No page was seen in two sweeps."]);
        assert!(!page.contains("NaN") && !page.contains("inf%"));
    }
}

#[test]
fn nothing_is_loaded_and_hostile_dates_stay_dates() {
    let mut sweeps = sweeps();
    (sweeps.scheme, sweeps.dates[0], sweeps.intervals[0].start, sweeps.cohorts[0].date) =
        (EVIL.into(), EVIL.into(), EVIL.into(), EVIL.into());
    assert_harmless(&page(&sweeps));
}

#[test]
fn statistics_survive_json() {
    let json = serde_json::to_string(&sweeps()).unwrap();
    assert!(json.contains("\"moved+changed\":10"));
    assert_eq!(serde_json::from_str::<Sweeps>(&json).unwrap(), sweeps());
}

#[test]
fn dates_below_the_chart_have_room() {
    let days: Vec<i64> = vec![0, 100, 102, 104, 500, 950, 990, 1_000];
    let dates: Vec<String> = days.iter().map(|day| format!("day {day}")).collect();
    let cohorts = dates.iter().enumerate().map(|(birth, date)| Cohort { date: date.clone(), alive: vec![1; days.len() - birth] });
    let cohorts = cohorts.collect();
    let page = page(&Sweeps { times: days, dates, cohorts, ..sweeps() });
    assert_eq!(words(&page, "#lives .plot .x"), ["day 0", "day 500", "day 1000"]);
}
