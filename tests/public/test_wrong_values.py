"""Any value of an argument or option leads to a result or to an error of neardup, and to no other exception."""

import inspect
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import pytest

import neardup
from command import call_neardup
from lines import COMMANDS, LINES, make, put_in_place
from neardup import Document, EnvironmentFault, Gate, Index, NeardupError, UsageError
from neardup.gate import OpenSearchIndex, Page, SqliteStore
from neardup.options.table import options_of
from neardup.review import Review
from neardup.sweeps import SweepStore
from systems import need_posix

WRONG: list[Any] = [
    *(None, 5, -1, 0, 1.5, math.nan, math.inf, True, object(), b"x", Decimal("nan"), {1}),
    *(10**30, -(10**30), 2**32, 2**63, 2**64 - 1, 10**400),
    *("x", "", "\ud800", "a\0b", "9" * 5000, "1e400", "1/0", "-1G", "1e30T"),
    *([], ["x"], [1], {}, {"a": 1}, (1, 2), ("a", [1])),
]
DOCUMENTS = [
    Document(f"text number {at % 3} of some few words", f"d{at}", f"http://a.example/{at}", at) for at in range(6)
]
SCHEME = "words | shingles:5 | minhash:9 | each | equal"
Calls = dict[str, Callable[[Any], object]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    need_posix("reviews")
    return make(tmp_path_factory.mktemp("wrong") / "made")


def option_calls(made: dict[str, str], new: Callable[[], Path]) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield a call for each option of each verb; it passes its value as that option."""
    docs, labels = made["DOCS"], [{"a": "d0", "b": "d3", "label": 1}]
    store = SweepStore(made["STORE"])
    verbs: list[tuple[str, str, Callable[..., object]]] = [
        ("dedup", "dedup", lambda **options: neardup.dedup(DOCUMENTS, **options)),
        ("cluster", "cluster", lambda **options: neardup.cluster(DOCUMENTS, **options)),
        ("find_pairs", "pairs", lambda **options: neardup.find_pairs(DOCUMENTS, **options)),
        ("sketch", "sketch", lambda **options: neardup.sketch(DOCUMENTS, SCHEME, **options)),
        ("evidence", "evidence", lambda **options: neardup.evidence(made["RUN"], **options)),
        ("find_passages", "passages", lambda **options: neardup.find_passages(DOCUMENTS, **options)),
        ("build_lexicon", "lexicon", lambda **options: neardup.build_lexicon(DOCUMENTS, new(), **options)),
        ("read", "read", lambda **options: list(neardup.read(docs, **options))),
        ("evaluate", "evaluate", lambda **options: neardup.evaluation.evaluate(labels, DOCUMENTS, **options)),
        ("Review.create", "review new", lambda **options: Review.create(new(), docs, **options)),
        ("group_urls", "urls", lambda **options: neardup.urls.group_urls(DOCUMENTS, **options)),
        ("find_mirrors", "mirrors", lambda **options: neardup.urls.find_mirrors(DOCUMENTS, **options)),
        (
            "SweepStore.add",
            "sweep add",
            lambda **one: store.add(DOCUMENTS, "2022", **({"overwrite": True} | one)),
        ),
        ("Index.create", "index create", lambda **options: Index.create(new(), **options)),
        ("Gate.open", "index create", lambda **options: Gate.open(new(), **options).close()),
    ]
    for function, verb, call in verbs:
        names = [option.name for option in options_of(verb) if option.in_python]
        for option in names:
            yield f"{function}({option}=)", lambda value, call=call, option=option: call(**{option: value})  # type: ignore[misc]


def argument_calls(made: dict[str, str], new: Callable[[], Path]) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield a call for each argument of each function and method; the other arguments are valid."""
    docs, run = made["DOCS"], made["RUN"]
    index = Index.create(new(), parts=True)
    index.add(DOCUMENTS)
    gate, store, database = Gate.open(new()), SweepStore(made["STORE"]), SqliteStore(new())
    review = Review.open(Path(docs).parent / "review")
    right: list[tuple[Callable[..., object], dict[str, Any]]] = [
        (neardup.dedup, {"inputs": DOCUMENTS}),
        (neardup.cluster, {"inputs": DOCUMENTS}),
        (neardup.find_pairs, {"inputs": DOCUMENTS}),
        (neardup.find_passages, {"inputs": DOCUMENTS, "tokens": 5}),
        (lambda inputs: list(neardup.read(inputs)), {"inputs": docs}),
        (lambda item: list(neardup.read([item])), {"item": docs}),
        (lambda item: neardup.dedup([DOCUMENTS[0], item]), {"item": DOCUMENTS[1]}),
        (lambda item: neardup.urls.group_urls([item]), {"item": DOCUMENTS[1]}),
        (neardup.sketch, {"inputs": DOCUMENTS, "scheme": SCHEME}),
        (
            neardup.recluster,
            {"run": run, "threshold": "0.9", "policy": "resemblance", "output": None, "overwrite": False},
        ),
        (neardup.results.at_thresholds, {"run": run, "thresholds": ["0.9"], "policy": "resemblance"}),
        (lambda threshold: neardup.results.at_thresholds(run, [threshold]), {"threshold": "0.9"}),
        (neardup.evidence, {"run": run}),
        (lambda inputs, output: neardup.build_lexicon(inputs, output or new()), {"inputs": DOCUMENTS, "output": None}),
        (
            neardup.evaluation.evaluate,
            {"truth": [{"a": "d0", "b": "d3", "label": 1}], "inputs": DOCUMENTS, "schemes": SCHEME},
        ),
        (lambda **label: neardup.evaluation.evaluate([label], DOCUMENTS), {"a": "d0", "b": "d3", "label": 1}),
        (neardup.explain, {"left": "a b", "right": "a b", "scheme": None, "threshold": None, "measures": ["lcs"]}),
        (lambda measure: neardup.explain("a b", "a b", measures=[measure]), {"measure": "lcs"}),
        (neardup.fold, {"results": DOCUMENTS, "threshold": None, "scheme": None}),
        (neardup.plan_scheme, {"threshold": "0.8", "recall": "0.9"}),
        (neardup.urls.canonical_url, {"url": "http://a.example/", "rules": neardup.urls.UrlRules()}),
        (neardup.index.repair, {"folder": made["INDEX"], "scheme": None, "parts": None}),
        (neardup.gate.query_terms, {"query": "text"}),
        (neardup.gate.search_terms, {"text": "text"}),
        (neardup.urls.group_urls, {"inputs": DOCUMENTS, "output": None, "overwrite": False}),
        (neardup.urls.find_mirrors, dict.fromkeys(inspect.signature(neardup.urls.find_mirrors).parameters) | MIRRORS),
        (Index.create, {"folder": None}),
        (Index.open, {"folder": made["INDEX"], "scheme": None, "parts": None, "peers": None, "read_only": False}),
        (Index.open_or_create, {"folder": made["INDEX"]}),
        (Gate.open, {"folder": made["INDEX"], "store": None}),
        (Gate, {"index": index, "store": database}),
        (SqliteStore, {"path": new()}),
        (OpenSearchIndex, {"client": None, "index": "name"}),
        (SweepStore, {"folder": made["STORE"]}),
        (SweepStore.create, {"folder": None, "scheme": None, "threshold": None}),
        (Review.open, {"folder": review.folder}),
        (Review.create, {"folder": None, "inputs": docs}),
        (store.add, {"inputs": DOCUMENTS, "date": "2021", "overwrite": True}),
        (store.locate, {"url": "http://a.example/1"}),
        (store.history, {"url": "http://a.example/1"}),
        (store.last_text, {"url": "http://a.example/1"}),
        (store.text, {"name": "x"}),
        (lambda text, threshold: store.contacts(text=text, threshold=threshold), {"text": "a b", "threshold": "0.5"}),
        (lambda url: store.contacts(url=url), {"url": "http://a.example/1"}),
        (index.add, {"documents": DOCUMENTS}),
        (index.check, {"document": "a b"}),
        (index.remove, {"ids": []}),
        (lambda name: index.remove([name]), {"name": "x"}),
        (lambda **one: index.query("text number 1 of some", **one), QUERY),
        (lambda text: index.query(text), {"text": "a b"}),
        (lambda name: index.query(id=name), {"name": "d1"}),
        (lambda url: index.query(url=url), {"url": "http://a.example/1"}),
        *((one, {"id": "d1"}) for one in (index.get, index.verdict, index.group, index.cluster)),
        (index.of_url, {"url": "http://a.example/1"}),
        (lambda name: name in index, {"name": "d1"}),
        (gate.admit, {"document": "a b"}),
        (gate.admit_all, {"given": ["a b"]}),
        (gate.check, {"document": "a b"}),
        (gate.remove, {"ids": []}),
        (lambda **page: gate.admit(Page(**page)), {"html": "<p>a", "id": None, "url": None, "time": None}),
        (lambda **one: index.check(Document(**one)), {"text": "a", "id": None, "url": None, "time": None}),
        (
            lambda **one: neardup.dedup([Document(**one)]),
            {"text": "a", "id": "x", "url": None, "time": None, "row": None},
        ),
        (database.search, {"query": "text", "limit": 3}),
        (database.get, {"document_id": "x"}),
        (database.by_url, {"url": "x"}),
        (database.claim, {"index": "x"}),
        (database.apply, {"changes": None}),
        (review.label, {"who": "x", "left": "d0", "right": "d2", "label": "not"}),
        (review.undo_pair, {"who": "x", "left": "d0", "right": "d2"}),
        (review.undo, {"who": "x"}),
        (review.next_pair, {"who": "x", "beyond": True}),
        (review.aim, {"precision": "0.9", "labels": 100}),
        (review.progress, {"who": "x"}),
        (review.estimate, {"threshold": None}),
        (review.suggest, {"precision": "0.5"}),
    ]
    for module in (neardup.classics, neardup.profiles):
        makers = [one for one in vars(module).values() if inspect.isfunction(one) and one.__module__ == module.__name__]
        right += [
            (one, {name: part.default for name, part in inspect.signature(one).parameters.items()})
            for one in makers
            if not one.__name__.startswith("_")
        ]
    for call, arguments in right:
        for name in arguments:
            named = getattr(call, "__qualname__", "").replace("argument_calls.<locals>.", "")
            yield (
                f"{named}({name}) {list(arguments)}",
                lambda value, call=call, arguments=arguments, name=name: call(**{**arguments, name: value}),  # type: ignore[misc]
            )


MIRRORS = {
    "inputs": DOCUMENTS,
    "threshold": "0.5",
    "first_pages": "0.5",
    "least_paths": 1,
    "cap": 1000,
    "overwrite": False,
}
MIRRORS |= {"options": None}
QUERY = {"by": "resemblance", "threshold": None, "limit": 3, "passages": False}


@pytest.mark.parametrize("list_calls", [option_calls, argument_calls])
def test_every_wrong_value_is_an_error_of_neardup(
    list_calls: Callable[..., Iterator[tuple[str, Callable[[Any], object]]]],
    made: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # a text may be used as the name of an output
    monkeypatch.chdir(tmp_path)
    numbers = count()
    other: list[str] = []
    for name, call in list_calls(made, lambda: tmp_path / f"new{next(numbers)}"):
        for value in WRONG:
            try:
                call(value)
            except NeardupError:
                pass
            except Exception as error:  # noqa: BLE001 - any other exception is a fault
                other.append(f"{name} {str(value)[:20]}: {error!r}"[:200])
    assert not other


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("engine", "spark", "a SparkEngine"),
        ("engine", "local", "a SparkEngine"),
        ("prefer", {"a": 1}, "tuple"),
        ("prefer", ("a", 1), "FIELD=VALUE,VALUE"),
        ("output", 5, "a path"),
        ("progress", 5, "a function"),
        ("threads", 2**63, "1 to 1024"),
        ("threads", True, "whole numbers"),
        ("overwrite", 1, "True, False"),
        ("keep", 5, "earliest"),
        ("on_error", "ignore", "stop, skip"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(option: str, value: Any, allowed: str) -> None:
    with pytest.raises(UsageError, match=f"^{option} is ") as refused:
        neardup.dedup(DOCUMENTS, **{option: value})
    assert allowed in str(refused.value)


def test_a_wrong_argument_is_named_with_what_is_allowed(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index")
    for call, message in (
        (lambda: index.add(None), "documents is None; allowed are Document, text, a list"),  # type: ignore[arg-type]
        (lambda: index.add([None]), "a document is of type NoneType"),  # type: ignore[list-item]
        (lambda: Index.create(tmp_path / "other", most=10**30), "most is 1"),
        (lambda: neardup.evidence(5), "run is 5; allowed are a path"),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError, match=message):
            call()
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("line", LINES)
def test_wrong_numbers_on_the_command_line(line: str, made: dict[str, str], tmp_path: Path) -> None:
    name = max((name for name in COMMANDS if line.startswith(name)), key=len)
    numbers = count()
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and is_number(option) and not set(option.opts) & set(line.split()):
            for value in ("1" + 27 * "0", "-1", "nan", "1e999999999", "x"):
                words = put_in_place(line, made | {"OUT": str(tmp_path / f"out{next(numbers)}")})
                with patch("neardup.service.server.listen", side_effect=EnvironmentFault("it serves")):
                    done = call_neardup(*words, f"{option.opts[-1]}={value}")
                assert done.returncode in ((0, 1, 2) if value.startswith("1000") else (1, 2)), done
                assert "Traceback" not in done.stderr


def is_number(option: click.Option) -> bool:
    return isinstance(option.type, click.IntRange) or option.metavar in (
        "NUMBER",
        "SIZE",
        "AGE",
        "NUMBER|exact",
        "DATE",
    )


def test_an_index_of_too_many_documents(tmp_path: Path) -> None:
    done = call_neardup("index", "create", tmp_path / "index", "--most", 10**27)
    assert done.returncode == 2
    assert "most is 1000" in done.stderr
    assert not (tmp_path / "index").exists()
