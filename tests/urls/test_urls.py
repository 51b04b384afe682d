"""Canonical URLs, and groups of documents with the same canonical URL."""

import gzip
import json
import re
import string
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qsl

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import neardup
from command import Cli, run_process
from neardup import DataError, Document, EnvironmentFault, UsageError, _core
from neardup.urls import UrlRules, canonical_url, group_urls
from neardup.urls import urls as urls_module
from neardup.urls.url_groups import UrlGroup
from records import read_jsonl, write_records
from terminal import on_a_terminal

CASES = [
    # scheme, host and port
    ("http://example.com", "http://example.com/"),
    ("HTTP://WWW.Example.COM/", "http://www.example.com/"),
    ("  http://example.com/a\n", "http://example.com/a"),
    ("http://example.com:80/", "http://example.com/"),
    ("http://example.com:/", "http://example.com/"),
    ("https://example.com:443/", "https://example.com/"),
    ("https://example.com:80/", "https://example.com:80/"),
    ("http://example.com:8080/", "http://example.com:8080/"),
    ("http://example.com:0/", "http://example.com:0/"),
    ("http://example.com./a", "http://example.com/a"),
    ("http://example.com.:80/a", "http://example.com/a"),
    ("http://user:word@Example.com/", "http://user:word@example.com/"),
    ("http://@example.com/", "http://example.com/"),
    ("http://192.0.2.7./", "http://192.0.2.7/"),
    ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ("http://[2001:db8::1]:81/", "http://[2001:db8::1]:81/"),
    ("http://under_score.example/", "http://under_score.example/"),
    # international hosts
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ("http://한국.example/", "http://xn--3e0b707e.example/"),
    ("http://ＥＸＡＭＰＬＥ.com/", "http://example.com/"),
    # the path
    ("http://example.com/Case", "http://example.com/Case"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/../a", "http://example.com/a"),
    ("http://example.com/%2e%2e/a", "http://example.com/a"),
    ("http://example.com/a//b", "http://example.com/a//b"),
    ("http://example.com/a/", "http://example.com/a/"),
    ("http://example.com/%7euser/%41", "http://example.com/~user/A"),
    ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
    ("http://example.com/a b", "http://example.com/a%20b"),
    ("http://example.com/100%", "http://example.com/100%25"),
    ("http://example.com/%2541", "http://example.com/%2541"),
    ("http://example.com/뉴스", "http://example.com/%EB%89%B4%EC%8A%A4"),
    ("http://example.com/%eb%89%b4%ec%8a%a4", "http://example.com/%EB%89%B4%EC%8A%A4"),
    ("http://example.com/新闻/一", "http://example.com/%E6%96%B0%E9%97%BB/%E4%B8%80"),
    ("http://example.com/%b4%ba", "http://example.com/%B4%BA"),
    # the fragment and the query
    ("http://example.com/a#part", "http://example.com/a"),
    ("http://example.com/a?#part", "http://example.com/a"),
    ("http://example.com/a?", "http://example.com/a"),
    ("http://example.com/a?&&", "http://example.com/a"),
    ("http://example.com/a?b=2&a=1", "http://example.com/a?a=1&b=2"),
    ("http://example.com/a?b=2&&a=1&", "http://example.com/a?a=1&b=2"),
    ("http://example.com/a?x=2&a=1&x=1", "http://example.com/a?a=1&x=2&x=1"),
    ("http://example.com/a?b&a=", "http://example.com/a?a=&b"),
    ("http://example.com/a?q=%c3%a9+e", "http://example.com/a?q=%C3%A9+e"),
    ("http://example.com/a?q=%26%3d", "http://example.com/a?q=%26%3D"),
    ("http://example.com?a=1", "http://example.com/?a=1"),
    # session ids
    ("http://example.com/a?PHPSESSID=0f&id=7", "http://example.com/a?id=7"),
    ("http://example.com/a?id=7&sid=0f", "http://example.com/a?id=7"),
    ("http://example.com/a?jsessionid=0f", "http://example.com/a"),
    ("http://example.com/a;jsessionid=0f", "http://example.com/a"),
    ("http://example.com/a;jsessionid=0f.node1?id=7", "http://example.com/a?id=7"),
    ("http://example.com/a;JSessionID=0f;v=1/b", "http://example.com/a;v=1/b"),
    ("http://example.com/a%3Bjsessionid=0f", "http://example.com/a"),
    ("http://example.com/a?ASPSESSIONIDQQGGG=0f", "http://example.com/a"),
    ("http://example.com/a?CFID=1&CFTOKEN=2", "http://example.com/a"),
    ("http://example.com/(S(lit3py55))/a.aspx", "http://example.com/a.aspx"),
    ("http://example.com/x/(A(ab)F(cd))/a.aspx", "http://example.com/x/a.aspx"),
    ("http://example.com/f(x)/a", "http://example.com/f(x)/a"),
    ("http://example.com/..;jsessionid=0f/a", "http://example.com/..;jsessionid=0f/a"),
    # tracking parameters
    ("http://example.com/a?utm_source=x&utm_medium=y&id=7", "http://example.com/a?id=7"),
    ("http://example.com/a?UTM_Source=x", "http://example.com/a"),
    ("http://example.com/a?%75tm_source=x", "http://example.com/a"),
    ("http://example.com/a?gclid=x&fbclid=y&msclkid=z", "http://example.com/a"),
    ("http://example.com/a?gclidx=1", "http://example.com/a?gclidx=1"),
    ("http://example.com/a?outm_source=1", "http://example.com/a?outm_source=1"),
    # index pages
    ("http://example.com/index.html", "http://example.com/"),
    ("http://example.com/a/INDEX.HTM", "http://example.com/a/"),
    ("http://example.com/index.php?id=7", "http://example.com/?id=7"),
    ("http://example.com/a/Default.aspx", "http://example.com/a/"),
    ("http://example.com/home.htm#top", "http://example.com/"),
    ("http://example.com/index.jsp;jsessionid=0f", "http://example.com/"),
    ("http://example.com/my-index.html", "http://example.com/my-index.html"),
    ("http://example.com/index.html/", "http://example.com/index.html/"),
    # what is merged only on request
    ("https://example.com/", "https://example.com/"),
    ("http://www.example.com/", "http://www.example.com/"),
]

BAD = [
    "",
    "example.com/a",
    "//example.com/a",
    "mailto:someone@example.com",
    "ftp://example.com/a",
    "javascript:void(0)",
    "http://",
    "http:///a",
    "http:example.com",
    "http://./a",
    "http://a b/",
    "http://exa%6dple.com/",
    "http://a..b/",
    "http://example.com:99999/",
    "http://example.com:port/",
    "http://[::1/",
    "http://example.com/\udc80",
]


@pytest.mark.parametrize(("url", "canonical"), CASES)
def test_cases(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize("url", BAD)
def test_bad_urls_are_named(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        canonical_url(url)
    assert repr(url) in str(caught.value)
    assert "http://HOST" in str(caught.value)


def test_messages_stay_short() -> None:
    with pytest.raises(UsageError) as caught:
        canonical_url("ftp://example.com/" + "a" * 10_000)
    assert len(str(caught.value)) < 400
    with pytest.raises(UsageError, match="not bytes"):
        canonical_url(b"http://example.com/")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://example.com/", "https://example.com/"),
        ("http://example.com:80/", "https://example.com/"),
        ("http://example.com:443/", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://www.example.com/", "https://example.com/"),
        ("http://www.www.example.com/", "https://example.com/"),
        ("http://www.com/", "https://www.com/"),
        ("http://wwwexample.com/", "https://wwwexample.com/"),
    ],
)
def test_schemes_and_www_are_merged_on_request(url: str, canonical: str) -> None:
    rules = UrlRules(merge_scheme=True, merge_www=True)
    assert canonical_url(url, rules=rules) == canonical
    assert canonical_url(canonical, rules=rules) == canonical


def test_rules_are_data() -> None:
    url = "http://example.com/(S(ab))/start.html?v=3&utm_id=1&sid=2&gclid=3"
    rules = UrlRules()._replace(
        tracking_parameters=frozenset({"v"}),
        kept_parameters=frozenset({"utm_id", "sid"}),
        index_pages=frozenset({"start.html"}),
        session_segments=False,
    )
    assert canonical_url(url, rules=rules) == "http://example.com/(S(ab))/?gclid=3&sid=2&utm_id=1"
    bare = UrlRules(frozenset(), (), False, frozenset(), (), frozenset(), frozenset())
    assert canonical_url(url, rules=bare) == "http://example.com/(S(ab))/start.html?gclid=3&sid=2&utm_id=1&v=3"
    for names in (UrlRules().session_parameters, UrlRules().tracking_parameters, UrlRules().index_pages):
        assert all(name == name.lower() and name.isascii() for name in names)


NAMES = st.one_of(
    st.sampled_from(["sid", "PHPSESSID", "utm_source", "gclid", "id", "ID", "page", "쪽", "q"]),
    st.text(string.ascii_letters + "_-.%;=", min_size=1, max_size=4),
)
VALUES = st.one_of(st.none(), st.text(max_size=4), st.text("%aA0&=+;/?", max_size=6))
SEGMENTS = st.one_of(
    st.sampled_from(
        [".", "..", "index.html", "(S(ab))", ";jsessionid=1", "..;jsessionid=1", "a;b;sid=1", "", "%2e", "가"]
    ),
    st.text("aA%2fF;=()~.", max_size=6),
)
HOSTS = st.sampled_from(
    ["a.example", "A.Example.", "www.www.example.com", "한국.example", "[::1]", "192.0.2.1", "www.com"]
)
PORTS = st.sampled_from(["", ":", ":80", ":443", ":8080"])
RULES = st.sampled_from([UrlRules(), UrlRules(merge_scheme=True), UrlRules(merge_scheme=True, merge_www=True)])


def written(name: str, value: str | None) -> str:
    return name if value is None else f"{name}={value}"


@st.composite
def any_url(draw: st.DrawFn) -> str:
    path = "".join(f"/{segment}" for segment in draw(st.lists(SEGMENTS, max_size=4)))
    query = "&".join(written(*one) for one in draw(st.lists(st.tuples(NAMES, VALUES), max_size=4)))
    fragment = draw(st.sampled_from(["", "#", "#top"]))
    return f"{draw(st.sampled_from(['http', 'HTTPS']))}://{draw(HOSTS)}{draw(PORTS)}{path}?{query}{fragment}"


@given(any_url(), RULES)
def test_canonical_urls_are_unchanged(url: str, rules: UrlRules) -> None:
    canonical = canonical_url(url, rules=rules)
    assert canonical_url(canonical, rules=rules) == canonical
    assert canonical.isascii()
    assert not set(canonical) & set(' #\t\n"<>\\^`{|}')


def remaining(parameters: list[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Count the parameters that are neither session nor tracking parameters, in the obvious way."""
    rules = UrlRules()
    sets = rules.session_parameters | rules.tracking_parameters
    prefixes = rules.session_prefixes + rules.tracking_prefixes
    return Counter(
        (name, value)
        for name, value in parameters
        if name.lower() not in sets and not any(name.lower().startswith(prefix) for prefix in prefixes)
    )


PLAIN = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "sid", "utm_x", "gclid", "A"]),
        st.text(string.ascii_letters + string.digits + "가", max_size=2),
    ),
    max_size=4,
)


@given(PLAIN, PLAIN)
def test_different_parameters_give_different_urls(left: list[tuple[str, str]], right: list[tuple[str, str]]) -> None:
    one, other = (canonical_url("http://a.example/x?" + "&".join(written(*p) for p in some)) for some in (left, right))
    for canonical, parameters in ((one, left), (other, right)):
        found = parse_qsl(canonical.partition("?")[2], keep_blank_values=True)
        assert Counter(found) == remaining(parameters)
    if remaining(left) != remaining(right):
        assert one != other


@given(st.permutations([("a", "1"), ("b", "2"), ("c", "3"), ("sid", "4")]))
def test_order_of_parameters_does_not_matter(parameters: list[tuple[str, str]]) -> None:
    url = "http://a.example/?" + "&".join(written(*one) for one in parameters)
    assert canonical_url(url) == "http://a.example/?a=1&b=2&c=3"


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yarl", None)
    urls_module._parser.cache_clear()
    try:
        with pytest.raises(EnvironmentFault, match=r"neardup\[urls\]"):
            canonical_url("http://example.com/")
    finally:
        urls_module._parser.cache_clear()


# groups

PAGES = [
    Document("one", id="a", url="http://Example.com/x?utm_source=1"),
    Document("two", id="b", url="http://example.com/y"),
    Document("three", id="c", url="http://example.com:80/x"),
    Document("four", id="d", url="http://example.com/x?utm_source=1"),
    Document("five", id="e", url="http://example.com/x?utm_source=1"),
    Document("six", id="f", url="http://example.com/z#1"),
    Document("seven", id="g", url="http://example.com/z"),
]


def test_groups() -> None:
    found = group_urls(PAGES)
    first, second = found.groups
    assert first == (
        "http://example.com/x",
        "a",
        4,
        ["http://Example.com/x?utm_source=1", "http://example.com:80/x", "http://example.com/x?utm_source=1"],
        "a",
    )
    assert second == ("http://example.com/z", "f", 2, ["http://example.com/z#1", "http://example.com/z"], "f")
    counts = {"documents": 7, "urls": 6, "canonical": 3, "groups": 2, "duplicates": 4, "rejected": 0}
    files, records = found.summary.pop("files"), found.summary.pop("records")
    assert found.summary == {"verb": "urls", **counts, "keep": "first", "prefer": [], "notes": []}
    assert (files["found"], records["read"]) == (0, counts["documents"])


def test_an_empty_input_has_no_groups() -> None:
    assert group_urls([]).groups == []
    assert group_urls([]).summary["documents"] == 0


def test_a_table_has_the_same_types_without_groups() -> None:
    none, some = group_urls(PAGES[:2]).table, group_urls(PAGES).table
    assert (len(none), len(some)) == (0, 2)
    assert none.column_names == some.column_names == list(UrlGroup._fields)
    assert none.to_arrow().schema == some.to_arrow().schema
    assert (
        none.to_polars().schema
        == some.to_polars().schema
        == {
            "canonical": polars.String,
            "first": polars.String,
            "size": polars.Int64,
            "urls": polars.List(polars.String),
            "kept": polars.String,
        }
    )


def records() -> list[dict[str, str | None]]:
    return [{"key": page.id, "url": page.url, "text": page.text} for page in PAGES]


def test_rows(tmp_path: Path) -> None:
    path = write_records(tmp_path / "docs.jsonl", records())
    group_urls(path, output=tmp_path / "out", id_field="key")
    rows = read_jsonl(tmp_path / "out" / "urls.jsonl")
    assert [row["id"] for row in rows] == list("abcdefg")
    assert [row["first"] for row in rows] == list("abaaaff")
    assert [row["size"] for row in rows] == [4, 1, 4, 4, 4, 2, 2]
    assert [row["canonical"] for row in rows] == [canonical_url(str(page.url)) for page in PAGES]
    assert [row["url"] for row in rows] == [page.url for page in PAGES]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".neardup", "kept", "run.json", "urls.jsonl"]
    with pytest.raises(UsageError, match="there already"):
        group_urls(path, output=tmp_path / "out")
    group_urls(path, output=tmp_path / "out", overwrite=True)
    assert read_jsonl(tmp_path / "out" / "urls.jsonl")[0]["id"] == f"{path.name}:1"
    with pytest.raises(UsageError, match="not a name"):
        group_urls(path, output=".")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").touch()
    with pytest.raises(UsageError, match="neardup did not make it"):
        group_urls(path, output=tmp_path / "other", overwrite=True)


def test_all_kinds_of_input_give_the_same_groups(tmp_path: Path) -> None:
    lines = [str(page.url) for page in PAGES]
    (tmp_path / "list.txt").write_text("\n\n".join(lines), encoding="utf-8")
    (tmp_path / "list.txt.gz").write_bytes(gzip.compress("\r\n".join(lines).encode()))
    (tmp_path / "docs.csv").write_text("url\n" + "\n".join(lines), encoding="utf-8")
    (tmp_path / "half").mkdir()
    for name, some in (("1.txt", lines[:3]), ("2.txt", lines[3:])):
        (tmp_path / "half" / name).write_text("\n".join(some), encoding="utf-8")
    write_records(tmp_path / "docs.jsonl", [{"url": line} for line in lines])
    expected = group_urls(PAGES)
    expected.summary.pop("files")
    packed = [f"packed.txt{suffix}" for suffix in (".gz", ".zst", ".bz2", ".xz", ".lz4")]
    for name in packed:
        _core.pack(str(tmp_path / name), "\n".join(lines).encode())
    for name in ("list.txt", "list.txt.gz", *packed, "docs.csv", "docs.jsonl", "half/*.txt"):
        found = group_urls(tmp_path / name)
        assert found.summary.pop("files")["read"] == (2 if "*" in name else 1), name
        assert found.summary == expected.summary, name
        assert [(group.canonical, group.urls) for group in found.groups] == [
            (group.canonical, group.urls) for group in expected.groups
        ]


def test_bad_pages_are_named_by_their_place(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(b"http://a.example/\n\nnonsense\nhttp://a.example/\xff\n")
    with pytest.raises(DataError, match=r"list\.txt, line 3: 'nonsense' is no URL"):
        group_urls(tmp_path / "list.txt")
    found = group_urls(tmp_path / "list.txt", on_error="skip")
    assert [(reject.row, reject.reason[:12]) for reject in found.rejects] == [(3, "'nonsense' i"), (4, "invalid UTF-")]
    path = write_records(tmp_path / "docs.jsonl", [{"url": "http://a.example/"}, {"url": "nonsense"}, {"url": ""}])
    with pytest.raises(DataError, match=r"docs\.jsonl, line 2: 'nonsense'"):
        group_urls(path)
    found = group_urls(path, on_error="skip")
    assert [reject.row for reject in found.rejects] == [2, 3]
    write_records(path, [{"url": "http://a.example/"}, {}])
    with pytest.raises(DataError, match=r"docs\.jsonl, line 2: there is no field"):
        group_urls(path)
    assert [reject.row for reject in group_urls(path, on_error="skip").rejects] == [2]
    with pytest.raises(DataError, match="document 2: there is no URL"):
        group_urls([Document("", url="http://a.example/"), Document("")])
    polars.DataFrame({"url": ["http://a.example/", "nonsense"]}).write_parquet(tmp_path / "docs.parquet")
    with pytest.raises(DataError, match=r"docs\.parquet, row 2: 'nonsense'"):
        group_urls(tmp_path / "docs.parquet")
    (tmp_path / "page.html").write_text("<p>text</p>", encoding="utf-8")
    with pytest.raises(DataError, match=r"page\.html: there is no URL"):
        group_urls(tmp_path / "page.html")
    found = group_urls([Document("", url="http://a.example/"), Document("", url="x", source="book")], on_error="skip")
    assert [reject[:2] for reject in found.rejects] == [("book", 2)]
    for missing, reason in (
        ("missing.txt", "no such file"),
        ("missing.jsonl", "no such file"),
        ("*.txt.gz", "no file"),
    ):
        with pytest.raises(DataError, match=rf"{re.escape(missing)}: .*{reason}"):
            group_urls(tmp_path / missing)
    (tmp_path / "broken.txt.gz").write_bytes(gzip.compress(b"http://a.example/\n" * 99)[:-9])
    with pytest.raises(DataError, match="broken"):
        group_urls(tmp_path / "broken.txt.gz")
    with pytest.raises(UsageError, match="no option 'urlfield'"):
        group_urls([], urlfield="x")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="stop, skip"):
        group_urls([], on_error="go on")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="int"):
        group_urls([3])  # type: ignore[list-item]


def test_progress_is_reported() -> None:
    reported: list[tuple[str, int, int, int]] = []
    documents = (Document("", url=f"http://a.example/{number}") for number in range(20_001))
    group_urls(documents, progress=lambda *figures: reported.append(figures))
    assert reported == [("read", 10_000, 0, 10_000), ("read", 20_000, 0, 20_000)]


def test_a_failed_run_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("nonsense", encoding="utf-8")
    with pytest.raises(DataError):
        group_urls(tmp_path / "list.txt", output=tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["list.txt"]


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("\n".join(str(page.url) for page in PAGES), encoding="utf-8")
    done = cli("urls", "list.txt", cwd=tmp_path)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert lines[0] == ["canonical", "documents", "urls"]
    assert [line[:2] for line in lines[1:]] == [["http://example.com/x", "4"], ["http://example.com/z", "2"]]
    assert done.stderr == ""
    summary = json.loads(cli("urls", "list.txt", "--json", cwd=tmp_path).stdout)
    assert summary == group_urls(tmp_path / "list.txt").summary
    done = cli("urls", "list.txt", "-o", "out", cwd=tmp_path)
    assert "6 as written, 3 canonical" in done.stdout
    assert read_jsonl(tmp_path / "out" / "urls.jsonl")[2]["first"] == "list.txt:1"
    assert json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8")) == summary
    page = (Path(__file__).parents[2] / "docs" / "reference" / "outputs.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"\w+", page.partition("## What neardup urls")[2]))
    assert {*summary, *read_jsonl(tmp_path / "out" / "urls.jsonl")[0]} - {"verb"} <= documented
    assert cli("urls", "list.txt", "--quiet", cwd=tmp_path).stdout == ""
    assert "http://a.example/\t2" in run_process("urls", "-", input='{"url": "http://a.example/"}\n' * 2).stdout
    assert "\x1b[" in on_a_terminal("urls", tmp_path / "list.txt")


def test_the_command_changes_rules(cli: Cli, tmp_path: Path) -> None:
    urls = ["http://www.a.example/?v=1", "https://a.example/?v=2", "http://a.example/?utm_id=1", "http://a.example/"]
    (tmp_path / "list.txt").write_text("\n".join(urls), encoding="utf-8")
    plain = cli("urls", "list.txt", cwd=tmp_path).stdout.splitlines()[1:]
    assert [line.split("\t")[1] for line in plain] == ["2"]
    kept = cli("urls", "list.txt", "--keep-parameter", "UTM_ID", cwd=tmp_path).stdout.splitlines()[1:]
    assert kept == []
    merged = cli("urls", "list.txt", "--merge-www", "--merge-scheme", "--drop-parameter", "V", cwd=tmp_path).stdout
    assert merged.splitlines()[1].split("\t")[:2] == ["https://a.example/", "4"]


def test_the_command_skips(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("http://a.example/\nnonsense\n", encoding="utf-8")
    assert "list.txt, line 2" in cli("urls", "list.txt", code=1, cwd=tmp_path).stderr
    done = cli("urls", "list.txt", "--on-error", "skip", "-o", "out", code=3, cwd=tmp_path)
    assert "rejects.jsonl" in done.stdout
    [reject] = read_jsonl(tmp_path / "out" / "rejects.jsonl")
    assert (reject["source"], reject["row"]) == ("list.txt", 2)


def test_names_are_exported_by_the_package() -> None:
    assert neardup.urls.canonical_url is canonical_url
    assert UrlRules() == urls_module.DEFAULT_RULES
