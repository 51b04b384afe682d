//! The page of sweeps: its figures are right, dates are escaped, and words replace empty charts.

use crate::html::{EVIL, assert_harmless, attributes, valid, words};
use neardup_report::*;

fn interval(start: &str, end: &str) -> SweepInterval {
    SweepInterval {
        start: start.into(),
        end: end.into(),
        days: 31.0,
        pages: 1_040,
        kinds: Kinds { same: 900, changed: 80, moved: 30, moved_changed: 10, new: 20, gone: 5, replaced: 3 },
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
    valid(render_sweeps(sweeps).unwrap())
}

#[test]
fn figures_appear_on_the_page() {
    let page = page(&sweeps());
    assert_eq!(words(&page, "h1"), ["1,020 pages in 3 sweeps, 750 of them gone."]);
    assert_eq!(words(&page, ".cards b"), ["3", "1,055", "1,300", "60"]);
    let rows = words(&page, "#intervals tbody tr:nth-child(odd)");
    assert_eq!(rows, ["2024-01 2024-02 31 900 80 30 10 20 5 3 38 / 2 0.938", "2024-02 2024-04 31 900 80 30 10 20 5 3 38 / 2 0.938"]);
    assert_eq!(words(&page, "#lives tbody tr"), ["2024-01 1,000 500 250", "2024-02 20 20", "2024-04 0"]);
}

#[test]
fn parts_of_a_bar_fill_it_and_all_are_visible() {
    let mut sweeps = sweeps();
    sweeps.intervals[0].kinds = Kinds { same: 1_000_000, changed: 0, moved: 1, moved_changed: 0, new: 1_000_000, gone: 0, replaced: 0 };
    let page = page(&sweeps);
    let bar = |number: u32, name: &str| -> Vec<f64> {
        attributes(&page, &format!("#intervals tr:nth-child({}) .fate rect", 2 * number), name)
            .iter()
            .map(|at| at.parse().unwrap())
            .collect()
    };
    // Three parts with gaps of 0.25 and at least 0.3 for each: two get half of the remaining width, the third almost nothing more.
    assert_eq!((bar(1, "x"), bar(1, "width")), (vec![0.0, 49.85, 50.4], vec![49.6, 0.3, 49.6]));
    let (x, width) = (bar(2, "x"), bar(2, "width"));
    assert_eq!(width.len(), 7);
    assert!(width.is_sorted_by(|a, b| a > b || *a > 0.3) && width[0] > 80.0 && width[0] < 86.0);
    assert!((x[6] + width[6] - 100.0).abs() < 0.1);
}

#[test]
fn plots_are_the_same_alone_and_on_the_page() {
    for sweeps in [sweeps(), Sweeps { intervals: vec![], dates: vec![], times: vec![], cohorts: vec![], ..sweeps() }] {
        let plots = render_sweeps_plots(&sweeps).unwrap();
        assert!(page(&sweeps).contains(&format!("<main>\n{plots}</main>")));
        assert!(!plots.contains(" style=") && !plots.contains("<style"));
    }
    let plots = render_sweeps_plots(&sweeps()).unwrap();
    valid(format!("<!DOCTYPE html><html lang=\"en\"><head><title>plots</title></head><body><main>{plots}</main></body></html>"));
    assert_eq!(words(&plots, "h2"), ["From sweep to sweep", "Changes", "Lives", "Words"]);
    for class in attributes(&plots, "svg [class]", "class").iter().flat_map(|classes| classes.split(' ')) {
        assert!(STYLE.contains(&format!(".{class}")), "{class}");
    }
}

#[test]
fn bars_and_lines_have_the_right_heights() {
    let page = page(&sweeps());
    // 50 in each of both intervals are 100, the highest bar; 10 in each are a fifth of it.
    let heights = attributes(&page, "#amount .two section:first-child rect", "height");
    assert_eq!(heights.iter().filter(|height| *height == "100.00").count(), 1);
    assert!(heights.contains(&"20.00".to_owned()));
    // The last bar contains pages of more than 12 changes.
    assert_eq!(attributes(&page, "#amount .two section + section rect", "height"), ["100.00", "28.57", "0.43"]);
    // A cohort loses half, and then half of the rest; a cohort without pages has no line. The time axis is to scale.
    let lines = attributes(&page, "#lives path.series", "d");
    assert_eq!(lines, ["M0.00 0.00L34.07 50.00L100.00 75.00", "M34.07 0.00L100.00 0.00"]);
}

#[test]
fn fewer_than_two_sweeps_are_stated_in_words() {
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
fn statistics_are_unchanged_through_json() {
    let json = serde_json::to_string(&sweeps()).unwrap();
    assert!(json.contains("\"moved+changed\":10"));
    assert_eq!(serde_json::from_str::<Sweeps>(&json).unwrap(), sweeps());
}

#[test]
fn dates_below_the_chart_do_not_overlap() {
    let days: Vec<i64> = vec![0, 100, 102, 104, 500, 950, 990, 1_000];
    let dates: Vec<String> = days.iter().map(|day| format!("day {day}")).collect();
    let cohorts = dates.iter().enumerate().map(|(birth, date)| Cohort { date: date.clone(), alive: vec![1; days.len() - birth] });
    let cohorts = cohorts.collect();
    let page = page(&Sweeps { times: days, dates, cohorts, ..sweeps() });
    assert_eq!(words(&page, "#lives .plot .x"), ["day 0", "day 500", "day 1000"]);
}
