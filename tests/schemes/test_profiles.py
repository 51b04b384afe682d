"""Profiles, which are the named schemes that are not classics: their lines, and how they are looked up."""

import json
from pathlib import Path
from random import Random

import pytest

import neardup
from command import run_neardup
from neardup import Document, Index, UsageError
from neardup.profiles import PROFILES
from neardup.schemes import profiles
from neardup.schemes.named import NAMED, find_threshold
from neardup.sweeps import SweepStore

LINES = {
    "noisy": "chars | shingles:5 | minhash:105 | bands:35x3 | resemblance>=0.5",
    "short": "chars | shingles:3 | whole | prefix:0.65 | resemblance>=0.65",
    "code": "code comments=c+shell+html | shingles:4 | minhash:54 | bands:27x2 | resemblance>=0.4",
    "web": "words | shingles:5 frame=0.05 | minhash:96 | bands:16x6 | resemblance>=0.8",
}
"""The schemes of the figures in docs/guides/profiles.md."""


def find(texts: list[str], scheme: object) -> set[tuple[str, str]]:
    documents = [Document(text, str(row), f"http://example.org/{row}") for row, text in enumerate(texts)]
    pairs = neardup.find_pairs(documents, scheme=scheme, url_field="url").pairs  # type: ignore[arg-type]
    return set(zip(pairs.column("left"), pairs.column("right"), strict=True))


def test_lines() -> None:
    assert {name: str(make()) for name, make in PROFILES.items()} == LINES
    assert str(profiles.web(threshold="0.7", frame="0.1")).startswith("words | shingles:5 frame=0.1 | minhash:")
    assert str(profiles.short("4/5", w=4)) == "chars | shingles:4 | whole | prefix:0.8 | resemblance>=0.8"


def test_names() -> None:
    found = json.loads(run_neardup("schemes", "--json").stdout)["profiles"]
    assert {one["name"]: one["scheme"] for one in found} == LINES
    assert f"profile\tshort\t{LINES['short']}\t" in run_neardup("schemes").stdout
    assert run_neardup("schemes", "--scheme", "code").stdout.startswith(LINES["code"])
    with pytest.raises(UsageError, match=r"no scheme 'nosy'; near are noisy"):
        neardup.find_pairs(["a b"], scheme="nosy")


def line(name: str, threshold: object) -> str:
    """Return the scheme that a run with a name and a threshold reports."""
    run = neardup.find_pairs([Document("a b", "0", "http://x.org/")], scheme=name, threshold=threshold, url_field="url")  # type: ignore[arg-type]
    return str(run.summary["scheme"])


def test_every_name_takes_a_threshold_or_lists_names_that_do() -> None:
    with_threshold = []
    for name in NAMED:
        if find_threshold(name) is None:
            measure = str(NAMED[name]()).rpartition(" | ")[2]
            with pytest.raises(UsageError) as refused:
                line(name, "0.75")
            message = str(refused.value)
            assert f"the scheme {name} takes no threshold, its measure is {measure};" in message
            assert "noisy (0.5), short (0.65), code (0.4), web (0.8), broder-resemblance (0.5)" in message
            continue
        with_threshold.append(name)
        made = line(name, "0.75")
        assert made.rpartition(">=")[2] == "0.75"
        assert f">={find_threshold(name)}" in str(NAMED[name]())
        assert line(name, find_threshold(name)) == str(NAMED[name]())
    assert len(with_threshold) == 12
    assert {*PROFILES, "banding", "exact-join", "contained", "spotsigs"} <= {*with_threshold}


def test_a_threshold_is_planned_anew() -> None:
    assert line("short", 0.6) == "chars | shingles:3 | whole | prefix:0.6 | resemblance>=0.6"
    assert line("noisy", "0.7") == "chars | shingles:5 | minhash:68 | bands:17x4 | resemblance>=0.7"
    assert line("banding", "0.7") == str(neardup.plan_scheme("0.7"))
    texts = ["what a lovely film, i cried at the end", "what a lovley film, i cried at the end!!"]
    found = {bound: len(neardup.find_pairs(texts, scheme="short", threshold=bound).pairs) for bound in ("0.65", "0.9")}
    assert found == {"0.65": 1, "0.9": 0}


@pytest.mark.parametrize("wrong", ["0", "1.5", "high", "0.5 & equal", "1/0"])
def test_a_wrong_threshold_of_a_name(wrong: str) -> None:
    for name in ("short", "broder-resemblance", "banding"):
        with pytest.raises(UsageError, match="threshold is"):
            neardup.find_pairs(["a b"], scheme=name, threshold=wrong)


def test_options_that_a_scheme_fixes_are_refused() -> None:
    with pytest.raises(UsageError, match="the scheme short states its own keys: leave out recall"):
        neardup.find_pairs(["a b"], scheme="short", recall="0.9")
    with pytest.raises(UsageError, match="a scheme line states its own threshold: write it there"):
        neardup.find_pairs(["a b"], scheme=LINES["short"], threshold="0.6")


def test_every_command_takes_a_threshold_for_a_name(tmp_path: Path) -> None:
    at = "chars | shingles:3 | whole | prefix:0.6 | resemblance>=0.6"
    named = ("--scheme", "short", "--threshold", "0.6")
    docs = tmp_path / "docs.jsonl"
    docs.write_text('{"text": "what a lovely film"}\n{"text": "what a lovley film"}\n', encoding="utf-8")
    for verb in ("dedup", "cluster", "pairs"):
        done = run_neardup(verb, str(docs), "-o", str(tmp_path / verb), "--json", *named)
        assert json.loads(done.stdout)["scheme"] == at
    assert run_neardup("schemes", *named).stdout.startswith(at)
    explained = run_neardup("explain", docs, docs, "--json", *named)
    assert json.loads(explained.stdout)["scheme"] == at
    assert Index.create(tmp_path / "index", scheme="short", threshold="0.6").scheme == at
    assert SweepStore.create(tmp_path / "store", scheme="short", threshold="0.6").scheme == at


def test_profiles_find_pairs_that_the_default_misses() -> None:
    scanned = [
        "the owner of the land shall keep the fences in good repair",
        "tbe owner of the land sha11 keep the fences in g ood repair",
        "no person shall let cattle run upon the roads of this county",
    ]
    typed = [
        "what a lovely film, i cried at the end",
        "what a lovley film, i cried at the end!!",
        "a boring film, i slept",
    ]
    code = [
        "if (node == null) {\n    return count(node);\n}",
        "if (node==null)\n{\n\treturn count( node );\n}",
        "return 0;",
    ]
    for texts, name in ((scanned, "noisy"), (typed, "short"), (code, "code")):
        assert find(texts, name) == {("0", "1")}
    assert find(scanned, None) == find(typed, None) == set()


def test_pages_of_one_template_are_distinguished() -> None:
    random = Random(4)
    words = [f"w{number}" for number in range(500)]
    menu = " ".join(random.choices(words, k=200))
    bodies = [" ".join(random.choices(words, k=12)) for _ in range(40)]
    pages = [f"{menu} {body}" for body in bodies]
    # one page twice, the second time with another word at its end
    pages.append(f"{pages[0]} more")
    assert find(pages, "web") == {("0", "40")}
    assert len(find(pages, None)) == 41 * 40 // 2
