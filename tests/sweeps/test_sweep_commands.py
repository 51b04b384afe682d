"""The commands of `neardup sweep`."""

import json
import re
from pathlib import Path

from command import Cli
from crawls import FERRY, LONG, OVEN, crawl
from neardup.sweeps import SweepStore
from records import write_records
from terminal import on_a_terminal


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = write_records(tmp_path / "first.jsonl", [{"url": "/1", "text": FERRY}, {"url": "/2", "text": OVEN}])
    second = write_records(
        tmp_path / "second.jsonl",
        [{"link": "/new/1", "html": f"<p>{FERRY}</p>"}, {"link": "/2", "html": f"<p>{LONG}</p>"}, {"html": "<p>no"}],
    )
    assert (
        "there is no URL" in cli("sweep", "add", store, second, "--date", "2020", "--html-field", "html", code=1).stderr
    )
    assert not store.exists()
    assert "2 signed" in cli("sweep", "add", store, first, "--date", "2020", "--threshold", "0.7").stdout
    fields = ("--url-field", "link", "--html-field", "html")
    assert "there is no URL" in cli("sweep", "add", store, second, "--date", "2021", *fields, code=1).stderr
    added = json.loads(
        cli("sweep", "add", store, second, "--date", "2021", *fields, "--on-error", "skip", "--json", code=3).stdout
    )
    assert list(added["kinds"].values()) == [0, 1, 1, 0, 0, 0, 0]
    assert [reject["row"] for reject in added["rejects"]] == [3]
    assert "is there already" in cli("sweep", "add", store, first, "--date", "2020-01", code=2).stderr
    assert cli("sweep", "add", store, first, "--date", "2020-01", "--overwrite", "--quiet").stdout == ""
    wrong = [("--scheme", "henzinger"), ("--threshold", "0.9")]
    for option in wrong:
        assert (
            "chosen by its first sweep" in cli("sweep", "add", store, first, "--date", "2022", *option, code=2).stderr
        )
    # the options of the first sweep may be repeated
    cli("sweep", "add", store, first, "--date", "2020", "--threshold", "0.70", "--overwrite")
    cli("sweep", "add", store, first, "--date", "2020-01", "--overwrite")
    (tmp_path / "urls.txt").write_text("/1\n")
    assert "list of URLs" in cli("sweep", "add", store, tmp_path / "urls.txt", "--date", "2022", code=2).stderr

    rows = cli("sweep", "locate", store, "/1").stdout.splitlines()
    assert rows == [
        "date\tfound\tresemblance\turl\tremark",
        "2021\tmoved\t1.0000\t/new/1\t",
        "2020-01\tidentical\t1.0000\t/1\t",
    ]
    [found, _] = json.loads(cli("sweep", "locate", store, "/1", "--json").stdout)
    assert found == {
        "url": "/new/1",
        "date": "2021",
        "way": "moved",
        "overlap": {"shared": 16, "left_size": 16, "right_size": 16},
        "remark": None,
    }
    assert cli("sweep", "history", store, "/2").stdout.splitlines() == [
        "date\tkind\tresemblance\turl\tremark",
        "2020-01\t\t\t/2\t",
        "2021\tchanged\t0.0000\t/2\t",
    ]
    assert json.loads(cli("sweep", "history", store, "/2", "--json").stdout)[1]["kind"] == "changed"
    assert "no sweep of this store saw" in cli("sweep", "history", store, "/3", code=1).stderr
    assert "saw /3, and there is no such file" in cli("sweep", "contacts", store, "/3", code=1).stderr
    assert "no store of sweeps" in cli("sweep", "stats", tmp_path / "nothing", code=1).stderr

    (tmp_path / "asked.html").write_text(f"<h1>{FERRY}</h1>")
    for asked in ("/1", tmp_path / "asked.html"):
        printed = cli("sweep", "contacts", store, asked, "--diff").stdout
        assert printed.splitlines()[1:3] == [
            "2021\t2021\tidentical\t1.0000\t1.0000\t/new/1",
            "2021\t2021\twhole\t1.0000\t0.4444\t/2",
        ]
        assert "{+A walk along the coast" in printed
    assert len(json.loads(cli("sweep", "contacts", store, "/1", "--json").stdout)["found"]) == 3

    page = tmp_path / "page.html"
    lines = cli("sweep", "stats", store, "-o", page).stdout.splitlines()
    assert lines[0].split("\t") == ["from", "to", "days", *added["kinds"], "within", "between", "resemblance"]
    assert lines[1] == "2020-01\t2021\t366\t0\t1\t1\t0\t0\t0\t0\t1\t0\t0.0000"
    assert "2 pages in 2 sweeps" in page.read_text()
    assert "is there already" in cli("sweep", "stats", store, "-o", page, code=2).stderr
    assert json.loads(cli("sweep", "stats", store, "-o", page, "--overwrite", "--json").stdout)["lives"] == 2
    message = cli("sweep", "stats", store, "-o", tmp_path / "no" / "page.html", code=1).stderr
    assert "page.html: cannot write: No such file or directory (os error 2)\n" in message
    shown = on_a_terminal("sweep", "stats", store, columns=80)
    assert max(len(re.sub("\x1b\\[[0-9;]*m", "", line)) for line in shown.splitlines()) <= 80
    assert "resem-" in shown


def test_sweeps_are_listed_and_removed(cli: Cli, tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({"/1": FERRY, "/2": FERRY, "/3": " "}), "2020")
        store.add(crawl({"/1": "fähre"}), "2021-02-01")
        store.add(crawl({"/1": FERRY}), "2022")
    assert cli("sweep", "list", tmp_path / "store").stdout.splitlines() == [
        "date\tpages\tblank\ttexts\tbytes",
        f"2020\t3\t1\t1\t{len(FERRY)}",
        "2021-02-01\t1\t0\t1\t6",
        f"2022\t1\t0\t1\t{len(FERRY)}",
    ]
    assert json.loads(cli("sweep", "list", tmp_path / "store", "--json").stdout)[1] == {
        "date": "2021-02-01",
        "time": 1_612_137_600,
        "pages": 1,
        "blank": 0,
        "texts": 1,
        "bytes": 6,
    }
    message = cli("sweep", "remove", tmp_path / "store", "2021", code=2).stderr
    assert "there is no sweep of 2021; its sweeps are of 2020, 2021-02-01, 2022" in message
    assert "YYYY[-MM[-DD]]" in cli("sweep", "remove", tmp_path / "store", "tomorrow", code=2).stderr
    lines = [line.split() for line in cli("sweep", "remove", tmp_path / "store", "2021-02").stdout.splitlines()]
    assert lines[0] == ["removed", "2021-02-01:", "1", "page,", "1", "text", "that", "no", "other", "sweep", "has"]
    assert ["same", "1"] in lines
    assert ["gone", "2"] in lines
    assert lines[-1] == ["left", "2", "sweeps"]
    removed = json.loads(cli("sweep", "remove", tmp_path / "store", "2020", "--json").stdout)
    assert removed == {"date": "2020", "pages": 3, "texts": 0, "kinds": None}
    last = cli("sweep", "remove", tmp_path / "store", "2022").stdout
    assert "2022: 1 page, 1 text" in last
    assert last.endswith("0 sweeps\n")
    assert cli("sweep", "list", tmp_path / "store").stdout.splitlines() == ["date\tpages\tblank\ttexts\tbytes"]
    assert "it has no sweeps" in cli("sweep", "remove", tmp_path / "store", "2022", code=2).stderr


def test_a_url_longer_than_a_file_name(cli: Cli, tmp_path: Path) -> None:
    url = f"/{'long' * 2000}"
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({url: FERRY}), "2020")
    assert cli("sweep", "contacts", tmp_path / "store", url).stdout.splitlines()[1].endswith(url)
    assert "no sweep of this store saw" in cli("sweep", "contacts", tmp_path / "store", f"{url}2", code=1).stderr


def test_hostile_urls_stay_in_their_cells(cli: Cli, tmp_path: Path) -> None:
    evil = "http://a/'; DROP TABLE page; --\u001b[31m\u202e"
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({evil: FERRY}), "2020")
        store.add(crawl({f"{evil}2": FERRY}), "2021")
        assert store.locate(evil)[0].url == f"{evil}2"
    printed = cli("sweep", "locate", tmp_path / "store", evil).stdout
    assert "\u001b" not in printed
    assert "\u202e" not in printed
