"""Profiles: the schemes by name that are no classics, as they stand and as they are found."""

import json
from random import Random

import pytest

import neardup
from conftest import run_neardup
from neardup import Document, UsageError, profiles
from neardup.profiles import PROFILES

LINES = {
    "noisy": "chars | shingles:5 | minhash:105 | bands:35x3 | resemblance>=0.5",
    "short": "chars | shingles:3 | whole | prefix:0.65 | resemblance>=0.65",
    "code": "chars | shingles:8 | minhash:105 | bands:35x3 | resemblance>=0.5",
    "web": "words | shingles:5 frame=0.05 | minhash:96 | bands:16x6 | resemblance>=0.8",
}
"""What the figures of docs/guides/profiles.md are of."""


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


def test_what_the_default_misses() -> None:
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


def test_pages_of_one_template_are_told_apart() -> None:
    random = Random(4)
    words = [f"w{number}" for number in range(500)]
    menu = " ".join(random.choices(words, k=200))
    bodies = [" ".join(random.choices(words, k=12)) for _ in range(40)]
    pages = [f"{menu} {body}" for body in bodies]
    # one page twice, the second time with another line at its end
    pages.append(f"{pages[0]} more")
    assert find(pages, "web") == {("0", "40")}
    assert len(find(pages, None)) == 41 * 40 // 2
