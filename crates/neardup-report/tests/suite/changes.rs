//! The page of changes: its figures are right, names are escaped, and what is left out is counted.

use crate::html::{EVIL, assert_harmless, attributes, valid, words};
use neardup_report::*;

fn step(old: Option<&str>, new: Option<&str>) -> ListedStep {
    ListedStep { old: old.map(Into::into), new: new.map(Into::into), resemblance: None, remark: None }
}

fn interval(moved: u64, gone: u64) -> ChangedInterval {
    let moved = StepList { total: moved, steps: vec![ListedStep { resemblance: Some(1.0), ..step(Some("/a"), Some("/b")) }] };
    let gone = StepList { total: gone, steps: (0..gone.min(2)).map(|_| step(Some("/c"), None)).collect() };
    ChangedInterval { lists: vec![moved, gone] }
}

fn changes() -> SweepChanges {
    SweepChanges {
        neardup: "0.1.0".into(),
        dates: vec!["2024-01".into(), "2024-02".into(), "2024-04".into()],
        times: vec![1_704_067_200, 1_706_745_600, 1_711_929_600],
        kinds: vec!["moved".into(), "gone".into()],
        most: 2,
        intervals: vec![interval(1, 0), interval(1_000, 1_000)],
    }
}

fn page(changes: &SweepChanges) -> String {
    valid(render_changes(changes).unwrap())
}

#[test]
fn figures_appear_on_the_page() {
    let page = page(&changes());
    assert_eq!(words(&page, "h1"), ["2,001 steps of pages in 2 intervals."]);
    assert_eq!(words(&page, "#timeline tbody tr"), ["2024-01 2024-02 1 0 1", "2024-02 2024-04 1,000 1,000 2,000"]);
    assert_eq!(words(&page, "#interval-1 summary"), ["moved 1 step"]);
    assert_eq!(words(&page, "#interval-2 summary"), ["moved 1,000 steps, the first 1 listed", "gone 1,000 steps, the first 2 listed"]);
    assert_eq!(words(&page, "#interval-2 td"), ["/a to /b", "1.000", "/c", "–", "/c", "–"]);
    assert!(words(&page, ".lead")[0].contains("4 of them are listed here, at most 2 of each kind in each interval"));
}

#[test]
fn a_bar_reaches_from_sweep_to_sweep_and_has_a_part_for_each_kind() {
    let page = page(&changes());
    let bar = |name: &str| -> Vec<f64> { attributes(&page, ".plot rect", name).iter().map(|value| value.parse().unwrap()).collect() };
    // January has 31 of 91 days; its only step is a thin bar, and the second bar is behind that of half its height
    let ends = 100.0 * 31.0 / 91.0;
    assert!(bar("x").iter().zip([0.0, ends, ends]).all(|(found, expected)| (found - expected).abs() < 0.01));
    assert_eq!(bar("height"), [0.05, 100.0, 50.0]);
    assert_eq!(attributes(&page, ".plot rect", "class"), ["kind moved", "kind gone", "kind moved"]);
    assert_eq!(
        words(&page, ".plot rect title"),
        ["2024-01 to 2024-02: 1 moved", "2024-02 to 2024-04: 1,000 gone", "2024-02 to 2024-04: 1,000 moved"]
    );
}

#[test]
fn all_steps_are_listed_without_a_note() {
    let mut changes = changes();
    changes.intervals = vec![interval(1, 1)];
    changes.dates.pop();
    changes.times.pop();
    let page = page(&changes);
    assert_eq!(words(&page, "h1"), ["2 steps of pages in 1 interval."]);
    assert!(!page.contains("of them are listed"));
}

#[test]
fn words_replace_an_empty_timeline() {
    let none = SweepChanges { intervals: vec![], dates: vec![], times: vec![], ..changes() };
    assert!(words(&page(&none), ".lead")[0].contains("no two sweeps"));
    let still = SweepChanges { intervals: vec![interval(0, 0), interval(0, 0)], ..changes() };
    assert_eq!(words(&page(&still), "#timeline > p"), ["There are no steps of these kinds."]);
}

#[test]
fn names_are_escaped() {
    let evil = ListedStep { remark: Some(EVIL.into()), ..step(Some(EVIL), Some(EVIL)) };
    let mut changes = changes();
    changes.dates[0] = EVIL.into();
    changes.intervals[0].lists[0].steps = vec![evil, step(None, Some(EVIL))];
    assert_harmless(&page(&changes));
}
