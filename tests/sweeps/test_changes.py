"""The list of steps from sweep to sweep, compared with a direct classification."""

import csv
import io
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from command import Cli
from crawls import FERRY, LATER, OVEN, crawl
from following import follow
from neardup import UsageError
from neardup.sweeps import ListedStep, SweepStore
from neardup.sweeps.addition import name_text
from neardup.sweeps.change_report import MOST
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.kinds import KINDS
from terminal import on_a_terminal

DATES = ["2020", "2021-05", "2021-06-01T00:00:00+02:00", "1700000000"]
TEXTS = ["", FERRY, LATER, OVEN, f"{OVEN} {FERRY}"]


def make_store(folder: Path, seed: int) -> tuple[SweepStore, list[dict[str, str]]]:
    """Make a store whose pages stay, change, move, appear and vanish."""
    random = Random(seed)
    urls = [f"http://a/{number}" for number in range(12)]
    sweeps = [{url: random.choice(TEXTS) for url in random.sample(urls, 9)}]
    for _ in DATES[1:]:
        pages = {url: text if random.random() < 0.6 else random.choice(TEXTS) for url, text in sweeps[-1].items()}
        for url in random.sample(sorted(pages), 2):
            pages[random.choice(urls)] = pages.pop(url)
        sweeps.append(pages)
    store = SweepStore.create(folder)
    for date, pages in zip(DATES, sweeps, strict=True):
        store.add(crawl(pages), date)
    return store, sweeps


@pytest.mark.parametrize("seed", range(4))
def test_steps_are_those_of_a_direct_classification(tmp_path: Path, seed: int) -> None:
    store, sweeps = make_store(tmp_path / "store", seed)
    with store:
        evidence = TextEvidence({name_text(text): text for text in TEXTS}.__getitem__, store.scheme)
        expected = []
        named = [{url: name_text(text) for url, text in pages.items()} for pages in sweeps]
        followed = follow(named, evidence)
        for (start, end), sides, (steps, _) in zip(pairwise(DATES), pairwise(named), followed, strict=True):
            for step in steps:
                texts = sides[0].get(step.old or ""), sides[1].get(step.new or "")
                resemblance = step.overlap.resemblance if step.overlap else 1.0 if texts[0] == texts[1] else None
                known = None if None in texts else resemblance
                expected.append(
                    ListedStep(start, end, step.kind, step.old, step.new, known, step.remark, step.overlap, *texts)
                )
        assert list(store.changes(kinds=KINDS)) == expected
        stored = [step for step in expected if step.kind != "same"]
        assert list(store.changes()) == stored
        assert list(store.changes(DATES[1], "2021-05-31T22:00:00Z")) == [one for one in stored if one.start == DATES[1]]
        assert list(store.changes(start=DATES[2])) == [one for one in stored if one.start == DATES[2]]
        for kinds in ("moved", ["gone", "new"], ["same,moved", "changed"]):
            names = kinds.split(",") if isinstance(kinds, str) else ",".join(kinds).split(",")
            chosen = [step for step in expected if step.kind in names]
            assert list(store.changes(kinds=kinds)) == chosen
            for limit in (0, 1, 5, 100):
                for offset in range(len(chosen) + 2):
                    found = store.changes(kinds=kinds, limit=limit, offset=offset)
                    assert list(found) == chosen[offset : offset + limit]
            counts = store.count_changes(kinds=kinds)
            assert [(one.start, one.end) for one in counts] == list(pairwise(DATES))
            for one in counts:
                assert one.kinds == {
                    kind: sum(step.kind == kind and step.end == one.end for step in chosen)
                    for kind in KINDS
                    if kind in names
                }


def test_wrong_dates_and_kinds_are_refused_with_what_is_allowed(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store:
        assert list(store.changes()) == []
        with pytest.raises(UsageError, match=r"there is no sweep of 2020; it has no sweeps"):
            store.changes("2020")
        for date in ("2020", "2021", "2022"):
            store.add(crawl({"/1": f"{FERRY} {date}"}), date)
        for dates in (("2019", None), (None, "2023"), ("2020-02", "2022")):
            with pytest.raises(UsageError, match=r"there is no sweep of .*; its sweeps are of 2020, 2021, 2022"):
                store.changes(*dates)
        for dates in (("2021", "2021"), ("2022", "2020")):
            with pytest.raises(UsageError, match=f"{dates[0]} is not before {dates[1]}"):
                store.count_changes(*dates)
        with pytest.raises(UsageError, match='kind is "lost"; it is one of same, changed, moved, moved\\+changed, new'):
            store.changes(kinds="moved,lost")
        with pytest.raises(UsageError, match="neither is below 0"):
            store.changes(limit=-1)
        assert list(store.changes(start="2022")) == []


def test_a_list_is_of_one_state_of_the_store(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({f"/{number}": f"page {number}" for number in range(40)}), "2020")
        store.add(crawl({f"/{number}": f"page {number}" for number in range(20, 50)}), "2021")
        expected = list(store.changes())
        steps = store.changes()
        found = [next(steps)]
        # while the list is read, the same store answers and changes
        assert store.history("/1")[-1].kind == "gone"
        store.remove("2021")
        found += steps
        assert found == expected
        assert list(store.changes()) == []


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    store, _ = make_store(tmp_path / "store", 1)
    with store:
        everything = list(store.changes())
        moved = list(store.changes(DATES[1], kinds=["moved", "new"]))
    folder = tmp_path / "store"
    lines = cli("sweep", "changes", folder).stdout.splitlines()
    assert lines[0].split("\t") == ["from", "to", "kind", "resemblance", "old", "new", "remark"]
    assert len(lines) == len(everything) + 1
    first = everything[0]
    assert lines[1].split("\t")[:3] == [first.start, first.end, first.kind]
    assert lines[1].split("\t")[4:6] == [first.old or "", first.new or ""]
    chosen = ("--from", DATES[1], "--kind", "moved", "--kind", "new")
    answer = json.loads(cli("sweep", "changes", folder, *chosen, "--json").stdout)
    assert answer == [
        json.loads(json.dumps({**one._asdict(), "overlap": one.overlap}))
        | {"overlap": None if one.overlap is None else one.overlap._asdict()}
        for one in moved
    ]
    assert (
        cli("sweep", "changes", folder, "--from", DATES[1], "--kind", "moved,new", "--json").stdout
        == cli("sweep", "changes", folder, *chosen, "--json").stdout
    )
    assert json.loads(cli("sweep", "changes", folder, "--from", DATES[3], "--json").stdout) == []
    table = list(csv.DictReader(io.StringIO(cli("sweep", "changes", folder, "--csv").stdout)))
    assert [(one["kind"], one["old"] or None, one["new"] or None) for one in table] == [
        (one.kind, one.old, one.new) for one in everything
    ]
    assert "leave out one of --csv and --json" in cli("sweep", "changes", folder, "--csv", "--json", code=2).stderr
    assert "its sweeps are of 2020" in cli("sweep", "changes", folder, "--to", "2019", code=2).stderr
    assert "one of same, changed" in cli("sweep", "changes", folder, "--kind", "moving", code=2).stderr


def test_files(cli: Cli, tmp_path: Path) -> None:
    store, _ = make_store(tmp_path / "store", 2)
    with store:
        counts: Counter[str] = Counter()
        for one in store.count_changes():
            counts.update(one.kinds)
    folder, table, page = tmp_path / "store", tmp_path / "changes.csv", tmp_path / "changes.html"
    printed = cli("sweep", "changes", folder, "-o", table).stdout.splitlines()
    assert printed[0].split() == ["changes", *f"{counts.total()} steps in 3 intervals".split()]
    assert printed[-1].split() == ["file", str(table)]
    assert table.read_text() == cli("sweep", "changes", folder, "--csv").stdout
    assert "is there already" in cli("sweep", "changes", folder, "-o", table, code=2).stderr
    cli("sweep", "changes", folder, "-o", table, "--kind", "new", "--overwrite")
    assert table.read_text() == cli("sweep", "changes", folder, "--csv", "--kind", "new").stdout
    table.write_text("other,columns\n")
    message = cli("sweep", "changes", folder, "-o", table, "--overwrite", code=2).stderr
    assert "not a table of sweep changes" in message
    assert table.read_text() == "other,columns\n"
    assert "ends in .csv for a table" in cli("sweep", "changes", folder, "-o", tmp_path / "x.txt", code=2).stderr
    # an error leaves nothing behind
    cli("sweep", "changes", folder, "-o", tmp_path / "wrong.csv", "--kind", "lost", code=2)
    cli("sweep", "changes", folder, "-o", page)
    assert f"{counts.total()} steps of pages in 3 intervals" in page.read_text()
    assert "is there already" in cli("sweep", "changes", folder, "-o", page, code=2).stderr
    cli("sweep", "changes", folder, "-o", page, "--overwrite", "--to", "2021-05")
    assert "in 1 interval." in page.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["changes.csv", "changes.html", "store"]


def test_the_page_lists_a_bounded_number_of_each_kind(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store:
        for year in range(2000, 2004):
            store.add(crawl({f"/{year}/{number}": f"page {number} {year}" for number in range(400)}), str(year))
        report = store.report_changes(kinds="new,gone,moved")
    assert report.kinds == ("moved", "new", "gone")
    assert report.most == 200
    for interval in report.intervals:
        assert [(one.total, len(one.steps)) for one in interval.lists] == [(0, 0), (400, 200), (400, 200)]
        assert [one.new for one in interval.lists[1].steps] == sorted(str(one.new) for one in interval.lists[1].steps)
    assert len(report.intervals) * report.most * len(report.kinds) <= MOST * len(report.kinds)


def test_the_table_on_a_terminal(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({"http://museum.example/a/long/address/of/the/ferry.html": FERRY, "/oven": OVEN}), "2020-01-01")
        store.add(crawl({"http://museum.example/another/address/of/the/ferry": LATER}), "2020-02-01")
        assert {one.kind for one in store.changes()} == {"moved+changed", "gone"}
    shown = re.sub("\x1b\\[[0-9;]*m", "", on_a_terminal("sweep", "changes", tmp_path / "store", columns=80))
    assert max(len(line) for line in shown.splitlines()) <= 80
    # each URL begins a line, and continues below if it is too long
    assert [line[35:62] for line in shown.splitlines() if "http" in line] == [
        "http://museum.example/a/lon",
        "http://museum.example/anoth",
    ]
