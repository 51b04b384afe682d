"""Host mirrors, compared with all pairs of hosts."""

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import Cli
from neardup import DataError, Document, EnvironmentFault, UsageError, find_pairs
from neardup.evaluation.counts import connect
from neardup.urls import UrlRules, canonical_url, find_mirrors
from neardup.urls.mirrors import Mirrors
from records import read_jsonl, write_records
from terminal import on_a_terminal

OUTPUTS = Path(__file__).parents[2] / "docs" / "reference" / "outputs.md"
Sites = dict[str, Sequence[str]]

TEMPLATE = ["/", "/robots.txt", "/about", "/contact", "/feed"]
WELCOME = "welcome to the harbour museum where ships of every age lie side by side and open at nine each morning"
OTHER = "the mountain railway climbs to the upper station in forty minutes and runs from may until the first snow"


def site(seed: int, count: int = 30) -> list[str]:
    numbers = random.Random(seed)
    return [f"/part{numbers.randrange(9)}/{numbers.randrange(10**9)}.html" for _ in range(count)]


def pages(sites: Mapping[str, Sequence[str]], first: dict[str, str] | None = None) -> list[Document]:
    """Return the pages of every host; a first page has the text that `first` has for its host."""
    texts = first or {}
    return [
        Document(texts.get(host, "") if path == "/" else "", url=f"http://{host}{path}")
        for host, paths in sites.items()
        for path in paths
    ]


def all_pairs(
    sites: Mapping[str, Sequence[str]], least: float = 0.5, least_paths: int = 5
) -> dict[tuple[str, str], int]:
    """Return the numbers of shared paths of all similar pairs of hosts, by a slow comparison of every pair."""
    sets: dict[str, set[str]] = {}
    for host, paths in sites.items():
        url = canonical_url(f"http://{host}/")
        name = url.removeprefix("http://").removesuffix("/")
        urls = {canonical_url(f"http://{host}{path}") for path in paths}
        sets.setdefault(name, set()).update(one.removeprefix(f"http://{name}").lower() for one in urls)
    large = sorted(name for name in sets if len(sets[name]) >= least_paths)
    return {
        (left, right): len(sets[left] & sets[right])
        for left, right in combinations(large, 2)
        if len(sets[left] & sets[right]) >= least * len(sets[left] | sets[right])
    }


def found_pairs(found: Mirrors) -> dict[tuple[str, str], int]:
    return {(pair.left, pair.right): pair.shared for pair in found.pairs}


def generated() -> Sites:
    """Make hosts that mirror each other to different degrees, among unrelated hosts that share a template."""
    sites: Sites = {f"alone{number}.example": TEMPLATE + site(number) for number in range(40)}
    for number in range(12):
        own = site(1000 + number)
        sites[f"site{number}.example"] = TEMPLATE + own
        sites[f"mirror{number}.example"] = TEMPLATE + own[number * 2 :] + site(2000 + number, number * 2)
        sites[f"part{number}.example"] = own[: 30 - number * 2]
    sites["small.example"] = TEMPLATE[:4]
    return sites


@pytest.mark.parametrize("threshold", ["0.3", "0.5", "4/5", "1"])
def test_all_mirrors_are_found(threshold: str) -> None:
    sites = generated()
    left, _, right = threshold.partition("/")
    expected = all_pairs(sites, float(left) / float(right or 1))
    found = find_mirrors(pages(sites), threshold=threshold)
    assert found_pairs(found) == expected
    assert expected
    assert all(pair.mirror and pair.first_pages == "missing" for pair in found.pairs)
    assert [pair[:2] for pair in found.pairs] == sorted(expected)
    assert found.groups == connect(expected)
    assert found.too_small == [("small.example", 4)]
    summary = found.summary
    assert (summary["hosts"], summary["pairs"], summary["mirrors"]) == (len(sites), len(expected), len(expected))


@given(
    st.dictionaries(
        st.sampled_from(["a.example", "b.example", "c.example", "A.example:80", "d.example:8080", "한국.example"]),
        st.lists(
            st.sampled_from(["/", "/a", "/A", "/b?x=1", "/b?x=1&sid=3", "/뉴스", "/%eb%89%b4", "/c", "/index.html"]),
            min_size=1,
        ),
        min_size=2,
    ),
    st.integers(1, 4),
)
def test_small_collections(sites: dict[str, Sequence[str]], least_paths: int) -> None:
    found = find_mirrors(pages(sites), least_paths=least_paths, threads=1)
    assert found_pairs(found) == all_pairs(sites, least_paths=least_paths)


def test_counts_are_those_of_the_sets() -> None:
    sites = {"a.example": [*TEMPLATE, "/x", "/y"], "b.example": [*TEMPLATE, "/X", "/y", "/z"]}
    [pair] = find_mirrors(pages(sites)).pairs
    assert (pair.shared, pair.left_paths, pair.right_paths, pair.resemblance) == (7, 7, 8, 7 / 8)


def test_order_and_threads_do_not_change_the_result() -> None:
    documents = pages(generated())
    expected = find_mirrors(documents, threads=1)
    random.Random(4).shuffle(documents)
    assert find_mirrors(documents, threads=2)[:5] == expected[:5]
    assert find_mirrors(documents).summary["digest"] == expected.summary["digest"]


@given(st.lists(st.tuples(*[st.sampled_from("abcdefgh")] * 2)))
def test_components_are_connected_by_chains(pairs: list[tuple[str, str]]) -> None:
    def reach(name: str) -> tuple[str, ...]:
        found = {name}
        for _ in pairs:
            found |= {other for pair in pairs if found & set(pair) for other in pair}
        return tuple(sorted(found))

    groups = connect(pairs)
    assert sorted(map(tuple, groups)) == sorted({reach(name) for pair in pairs for name in pair})
    assert groups == sorted(groups, key=lambda group: (-len(group), group[0]))


@pytest.mark.parametrize(
    "names",
    [["뉴스", "소개", "연락처", "자료실", "게시판", "오시는길"], ["新闻", "关于", "联系", "下载", "论坛", "地图"]],
)
def test_paths_in_other_scripts(names: list[str]) -> None:
    sites = {
        "a.example": [f"/{name}/1" for name in names],
        "b.example": [f"/{quote(name)}/1" for name in names],
        "c.example": [f"/{quote(name).lower()}/1?utm_source=x" for name in names],
        "d.example": [f"/{quote(name.encode('utf-16-le'))}/1" for name in names],
    }
    found = find_mirrors(pages(sites))
    assert found_pairs(found) == {
        ("a.example", "b.example"): 6,
        ("a.example", "c.example"): 6,
        ("b.example", "c.example"): 6,
    }


# first pages


def test_first_pages_decide() -> None:
    paths = TEMPLATE + site(1)
    sites: Sites = {f"{name}.example": paths for name in "abcde"}
    first = {"a.example": WELCOME, "b.example": f"{WELCOME} again", "c.example": OTHER, "d.example": " \n"}
    found = find_mirrors(pages(sites, first))
    verdicts = {(pair.left[0], pair.right[0]): (pair.first_pages, pair.mirror) for pair in found.pairs}
    assert len(verdicts) == 10
    for pair, verdict in verdicts.items():
        if {"d", "e"} & set(pair):
            assert verdict == ("missing", True)
        else:
            assert verdict == (("alike", True) if pair == ("a", "b") else ("different", False))
    scores = {pair.page_resemblance for pair in found.pairs}
    assert scores == {None, 16 / 17}
    strict = find_mirrors(pages(sites, first), first_pages="0.95")
    assert not strict.pairs[0].mirror
    without = find_mirrors(pages(sites, first), first_pages=None)
    assert without.groups == [sorted(sites)]
    assert all(pair.first_pages == "missing" for pair in without.pairs)


def test_the_first_page_may_have_another_name() -> None:
    sites: Sites = {name: ["/about", *site(1)] for name in ("a.example", "b.example")}
    documents = [page._replace(text=str(page.url)) for page in pages(sites)]
    documents.append(Document("", url="http://a.example/"))
    documents.append(Document(WELCOME, url="http://a.example/index.html#top"))
    documents.append(Document("not looked at", url="http://a.example/?page=2"))
    documents.append(Document(WELCOME, url="https://b.example/Default.aspx?sid=3"))
    [pair] = find_mirrors(documents).pairs
    assert (pair.first_pages, pair.page_resemblance) == ("alike", 1.0)


def test_families_of_first_pages() -> None:
    """Equal paths and first pages exceed the cap: the family is a star around its first host, and listed as one."""
    hosts = [f"h{number:02}.example" for number in range(12)]
    sites: Sites = dict.fromkeys(hosts, TEMPLATE + site(1))
    alike = {host: WELCOME + "!" * (number % 6) for number, host in enumerate(hosts)}
    found = find_mirrors(pages(sites, alike), cap=4)
    assert [(pair.left, pair.right) for pair in found.pairs] == [(hosts[0], host) for host in hosts[1:]]
    assert found.groups == [hosts]
    assert found.summary["stars"] == [[hosts[0], 12]]
    assert {pair.page_resemblance for pair in found.pairs} == {1.0}
    every = find_mirrors(pages(sites, alike), cap=12)
    assert len(every.pairs) == 66
    assert all(pair.first_pages == "alike" for pair in every.pairs)


def test_families_of_first_pages_among_pairs() -> None:
    """First pages that differ only in punctuation are a star at this cap, but all pairs are decided nevertheless."""
    hosts = [f"h{number}.example" for number in range(10)]
    sites: Sites = {host: [*TEMPLATE, *site(number // 5), f"/{host}"] for number, host in enumerate(hosts)}
    welcome = {host: WELCOME + "!" * number for number, host in enumerate(hosts)}
    welcome["h9.example"] = f"{WELCOME} again"
    found = find_mirrors(pages(sites, welcome), cap=6)
    assert found.groups == [hosts[:5], hosts[5:]]
    assert len(found.pairs) == 20
    for pair in found.pairs:
        assert pair.page_resemblance == (16 / 17 if pair.right == "h9.example" else 1.0)


# what many hosts share


def test_common_paths_propose_no_pairs() -> None:
    own = {f"h{number:03}.example": TEMPLATE + site(number, 3) for number in range(50)}
    sites = {**own, "a.example": TEMPLATE + site(100, 6), "b.example": TEMPLATE + site(100, 6)}
    found = find_mirrors(pages(sites), cap=40)
    assert found_pairs(found) == {("a.example", "b.example"): 11}
    assert found.common == [(path, 51) for path in sorted(TEMPLATE)]
    assert len(all_pairs(sites, 0.3)) > 1000
    assert found_pairs(find_mirrors(pages(sites), cap=40, threshold="0.3")) == {("a.example", "b.example"): 11}
    assert len(find_mirrors(pages(sites), cap=60, threshold="0.3").pairs) == len(all_pairs(sites, 0.3))


def test_common_paths_are_the_capped_keys_of_the_scheme() -> None:
    numbers = random.Random(7)
    sites = {f"h{host}.example": [f"/{numbers.randrange(30)}" for _ in range(12)] for host in range(60)}
    found = find_mirrors(pages(sites), cap=20)
    documents = {
        host: Document("\n".join(sorted(set(paths))), id=host) for host, paths in sites.items() if len(set(paths)) >= 5
    }
    listed = find_pairs(list(documents.values()), scheme=found.summary["scheme"], max_family=20)
    assert 0 < len(found.common) < 30
    assert sorted(one["size"] for one in listed.summary["capped"]) == sorted(one.hosts for one in found.common)


def test_a_path_of_very_many_hosts() -> None:
    """5,000 hosts share five of their eight paths; there are twelve million pairs of them."""
    sites: Sites = {
        f"h{host:05}.example": [*TEMPLATE, *(f"/{host}/{number}" for number in range(3))] for host in range(5000)
    }
    sites["copy.example"] = sites["h00007.example"]
    found = find_mirrors(pages(sites), first_pages=None)
    assert found_pairs(found) == {("copy.example", "h00007.example"): 8}
    assert [one.hosts for one in found.common] == [5000] * 5


# hosts


def test_hosts_are_names_with_ports() -> None:
    paths = TEMPLATE + site(1)
    documents = pages({"A.example.:80": paths[:20], "user:word@a.example": paths[20:], "a.example:8080": paths})
    documents += [
        document._replace(url=f"https://b.example{path}") for document, path in zip(documents, paths, strict=False)
    ]
    found = find_mirrors(documents)
    assert found.groups == [["a.example", "a.example:8080", "b.example"]]
    assert {pair.resemblance for pair in found.pairs} == {1.0}
    merged = find_mirrors(pages({"www.a.example": paths, "a.example": paths}), rules=UrlRules(merge_www=True))
    assert (merged.pairs, merged.summary["hosts"]) == ([], 1)


def test_an_empty_input_has_no_mirrors(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n\n", encoding="utf-8")
    for found in (find_mirrors([]), find_mirrors(tmp_path / "empty.txt")):
        assert found[:5] == ([], [], [], [], [])
        assert found.summary["hosts"] == 0


# addresses

HOSTS: Sites = {
    "a.example": TEMPLATE + site(1),
    "www.a.example": TEMPLATE + site(1),
    "c.example": TEMPLATE + site(1),
    "한국.example": TEMPLATE + site(3),
    "small.example:8080": ["/"],
}


def check_addresses(found: Mirrors) -> None:
    pairs = {(pair.left, pair.right): pair.same_address for pair in found.pairs}
    assert pairs == {
        ("a.example", "c.example"): False,
        ("a.example", "www.a.example"): True,
        ("c.example", "www.a.example"): False,
    }
    assert found.addresses == [
        ("192.0.2.1", ["a.example", "small.example:8080", "www.a.example"]),
        ("2001:db8::1", ["c.example", "xn--3e0b707e.example"]),
    ]


ROWS = [
    ("A.example", "192.0.2.1"),
    ("www.a.example.", "192.0.2.1"),
    ("www.a.example", "192.0.2.9"),
    ("c.example", "2001:db8:0:0::1"),
    ("한국.example", "2001:DB8::1"),
    ("small.example", "192.0.2.1"),
    ("unknown.example", "192.0.2.1"),
]


@pytest.mark.parametrize("mark", [",", "\t", ", "])
@pytest.mark.parametrize("head", ["", "host{}address\n", "\ufeffHost{}Address\r\n"])
def test_address_tables(tmp_path: Path, mark: str, head: str) -> None:
    table = tmp_path / "addresses"
    table.write_text(head.format(mark) + "".join(f"{mark.join(row)}\n\n" for row in ROWS), encoding="utf-8")
    check_addresses(find_mirrors(pages(HOSTS), addresses=table))


@pytest.mark.parametrize(
    ("written", "given"),
    [("utf-16", None), ("utf-16", "euc-kr"), ("utf-32", None), ("utf-16-be", "utf-16be"), ("cp949", "euc-kr")],
)
def test_address_tables_in_other_encodings(tmp_path: Path, written: str, given: str | None) -> None:
    table = tmp_path / "addresses.csv"
    table.write_bytes("".join(f"{','.join(row)}\n" for row in ROWS).encode(written))
    check_addresses(find_mirrors(pages(HOSTS), addresses=table, encoding=given))
    (tmp_path / "bad.csv").write_bytes("한국.example,nonsense\n".encode(written))
    with pytest.raises(DataError, match=r"bad\.csv, line 1: 'nonsense'"):
        find_mirrors([], addresses=tmp_path / "bad.csv", encoding=given)


def test_addresses_without_a_file() -> None:
    check_addresses(find_mirrors(pages(HOSTS), addresses=ROWS))
    found = find_mirrors(pages(HOSTS), addresses=[("a.example", "192.0.2.1")])
    assert {pair.same_address for pair in found.pairs} == {None}
    assert found.addresses == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("a.example,192.0.2", "'192.0.2'"),
        ("a.example", "1 columns"),
        ("a.example,192.0.2.1,x", "3 columns"),
        ("a example,192.0.2.1", "a example"),
        ("a.example/x,192.0.2.1", "'a.example/x' is no host"),
        ('"a.example,192.0.2.1', "unexpected end"),
    ],
)
def test_bad_rows_of_addresses(tmp_path: Path, row: str, reason: str) -> None:
    table = tmp_path / "addresses.csv"
    table.write_text(f"host,address\nb.example,192.0.2.1\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        find_mirrors([], addresses=table)
    assert "addresses.csv, line 3" in str(caught.value)
    assert reason in str(caught.value)
    with pytest.raises(DataError, match="address 1: 'nonsense'"):
        find_mirrors([], addresses=[("a.example", "nonsense")])
    with pytest.raises(EnvironmentFault, match="missing"):
        find_mirrors([], addresses=tmp_path / "missing.csv")
    table.write_bytes(b"a.example,192.0.2.1\n\xff")
    with pytest.raises(DataError, match=r"addresses\.csv is not UTF-8: invalid UTF-8 at byte 21 .*--encoding NAME"):
        find_mirrors([], addresses=table)


# inputs, errors, the command


def test_fields_of_urls_and_texts(tmp_path: Path) -> None:
    sites: Sites = dict.fromkeys(("a.example", "b.example"), TEMPLATE + site(1))
    documents = pages(sites, {"a.example": WELCOME, "b.example": OTHER})
    records = [{"url": document.url, "text": document.text} for document in documents]
    path = write_records(tmp_path / "docs.jsonl", records)
    assert [pair.first_pages for pair in find_mirrors(path).pairs] == ["different"]
    renamed = [{"address": record["url"], "body": record["text"]} for record in records]
    write_records(path, renamed)
    found = find_mirrors(path, url_field="address", text_field="body")
    assert [pair.first_pages for pair in found.pairs] == ["different"]
    found = find_mirrors(path, url_field="address", first_pages=None)
    assert [pair.first_pages for pair in found.pairs] == ["missing"]
    with pytest.raises(DataError, match='no field "nonsense"'):
        find_mirrors(path, url_field="address", text_field="nonsense")
    write_records(path, [*records[:3], {"url": "http://a.example/"}])
    with pytest.raises(DataError, match=r'line 4: there is no field "text"'):
        find_mirrors(path)
    assert find_mirrors(path, first_pages=None).summary["hosts"] == 1


def test_html_is_read(tmp_path: Path) -> None:
    sites: Sites = dict.fromkeys(("a.example", "b.example"), TEMPLATE + site(1))
    texts = {"a.example": WELCOME, "b.example": WELCOME}
    records = [{"url": one.url, "html": f"<p>{one.text}</p>"} for one in pages(sites, texts)]
    path = write_records(tmp_path / "docs.jsonl", records)
    assert [pair.first_pages for pair in find_mirrors(path, html_field="html").pairs] == ["alike"]


def response(url: str, page: str) -> bytes:
    """Write a page as a WARC record."""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}"
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
    head += f"WARC-Record-ID: <urn:uuid:0>\r\nWARC-Target-URI: {url}\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    return f"{head}{http}\r\n\r\n".encode()


def test_archives_are_read(tmp_path: Path) -> None:
    records = [
        (f"http://{host}.example{path}", f"<p>{WELCOME}</p>" if path == "/" else f"<p>{path}</p>")
        for host in "ab"
        for path in ["/", *site(1, 5)]
    ]
    path = tmp_path / "crawl.warc"
    path.write_bytes(b"".join(response(url, page) for url, page in records))
    [pair] = find_mirrors(path).pairs
    assert (pair.shared, pair.page_resemblance) == (6, 1.0)
    [pair] = find_mirrors(path, first_pages=None).pairs
    assert pair.first_pages == "missing"


def test_bad_lines_are_named(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("http://a.example/\nhttp://\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"urls\.txt, line 2: 'http://' is no URL"):
        find_mirrors(tmp_path / "urls.txt")
    found = find_mirrors(tmp_path / "urls.txt", on_error="skip")
    assert [reject.row for reject in found.rejects] == [2]


def test_wrong_options() -> None:
    with pytest.raises(UsageError, match="least_paths is 0"):
        find_mirrors([], least_paths=0)
    with pytest.raises(UsageError, match="no option 'treshold'"):
        find_mirrors([], treshold=1)  # type: ignore[call-arg]
    for wrong in ("0", "1.5", "half"):
        with pytest.raises(UsageError, match="resemblance"):
            find_mirrors([], threshold=wrong)
        with pytest.raises(UsageError, match="resemblance"):
            find_mirrors([], first_pages=wrong)
    with pytest.raises(UsageError, match="cap"):
        find_mirrors([], cap=1)


def write_list(path: Path, documents: Iterable[Document]) -> None:
    path.write_text("".join(f"{document.url}\n" for document in documents), encoding="utf-8")


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    write_list(tmp_path / "urls.txt", pages(HOSTS))
    table = "".join(f"{','.join(row)}\n" for row in ROWS)
    (tmp_path / "addresses.csv").write_text(table, encoding="utf-8")
    options = ("urls.txt", "--addresses", "addresses.csv")
    lines = [line.split("\t") for line in cli("mirrors", *options, cwd=tmp_path).stdout.splitlines()]
    assert lines[0][:4] == ["left", "right", "mirror", "shared"]
    assert lines[1] == ["a.example", "c.example", "yes", "35", "35", "35", "1.0000", "missing", "", "no"]
    done = cli("mirrors", *options, "-o", "out", cwd=tmp_path)
    assert "3 by paths, 3 of them mirrors" in done.stdout
    assert "2 with several hosts" in done.stdout
    out = tmp_path / "out"
    assert [row["left"] for row in read_jsonl(out / "mirrors.jsonl")] == [line[0] for line in lines[1:]]
    assert read_jsonl(out / "groups.jsonl") == [{"size": 3, "hosts": ["a.example", "c.example", "www.a.example"]}]
    assert [row["address"] for row in read_jsonl(out / "addresses.jsonl")] == ["192.0.2.1", "2001:db8::1"]
    assert read_jsonl(out / "too_small.jsonl") == [{"host": "small.example:8080", "paths": 1}]
    summary = json.loads(cli("mirrors", *options, "--json", cwd=tmp_path).stdout)
    assert json.loads((out / "run.json").read_text(encoding="utf-8")) == summary
    assert summary["mirrors"] == 3
    documented = set(re.findall(r"\w+", OUTPUTS.read_text(encoding="utf-8").partition("## What neardup urls")[2]))
    rows = [read_jsonl(path)[0] for path in out.glob("*.jsonl")]
    assert {key for one in [summary, *rows] for key in one} - {"verb"} <= documented
    assert cli("mirrors", *options, "--quiet", cwd=tmp_path).stdout == ""
    assert "there already" in cli("mirrors", *options, "-o", "out", cwd=tmp_path, code=2).stderr
    terminal = on_a_terminal("mirrors", tmp_path / "urls.txt")
    assert "\x1b[" in terminal
    assert "with fewer than 5 paths" in terminal


def test_the_options_of_the_command(cli: Cli, tmp_path: Path) -> None:
    sites: Sites = {"a.example": TEMPLATE[:3], "b.example": [*TEMPLATE[:2], "/x"]}
    documents = pages(sites, {"a.example": WELCOME, "b.example": OTHER})
    write_records(tmp_path / "docs.jsonl", [{"url": one.url, "text": one.text} for one in documents])

    def verdicts(*options: str) -> list[str]:
        lines = cli("mirrors", "docs.jsonl", *options, cwd=tmp_path).stdout.splitlines()
        return [line.split("\t")[2] for line in lines[1:]]

    assert verdicts() == []
    assert verdicts("--least-paths", "3") == ["no"]
    assert verdicts("--least-paths", "3", "--threshold", "0.51") == []
    assert verdicts("--least-paths", "3", "--first-pages", "0.001") == ["no"]
    assert verdicts("--least-paths", "3", "--paths-only") == ["yes"]
    assert "0.6x" in cli("mirrors", "docs.jsonl", "--threshold", "0.6x", cwd=tmp_path, code=2).stderr
    assert "line 1" in cli("mirrors", "docs.jsonl", "--url-field", "text", cwd=tmp_path, code=1).stderr
    cli("mirrors", "docs.jsonl", "--url-field", "text", "--on-error", "skip", "-o", "out", cwd=tmp_path, code=3)
    assert len(read_jsonl(tmp_path / "out" / "rejects.jsonl")) == 6
