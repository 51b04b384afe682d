"""A store of sweeps, compared with a clustering of all sweeps at once and with slow direct counts."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

import neardup
from crawls import FERRY, LATER, LONG, OVEN, crawl
from following import follow
from neardup import DataError, Document, EnvironmentFault, Index, NeardupError, UsageError
from neardup.index import Admission
from neardup.sweeps import SweepStore
from neardup.sweeps.addition import name_text
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.kinds import PageStep
from neardup.urls import UrlRules
from oracle import is_blank
from texts import corpus

DATES = ["2020", "2021-05", "2021-06-01T00:00:00+02:00", "2023", "1700000000"]


Sweeps = dict[str, dict[str, str]]
"""The texts by date and URL."""


def random_sweeps(seed: int) -> Sweeps:
    """Make sweeps of pages that stay, change, move between folders and servers, disappear and reappear."""
    random = Random(seed)
    texts = [doc.text for doc in corpus(random.choice(["english", "korean", "mixed"]), seed, families=8)]
    urls = [f"http://{server}/{folder}/{name}.html" for server in "ab" for folder in "xy" for name in range(12)]
    sweeps = {}
    pages = {url: random.choice(texts) for url in random.sample(urls, 20)}
    for date in DATES:
        sweeps[date] = dict(pages)
        for url in list(pages):
            action = random.randrange(8)
            if action == 0:
                pages[url] = random.choice(texts)
            elif action == 1 and (target := random.choice(urls)) not in pages:
                pages[target] = pages.pop(url)
            elif action == 2 and len(pages) > 1:
                del pages[url]
        pages |= {url: random.choice(texts) for url in random.sample(urls, 3)}
    return sweeps


def fill(folder: Path, sweeps: Sweeps, dates: Iterable[str] = DATES) -> SweepStore:
    store = SweepStore.create(folder)
    for date in dates:
        store.add(crawl(sweeps[date]), date)
    return store


def dump(store: SweepStore) -> object:
    """Return the answers of a store to all queries."""
    urls = sorted({one.url for one in store.sightings()})
    answers = [(store.locate(url), store.history(url), store.contacts(url)) for url in urls]
    return list(store.sightings()), store.stats(), answers


@pytest.mark.parametrize("seed", range(6))
def test_clusters_are_those_of_all_sweeps_at_once(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "store", sweeps) as store:
        found = list(store.sightings())
    everything = [Document(text, f"{at} {url}") for at, date in enumerate(DATES) for url, text in sweeps[date].items()]
    table = neardup.cluster(everything).clusters
    clusters = dict(zip(table.column("id"), table.column("cluster"), strict=True))
    # a document that is in no cluster is a group of its own, and so is every blank page
    expected = group({str(one.id): clusters.get(one.id, str(one.id)) for one in everything})
    names = {f"{DATES.index(one.date)} {one.url}": one.cluster for one in found}
    assert group({name: cluster or name for name, cluster in names.items()}) == expected


def group(clusters: Mapping[str, str]) -> set[frozenset[str]]:
    """Return the sets of names that share a cluster."""
    groups: dict[str, set[str]] = {}
    for name, cluster in clusters.items():
        groups.setdefault(cluster, set()).add(name)
    return set(map(frozenset, groups.values()))


@pytest.mark.shows(1)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_adding_changes_nothing(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "in order", sweeps) as store:
        expected = dump(store)
    shuffled = Random(seed).sample(DATES, len(DATES))
    with fill(
        tmp_path / "shuffled", {date: dict(reversed(pages.items())) for date, pages in sweeps.items()}, shuffled
    ) as store:
        assert dump(store) == expected
        # a sweep is replaced by another one, and then by itself again
        store.add(crawl({"http://c/": OVEN}), DATES[2], overwrite=True)
        assert dump(store) != expected
        store.add(crawl(sweeps[DATES[2]]), DATES[2], overwrite=True)
        assert dump(store) == expected
        assert len(store._texts._index) == store.stats().texts


@pytest.mark.parametrize("seed", range(4))
def test_statistics_are_those_of_a_direct_count(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "store", sweeps) as store:
        stats = store.stats()
        stubs = [set(), *(stubs for _, stubs in follow_all(sweeps, store.scheme))]
    assert stats.pages == [len(sweeps[date]) for date in DATES]
    texts = {text for pages in sweeps.values() for text in pages.values()}
    assert stats.texts == sum(not is_blank(text) for text in texts)
    for at, interval in enumerate(stats.intervals):
        old, new = (sweeps[date] for date in DATES[at : at + 2])
        kinds = interval.kinds
        assert kinds["same"] == sum(new.get(url) == text for url, text in old.items())
        moves = kinds["moved"] + kinds["moved+changed"]
        stay = kinds["same"] + kinds["changed"]
        assert stay + moves + kinds["new"] + kinds["replaced"] == len(new)
        # a stub in whose place a page came has no step
        assert 0 <= len(old) - (stay + moves + kinds["gone"]) <= len(stubs[at])
        assert moves == interval.within + interval.between
        assert sum(interval.amount) <= kinds["changed"] + kinds["moved+changed"]
    births = [one.kinds["new"] + one.kinds["replaced"] - one.stubs for one in stats.intervals]
    assert [cohort.alive[0] for cohort in stats.cohorts] == [len(sweeps[DATES[0]]), *births]
    assert stats.lives == sum(cohort.alive[0] for cohort in stats.cohorts)
    pages = [len(sweeps[date]) - len(left) for date, left in zip(DATES, stubs, strict=True)]
    assert stats.lives - stats.ended == pages[-1] == sum(cohort.alive[-1] for cohort in stats.cohorts)
    for place in range(len(DATES)):
        assert sum(cohort.alive[place - at] for at, cohort in enumerate(stats.cohorts[: place + 1])) == pages[place]
    changes = [interval.kinds["changed"] + interval.kinds["moved+changed"] for interval in stats.intervals]
    assert sum(times * pages for times, pages in stats.changes.items()) == sum(changes)


@pytest.mark.parametrize("seed", range(4))
def test_pages_are_followed_step_by_step(tmp_path: Path, seed: int) -> None:
    sweeps = random_sweeps(seed)
    with fill(tmp_path / "store", sweeps) as store:
        # a life is a page between its birth and its end, without gaps
        lives: list[dict[str, int]] = [{url: number for number, url in enumerate(sorted(sweeps[DATES[0]]))}]
        count = len(lives[0])
        for steps, stubs in follow_all(sweeps, store.scheme):
            lives.append({})
            for step in steps:
                if step.new is not None and step.new not in stubs:
                    is_born = step.kind in ("new", "replaced")
                    lives[-1][step.new] = count if is_born else lives[-2][step.old or ""]
                    count += is_born
        places = [
            {(at, url) for at, one in enumerate(lives) for url in one if one[url] == life} for life in range(count)
        ]
        for start in {url for pages in lives for url in pages}:
            visits = {(DATES.index(one.date), one.url) for one in store.history(start) if one.kind != "gone"}
            found = [life for life in range(count) if visits & places[life]]
            assert visits == set().union(*(places[life] for life in found))
            assert any(url == start for _, url in visits)
            # one page is at one place
            assert len({at for at, _ in visits}) == len(visits)
            end, url = max(visits)
            assert (url, DATES[end]) in {(one.url, one.date) for one in store.locate(start)}


def follow_all(sweeps: Sweeps, scheme: str) -> list[tuple[list[PageStep], set[str]]]:
    texts = {name_text(text): text for pages in sweeps.values() for text in pages.values()}
    named = [{url: name_text(text) for url, text in sweeps[date].items()} for date in DATES]
    return list(follow(named, TextEvidence(texts.__getitem__, scheme)))


def test_only_new_texts_are_signed(sweep_store: SweepStore, monkeypatch: pytest.MonkeyPatch) -> None:
    signed: list[str] = []
    add = Index.add

    def watch(self: Index, documents: Iterable[Document]) -> list[Admission]:
        several = list(documents)
        signed.extend(document.text for document in several)
        return add(self, several)

    monkeypatch.setattr(Index, "add", watch)
    first = sweep_store.add(crawl({"/1": FERRY, "/2": OVEN, "/3": OVEN, "/4": "", "/5": "\u2003"}), "2020")
    assert signed == [FERRY, OVEN]
    assert (first.pages, first.blank, first.new_texts, first.repeated, first.kinds) == (5, 2, 2, 0, None)
    second = sweep_store.add([*crawl({"/1": FERRY, "/2": LATER, "/9": OVEN}), *crawl({"/1": LONG})], "2021")
    assert signed == [FERRY, OVEN, LATER]
    assert (second.pages, second.new_texts, second.repeated) == (3, 1, 1)
    assert second.kinds is not None
    assert list(second.kinds.values()) == [1, 0, 1, 0, 0, 3, 1]


def test_input_that_is_not_unicode_is_refused(sweep_store: SweepStore) -> None:
    for wrong in (Document("half \ud800 a pair", url="/1"), Document(FERRY, url="/\ud800")):
        with pytest.raises(DataError, match=r"is not Unicode: '\\ud800'"):
            sweep_store.add([wrong], "2021")
    for query in (sweep_store.locate, sweep_store.history, sweep_store.contacts):
        with pytest.raises(DataError, match=r"is not Unicode: '\\udcff'"):
            query("/\udcff")
    assert sweep_store.dates == []


def test_a_date_is_unique(sweep_store: SweepStore) -> None:
    sweep_store.add(crawl({"/1": FERRY}), "2020")
    for again in ("2020-01-01", "2020-01-01T01:00:00+01:00", "1577836800", 1577836800):
        with pytest.raises(UsageError, match="the sweep of 2020 is there already"):
            sweep_store.add(crawl({"/1": FERRY}), again)
    for wrong in ("yesterday", "2020-13", "", 2**63, -(2**63) - 1, True):
        with pytest.raises(UsageError, match=r"RFC 3339|the year"):
            sweep_store.add(crawl({"/1": FERRY}), wrong)
    for milliseconds in (1_700_000_000_000, -1_700_000_000_000, "1700000000000", "-1700000000000", -253_402_300_800):
        with pytest.raises(NeardupError, match=r"the year (9999|1).*milliseconds|the year 1\b"):
            sweep_store.add(crawl({"/1": FERRY}), milliseconds)
    with pytest.raises(UsageError, match="at least one page"):
        sweep_store.add([], "2021")
    with pytest.raises(UsageError, match="at least one page"):
        sweep_store.add([], "2020", overwrite=True)
    assert sweep_store.dates == ["2020"]


def test_an_interrupted_sweep_leaves_nothing(sweep_store: SweepStore) -> None:
    sweep_store.add(crawl({"/1": FERRY, "/2": OVEN}), "2020")
    before = dump(sweep_store)

    def pages() -> Iterator[Document]:
        for number in range(2500):
            yield Document(f"{LONG} {number}", url=f"/{number}")
        raise KeyboardInterrupt

    for options in ({}, {"overwrite": True}):
        with pytest.raises(KeyboardInterrupt):
            sweep_store.add(pages(), "2020" if options else "2021", **options)  # type: ignore[arg-type]
        assert dump(sweep_store) == before
    with pytest.raises(DataError, match="document 2: there is no URL"):
        sweep_store.add([Document(LONG, url="/3"), Document(LONG)], "2021")
    assert dump(sweep_store) == before
    sweep_store.add(crawl({"/1": FERRY, "/2": OVEN}), "2021")
    assert {one.id for one in sweep_store._texts._index} == {name_text(FERRY), name_text(OVEN)}


def test_a_sweep_that_is_not_added_yet_connects_nothing(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(63)]
    # `between` is near to the two others, but they are not near to each other
    first, between, last = (" ".join(words[:end]) for end in (57, 60, 63))
    with SweepStore.create(tmp_path / "store", threshold="0.92") as store, SweepStore(tmp_path / "store") as reader:
        store.add(crawl({"/first": first, "/last": last, "/oven": OVEN}), "2020")
        before = dump(reader)

        def pages() -> Iterator[Document]:
            yield from crawl({"/between": between})
            yield from (Document(f"a page of its own, number {number}", url=f"/{number}") for number in range(999))
            assert len(reader._texts) < len(store._texts)
            assert dump(reader) == before
            assert len(reader._texts) == len(store._texts)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.add(pages(), "2021")
        assert dump(store) == dump(reader) == before
        store.add(crawl({"/between": between}), "2021")
        assert dump(reader) != before
        assert len({one.cluster for one in reader.sightings()}) == 2


def test_another_store_removes_unused_texts_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with fill(tmp_path / "store", {"2020": {"/1": FERRY}}, ["2020"]) as store, SweepStore(tmp_path / "store") as other:
        tidy = SweepStore._tidy

        def wait(self: SweepStore) -> None:
            if self._sightings.texts() == {name_text(OVEN)}:
                # the new sweep is stored, and the other store was the next to write
                other._texts.settle()
                other._texts.keep(self._sightings.texts())
            tidy(self)

        monkeypatch.setattr(SweepStore, "_tidy", wait)
        store.add(crawl({"/1": OVEN}), "2020", overwrite=True)
        assert {one.id for one in store._texts._index} == {name_text(OVEN)}


@pytest.mark.parametrize("is_cut_off", ["adding", "removing"])
def test_a_process_killed_before_the_length_of_the_log_is_written(tmp_path: Path, is_cut_off: str) -> None:
    used, unused = {str(name_text(FERRY)), str(name_text(OVEN))}, Document(LATER, name_text(LATER))
    with fill(tmp_path / "store", {"2020": {"/1": FERRY, "/2": OVEN}}, ["2020"]) as store:
        if is_cut_off == "removing":
            store._texts.add([unused])
        [log] = (tmp_path / "store" / "texts").glob("log-*")
        before_the_records = log.read_bytes()[:12288]
        store._texts.add([unused]) if is_cut_off == "adding" else store._texts.keep(used)
        count = len(store._texts)
    with log.open("r+b") as file:
        file.write(before_the_records)
    with SweepStore(tmp_path / "store") as store:
        assert len(store._texts) != count
        store.add(crawl({"/1": FERRY, "/2": LATER}), "2021")
        assert {one.id for one in store._texts._index} == {*used, name_text(LATER)}


def test_a_killed_process_leaves_no_half_sweep(tmp_path: Path) -> None:
    with fill(tmp_path / "store", {"2020": {"/1": FERRY, "/2": OVEN}}, ["2020"]) as store:
        before = dump(store)
    script = f"""
import sys, time
from neardup import Document
from neardup.sweeps import SweepStore
def pages():
    for number in range(1200):
        yield Document(f"a page of its own, the one of number {{number}}", url=f"/{{number}}")
    print("far", flush=True)
    time.sleep(60)
SweepStore({str(tmp_path / "store")!r}).add(pages(), "2021")
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"far\n"
            # while it writes, other processes can read, but fail to write after a wait
            with SweepStore(tmp_path / "store") as store:
                assert store.dates == ["2020"]
                store._connection.execute("PRAGMA busy_timeout = 10")
                with pytest.raises(EnvironmentFault, match="another process is writing"):
                    store.add(crawl({"/1": FERRY}), "2022")
        finally:
            process.kill()
    with SweepStore(tmp_path / "store") as store:
        assert dump(store) == before
        store.add(crawl({"/1": FERRY, "/2": LATER}), "2021")
        assert {one.id for one in store._texts._index} == {name_text(FERRY), name_text(OVEN), name_text(LATER)}


def test_a_store_without_sweeps_is_discarded(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store, SweepStore(tmp_path / "store") as other:
        store.discard()
        assert not (tmp_path / "store").exists()
        with pytest.raises(EnvironmentFault, match="the store was removed"):
            other.add(crawl({"/1": FERRY}), "2020")
    with fill(tmp_path / "store", {"2020": {"/1": FERRY}}, ["2020"]) as store:
        store.discard()
        assert store.dates == ["2020"]


def test_folders_without_a_store_are_refused(tmp_path: Path, sweep_store: SweepStore) -> None:
    with pytest.raises(DataError, match="no store of sweeps"):
        SweepStore(tmp_path / "nothing")
    with pytest.raises(UsageError, match="there is a store of sweeps already"):
        SweepStore.create(tmp_path / "store")
    with pytest.raises(UsageError, match="the scheme henzinger takes no threshold"):
        SweepStore.create(tmp_path / "new", scheme="henzinger", threshold=0.5)
    with pytest.raises(UsageError, match="there is no"):
        SweepStore.create(tmp_path / "new", scheme="nobody")
    assert not (tmp_path / "new").exists()
    sweep_store.close()
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


def test_two_writers_alternate(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as one, SweepStore(tmp_path / "store") as other:
        for year, (store, reader) in enumerate([(one, other), (other, one), (one, other)], 2000):
            store.add(crawl({f"/{year}": FERRY, "/oven": f"{OVEN} {year}"}), str(year))
            assert reader.locate("/2000")[0].url == f"/{year}"
            # a second query while the answer to the first is read
            assert {sighting.url for sighting in reader.sightings() if reader.history(sighting.url)} >= {"/oven"}
        other.add(crawl({"/ferry": LATER}), "2001", overwrite=True)
        one.add(crawl({"/oven": f"{OVEN} 2001"}), "2003")
        assert one.stats().texts == other.stats().texts == 5


def test_urls_are_made_canonical(sweep_store: SweepStore) -> None:
    added = sweep_store.add(
        crawl({"http://A.example:80/x#top": FERRY, "http://a.example/x?": OVEN}), "2020", rules=UrlRules()
    )
    assert (added.pages, added.repeated) == (1, 1)
    assert sweep_store.last_text("http://a.example/x") == FERRY
    sweep_store.add(crawl({"http://A.example:80/x#top": FERRY}), "2021")
    assert [one.kind for one in sweep_store.history("http://A.example:80/x#top")] == [None, "moved"]


def test_lists_of_urls_are_refused_wherever_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("http://a.example/\n", encoding="utf-8")
    (tmp_path / "pages.jsonl").write_text('{"url": "/1", "text": "fog"}\n', encoding="utf-8")
    paths = [tmp_path / "pages.jsonl", tmp_path / "list.txt"]
    with SweepStore.create(tmp_path / "store") as store:
        for inputs in (paths[1], str(paths[1]), paths, iter(paths)):
            with pytest.raises(UsageError, match=r"list\.txt: a list of URLs has no texts"):
                store.add(inputs, "2020")
        assert store.dates == []
