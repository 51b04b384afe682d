"""A store of sweeps, held against clustering all of them at once and against counting by hand."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

import neardup
from conftest import Cli, write_records
from neardup import DataError, Document, EnvironmentFault, SweepStore, UsageError
from neardup.live.sweeps.adding import name_text
from neardup.live.sweeps.kinds import KINDS
from neardup.live.sweeps.texts import Texts
from oracle import is_blank
from test_cli import on_a_terminal
from texts import corpus

DATES = ["2020", "2021-05", "2021-06-01T00:00:00+02:00", "2023", "1700000000"]

FERRY = "The ferry to the lighthouse leaves the old harbour every hour from April on and takes bicycles for two coins."
LATER = "The ferry to the lighthouse leaves the old harbour every hour from May on and takes bicycles for two coins."
OVEN = "Heat the stone oven until its floor turns white then sweep out the ash and bake the flat loaves on bare stone."
LONG = f"A walk along the coast begins behind the mill and follows the shore to the west. {FERRY} Bring a warm coat."


def crawl(pages: dict[str, str]) -> list[Document]:
    return [Document(text, url=url) for url, text in pages.items()]


def random_sweeps(seed: int) -> dict[str, list[Document]]:
    """Sweeps of pages that stay, change, move between folders and servers, vanish and come back."""
    chance = Random(seed)
    texts = [doc.text for doc in corpus(chance.choice(["english", "korean", "mixed"]), seed, families=8)]
    urls = [f"http://{server}/{folder}/{name}.html" for server in "ab" for folder in "xy" for name in range(12)]
    sweeps = {}
    pages: dict[str, str] = {url: chance.choice(texts) for url in chance.sample(urls, 20)}
    for date in DATES:
        sweeps[date] = [Document(text, url=url) for url, text in pages.items()]
        for url in list(pages):
            fate = chance.randrange(8)
            if fate == 0:
                pages[url] = chance.choice(texts)
            elif fate == 1 and (target := chance.choice(urls)) not in pages:
                pages[target] = pages.pop(url)
            elif fate == 2 and len(pages) > 1:
                del pages[url]
        pages |= {url: chance.choice(texts) for url in chance.sample(urls, 3)}
    return sweeps


def fill(folder: Path, sweeps: dict[str, list[Document]], dates: Sequence[str] = DATES) -> SweepStore:
    store = SweepStore.create(folder)
    for date in dates:
        store.add(sweeps[date], date)
    return store


def dump(store: SweepStore) -> object:
    """All that a store says."""
    urls = sorted({one.url for one in store.sightings()})
    asked = [(store.locate(url), store.history(url), store.contacts(url)) for url in urls]
    return list(store.sightings()), store.stats(), asked


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SweepStore]:
    with SweepStore.create(tmp_path / "store") as store:
        yield store


@pytest.mark.parametrize("seed", range(6))
def test_clusters_are_those_of_all_sweeps_at_once(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "store", sweeps) as store:
        found = list(store.sightings())
    everything = [Document(page.text, f"{at} {page.url}") for at, date in enumerate(DATES) for page in sweeps[date]]
    table = neardup.cluster(everything).clusters
    expected = {one: {one} for one in (document.id for document in everything)}
    groups: dict[str, set[str | None]] = {}
    for name, cluster in zip(table.column("id"), table.column("cluster"), strict=True):
        groups.setdefault(cluster, set()).add(name)
    for group in groups.values():
        expected |= dict.fromkeys(group, group)  # type: ignore[arg-type]
    grown: dict[str, set[str]] = {}
    for sighting in found:
        # a blank page is alone
        name = f"{DATES.index(sighting.date)} {sighting.url}"
        grown.setdefault(sighting.cluster or name, set()).add(name)
    assert {frozenset(group) for group in grown.values()} == {frozenset(group) for group in expected.values()}  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_adding_changes_nothing(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "in order", sweeps) as store:
        expected = dump(store)
    shuffled = Random(seed).sample(DATES, len(DATES))
    with fill(tmp_path / "shuffled", {date: sweeps[date][::-1] for date in DATES}, shuffled) as store:
        assert dump(store) == expected
        # a sweep replaced by itself, after it was another
        store.add(crawl({"http://c/": OVEN}), DATES[2], overwrite=True)
        assert dump(store) != expected
        store.add(sweeps[DATES[2]], DATES[2], overwrite=True)
        assert dump(store) == expected
        assert len(store._texts) == store.stats().texts


@pytest.mark.parametrize("seed", range(4))
def test_statistics_are_those_of_counting_by_hand(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "store", sweeps) as store:
        stats = store.stats()
        histories = {
            tuple((visit.date, visit.url) for visit in store.history(page.url) if visit.kind != "gone")
            for date in DATES
            for page in sweeps[date]
        }
    assert stats.pages == [len(sweeps[date]) for date in DATES]
    assert stats.texts == len({page.text for date in DATES for page in sweeps[date] if not is_blank(page.text)})
    for at, interval in enumerate(stats.intervals):
        old, new = ({page.url: page.text for page in sweeps[date]} for date in DATES[at : at + 2])
        kinds = interval.kinds
        assert kinds["same"] == sum(new.get(url) == text for url, text in old.items())
        assert kinds["changed"] == sum(new.get(url, text) != text for url, text in old.items())
        moves = kinds["moved"] + kinds["moved+changed"]
        assert kinds["gone"] == len(old.keys() - new.keys()) - moves
        assert kinds["new"] == len(new.keys() - old.keys()) - moves
        assert moves == interval.within + interval.between
        assert sum(interval.amount) <= kinds["changed"] + kinds["moved+changed"]
    born = [sum(one.kinds["new"] for one in stats.intervals[at - 1 : at]) or 0 for at in range(1, len(DATES))]
    assert [cohort.alive[0] for cohort in stats.cohorts] == [len(sweeps[DATES[0]]), *born]
    assert stats.lives == sum(cohort.alive[0] for cohort in stats.cohorts)
    assert stats.lives - stats.ended == len(sweeps[DATES[-1]]) == sum(cohort.alive[-1] for cohort in stats.cohorts)
    for place in range(len(DATES)):
        assert (
            sum(cohort.alive[place - at] for at, cohort in enumerate(stats.cohorts[: place + 1])) == stats.pages[place]
        )
    assert sum(sum(times * pages for times, pages in stats.changes.items()) for _ in [0]) == sum(
        one.kinds["changed"] + one.kinds["moved+changed"] for one in stats.intervals
    )
    assert histories


def test_lives(store: SweepStore) -> None:
    store.add(crawl({"http://a/1": FERRY, "http://a/2": OVEN}), "2020-01-01")
    store.add(crawl({"http://b/1": FERRY, "http://a/3": "Three short words."}), "2020-01-11")
    store.add(crawl({"http://b/1": LATER, "http://a/3": "Three short words."}), "2020-01-31")
    store.add(crawl({"http://b/1": LATER, "http://a/2": OVEN}), "2020-02-10")
    stats = store.stats()
    assert [tuple(one.kinds.values()) for one in stats.intervals] == [
        (0, 0, 1, 0, 1, 1),
        (1, 1, 0, 0, 0, 0),
        (1, 0, 0, 0, 1, 1),
    ]
    assert [(one.within, one.between, one.days) for one in stats.intervals] == [(0, 1, 10), (0, 0, 20), (0, 0, 10)]
    assert [cohort.alive for cohort in stats.cohorts] == [[2, 1, 1, 1], [1, 1, 0], [0, 0], [1]]
    assert (stats.lives, stats.ended, stats.lifetime) == (4, 2, 20)
    assert stats.changes == {0: 1, 1: 1}
    shared = len(neardup.explain(FERRY, LATER).passages) and neardup.explain(FERRY, LATER)
    assert shared
    assert stats.intervals[1].resemblance == pytest.approx(shared.resemblance, abs=1e-6)
    assert stats.intervals[1].amount[int(shared.resemblance * 10)] == 1
    assert json.loads(stats.json)["intervals"][0]["kinds"] == dict(zip(KINDS, (0, 0, 1, 0, 1, 1), strict=True))


def test_lost_and_found(store: SweepStore) -> None:
    store.add(crawl({"http://a/ferry.html": FERRY, "http://a/oven.html": OVEN}), "2020")
    store.add(crawl({"http://a/ferry.html": LATER, "http://b/oven.html": OVEN}), "2021")
    store.add(crawl({"http://b/ships/ferry.html": LATER, "http://c/bread": OVEN, "http://c/copy": FERRY}), "2022")
    store.add(crawl({"http://c/bread": OVEN, "http://c/copy": FERRY}), "2023")
    found = store.locate("http://a/ferry.html")
    assert [(one.url, one.date, one.way) for one in found] == [
        ("http://c/copy", "2023", "near"),
        ("http://b/ships/ferry.html", "2022", "moved"),
        ("http://a/ferry.html", "2021", "identical"),
    ]
    # both texts share all shingles but the five that hold the month, or all
    assert [tuple(one.overlap or ()) for one in found] == [(12, 17, 17), (17, 17, 17), (17, 17, 17)]
    assert [(one.url, one.date, one.way) for one in store.locate("http://a/oven.html")] == [
        ("http://c/bread", "2023", "moved"),
        ("http://b/oven.html", "2021", "identical"),
        ("http://a/oven.html", "2020", "identical"),
    ]
    assert store.locate("http://c/copy")[0].way == "stays"
    assert [(one.date, one.kind, one.url) for one in store.history("http://b/ships/ferry.html")] == [
        ("2020", None, "http://a/ferry.html"),
        ("2021", "changed", "http://a/ferry.html"),
        ("2022", "moved", "http://b/ships/ferry.html"),
        ("2023", "gone", "http://b/ships/ferry.html"),
    ]
    assert store.history("http://a/ferry.html") == store.history("http://b/ships/ferry.html")
    with pytest.raises(DataError, match="no sweep of this store saw http://nowhere/"):
        store.locate("http://nowhere/")
    with pytest.raises(DataError, match="no sweep of this store saw"):
        store.history("")


def test_a_page_that_comes_back(store: SweepStore) -> None:
    sweeps = [
        {"/x": FERRY, "/z": OVEN},
        {"/z": OVEN},
        {"/z": OVEN},
        {"/x": FERRY, "/z": ""},
        {"/x": FERRY, "/z": " \n"},
    ]
    for year, pages in enumerate(sweeps):
        store.add(crawl(pages), str(2000 + year))
    assert [(one.date, one.kind) for one in store.history("/x")] == [
        ("2000", None),
        ("2001", "gone"),
        ("2003", "new"),
        ("2004", "same"),
    ]
    assert [(one.date, one.kind) for one in store.history("/z")][2:] == [
        ("2002", "same"),
        ("2003", "changed"),
        ("2004", "same"),
    ]
    # of a blank page nothing but its URL is known
    assert [(one.url, one.way, one.overlap) for one in store.locate("/z")] == [("/z", "stays", None)]
    assert store.contacts("/z") == []
    assert store.contacts(text=" \u3000") == []


def test_contacts(store: SweepStore) -> None:
    part = " ".join(FERRY.split()[:12])
    store.add(crawl({"/walk": LONG, "/ferry": FERRY, "/part": part, "/oven": OVEN}), "2020")
    store.add(crawl({"/walk": LONG, "/ferry": LATER, "/copy": FERRY, "/shout": FERRY.upper()}), "2021")
    rows = [(one.url, one.holds, one.first, one.last, one.current) for one in store.contacts(text=FERRY)]
    assert rows == [
        ("/copy", "identical", "2021", "2021", True),
        ("/shout", "changed", "2021", "2021", True),
        ("/ferry", "part", "2021", "2021", True),
        ("/walk", "whole", "2020", "2021", True),
        ("/ferry", "identical", "2020", "2020", False),
        ("/part", "part", "2020", "2020", False),
    ]
    assert store.contacts("/copy") == store.contacts(text=FERRY)
    [walk] = [one for one in store.contacts(text=FERRY) if one.url == "/walk"]
    assert (walk.overlap.left_in_right, walk.overlap.shared, store.text(walk.text)) == (1.0, 17, LONG)
    assert [one.url for one in store.contacts(text=FERRY, threshold=1) if one.holds == "part"] == ["/part"]
    assert [one.holds for one in store.contacts(text="A text that nobody has ever put on any page at all.")] == []
    for given in ({}, {"url": "/copy", "text": FERRY}):
        with pytest.raises(UsageError, match="one of them"):
            store.contacts(**given)
    with pytest.raises(UsageError, match="threshold"):
        store.contacts("/copy", threshold="2")


def test_only_new_texts_are_signed(store: SweepStore, monkeypatch: pytest.MonkeyPatch) -> None:
    signed: list[str] = []
    add = Texts.add

    def watch(self: Texts, documents: Sequence[Document]) -> None:
        signed.extend(document.text for document in documents)
        add(self, documents)

    monkeypatch.setattr(Texts, "add", watch)
    first = store.add(crawl({"/1": FERRY, "/2": OVEN, "/3": OVEN, "/4": "", "/5": "\u2003"}), "2020")
    assert signed == [FERRY, OVEN]
    assert (first.pages, first.blank, first.new_texts, first.repeated, first.kinds) == (5, 2, 2, 0, None)
    second = store.add([*crawl({"/1": FERRY, "/2": LATER, "/9": OVEN}), *crawl({"/1": LONG})], "2021")
    assert signed == [FERRY, OVEN, LATER]
    assert (second.pages, second.new_texts, second.repeated) == (3, 1, 1)
    assert second.kinds == {"same": 1, "changed": 1, "moved": 1, "moved+changed": 0, "new": 0, "gone": 2}


def test_a_date_stands_once(store: SweepStore) -> None:
    store.add(crawl({"/1": FERRY}), "2020")
    for again in ("2020-01-01", "2020-01-01T01:00:00+01:00", "1577836800", 1577836800):
        with pytest.raises(UsageError, match="the sweep of 2020 is there already"):
            store.add(crawl({"/1": FERRY}), again)
    for wrong in ("yesterday", "2020-13", ""):
        with pytest.raises(UsageError, match="RFC 3339"):
            store.add(crawl({"/1": FERRY}), wrong)
    with pytest.raises(UsageError, match="at least one page"):
        store.add([], "2021")
    with pytest.raises(UsageError, match="at least one page"):
        store.add([], "2020", overwrite=True)
    assert store.dates == ["2020"]


def test_an_interrupted_sweep_leaves_nothing(store: SweepStore) -> None:
    store.add(crawl({"/1": FERRY, "/2": OVEN}), "2020")
    before = dump(store)

    def pages() -> Iterator[Document]:
        for number in range(2500):
            yield Document(f"{LONG} {number}", url=f"/{number}")
        raise KeyboardInterrupt

    for options in ({}, {"overwrite": True}):
        with pytest.raises(KeyboardInterrupt):
            store.add(pages(), "2020" if options else "2021", **options)  # type: ignore[arg-type]
        assert dump(store) == before
    with pytest.raises(DataError, match="document 2: there is no URL"):
        store.add([Document(LONG, url="/3"), Document(LONG)], "2021")
    assert dump(store) == before
    store.add(crawl({"/1": FERRY, "/2": OVEN}), "2021")
    assert store._texts.ids() == {name_text(FERRY), name_text(OVEN)}


def test_a_killed_process_leaves_no_half_sweep(tmp_path: Path) -> None:
    with fill(tmp_path / "store", {"2020": crawl({"/1": FERRY, "/2": OVEN})}, ["2020"]) as store:
        before = dump(store)
    script = f"""
import sys, time
from neardup import Document, SweepStore
def pages():
    for number in range(3000):
        yield Document(f"a page of its own, the one of number {{number}}", url=f"/{{number}}")
    print("far", flush=True)
    time.sleep(60)
SweepStore({str(tmp_path / "store")!r}).add(pages(), "2021")
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"far\n"
    # while it writes, others read, and wait in vain to write
    with SweepStore(tmp_path / "store") as store:
        assert store.dates == ["2020"]
        store._connection.execute("PRAGMA busy_timeout = 10")
        with pytest.raises(EnvironmentFault, match="another process is writing"):
            store.add(crawl({"/1": FERRY}), "2022")
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    process.stdout.close()
    with SweepStore(tmp_path / "store") as store:
        assert dump(store) == before
        store.add(crawl({"/1": FERRY, "/2": LATER}), "2021")
        assert store._texts.ids() == {name_text(FERRY), name_text(OVEN), name_text(LATER)}


def test_what_is_no_store(tmp_path: Path, store: SweepStore) -> None:
    with pytest.raises(DataError, match="no store of sweeps"):
        SweepStore(tmp_path / "nothing")
    with pytest.raises(UsageError, match="not empty"):
        SweepStore.create(tmp_path / "store")
    with pytest.raises(UsageError, match="leave out threshold"):
        SweepStore.create(tmp_path / "new", scheme="henzinger", threshold=0.5)
    with pytest.raises(UsageError, match="there is no"):
        SweepStore.create(tmp_path / "new", scheme="nobody")
    assert not (tmp_path / "new").exists()
    store.close()
    path = tmp_path / "store" / "sweeps.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(DataError, match="its format is 7"):
        SweepStore(tmp_path / "store")
    path.write_bytes(b"no database, only some text " * 100)
    with pytest.raises(DataError, match=r"sweeps\.sqlite"):
        SweepStore(tmp_path / "store")


def test_a_scheme_of_its_own(tmp_path: Path) -> None:
    with SweepStore.create(
        tmp_path / "store", scheme="chars | shingles:3 | minhash:auto | bands:auto | resemblance>=0.6"
    ) as store:
        store.add(crawl({"/1": "나비는 봄에 꽃밭을 날아다닌다", "/2": OVEN}), "2020")
        store.add(crawl({"/3": "나비가 봄에 꽃밭을 날아다닌다", "/2": OVEN}), "2021")
        [interval] = store.stats().intervals
        assert interval.kinds["moved+changed"] == 1
        assert store.locate("/1")[0].url == "/3"
    with SweepStore(tmp_path / "store") as store:
        assert store.scheme.startswith("chars | shingles:3 | minhash:")


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = write_records(tmp_path / "first.jsonl", [{"url": "/1", "text": FERRY}, {"url": "/2", "text": OVEN}])
    second = write_records(
        tmp_path / "second.jsonl",
        [{"link": "/new/1", "html": f"<p>{FERRY}</p>"}, {"link": "/2", "html": f"<p>{LONG}</p>"}, {"html": "<p>no"}],
    )
    assert "2 signed" in cli("sweep", "add", store, first, "--date", "2020", "--threshold", "0.7").stdout
    fields = ("--url-field", "link", "--html-field", "html")
    assert "there is no URL" in cli("sweep", "add", store, second, "--date", "2021", *fields, code=1).stderr
    added = json.loads(
        cli("sweep", "add", store, second, "--date", "2021", *fields, "--on-error", "skip", "--json", code=3).stdout
    )
    assert added["kinds"] == {"same": 0, "changed": 1, "moved": 1, "moved+changed": 0, "new": 0, "gone": 0}
    assert [reject["row"] for reject in added["rejects"]] == [3]
    assert "is there already" in cli("sweep", "add", store, first, "--date", "2020-01", code=2).stderr
    assert cli("sweep", "add", store, first, "--date", "2020-01", "--overwrite", "--quiet").stdout == ""
    wrong = [("--scheme", "henzinger"), ("--threshold", "0.9")]
    for option in wrong:
        assert (
            "chosen by its first sweep" in cli("sweep", "add", store, first, "--date", "2022", *option, code=2).stderr
        )
    (tmp_path / "urls.txt").write_text("/1\n")
    assert "list of URLs" in cli("sweep", "add", store, tmp_path / "urls.txt", "--date", "2022", code=2).stderr

    rows = cli("sweep", "locate", store, "/1").stdout.splitlines()
    assert rows == ["date\tfound\tresemblance\turl", "2021\tmoved\t1.0000\t/new/1", "2020-01\tidentical\t1.0000\t/1"]
    [found, _] = json.loads(cli("sweep", "locate", store, "/1", "--json").stdout)
    assert found == {
        "url": "/new/1",
        "date": "2021",
        "way": "moved",
        "overlap": {"shared": 17, "left_size": 17, "right_size": 17},
    }
    assert cli("sweep", "history", store, "/2").stdout.splitlines() == [
        "date\tkind\tresemblance\turl",
        "2020-01\t\t\t/2",
        "2021\tchanged\t0.0000\t/2",
    ]
    assert json.loads(cli("sweep", "history", store, "/2", "--json").stdout)[1]["kind"] == "changed"
    assert "no sweep of this store saw" in cli("sweep", "history", store, "/3", code=1).stderr
    assert "no store of sweeps" in cli("sweep", "stats", tmp_path / "nothing", code=1).stderr

    (tmp_path / "asked.html").write_text(f"<h1>{FERRY}</h1>")
    for asked in ("/1", tmp_path / "asked.html"):
        told = cli("sweep", "contacts", store, asked, "--diff").stdout
        assert told.splitlines()[1:3] == [
            "2021\t2021\tidentical\t1.0000\t1.0000\t/new/1",
            "2021\t2021\twhole\t1.0000\t0.4857\t/2",
        ]
        assert "{+A walk along the coast" in told
    assert len(json.loads(cli("sweep", "contacts", store, "/1", "--json").stdout)) == 3

    page = tmp_path / "page.html"
    lines = cli("sweep", "stats", store, "-o", page).stdout.splitlines()
    assert lines[0] == "from\tto\tdays\tsame\tchanged\tmoved\tmoved+changed\tnew\tgone\twithin\tbetween\tresemblance"
    assert lines[1] == "2020-01\t2021\t366\t0\t1\t1\t0\t0\t0\t1\t0\t0.0000"
    assert "2 pages in 2 sweeps" in page.read_text()
    assert "is there already" in cli("sweep", "stats", store, "-o", page, code=2).stderr
    assert json.loads(cli("sweep", "stats", store, "-o", page, "--overwrite", "--json").stdout)["lives"] == 2
    assert "cannot be written" in cli("sweep", "stats", store, "-o", tmp_path / "no" / "page.html", code=1).stderr
    shown = on_a_terminal("sweep", "stats", store, columns=80)
    assert max(map(len, shown.splitlines())) < 200
    assert "resem-" in shown


def test_hostile_urls_stay_in_their_cells(cli: Cli, tmp_path: Path) -> None:
    evil = "http://a/'; DROP TABLE page; --\u001b[31m\u202e"
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({evil: FERRY}), "2020")
        store.add(crawl({f"{evil}2": FERRY}), "2021")
        assert store.locate(evil)[0].url == f"{evil}2"
    told = cli("sweep", "locate", tmp_path / "store", evil).stdout
    assert "\u001b" not in told
    assert "\u202e" not in told
