"""Docstrings of the verbs: their sections, and their examples, which are run."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import neardup
from neardup.options.table import options_of

VERBS = {
    "neardup.dedup": "dedup",
    "neardup.cluster": "cluster",
    "neardup.find_pairs": "pairs",
    "neardup.find_passages": "passages",
    "neardup.sketch": "sketch",
    "neardup.build_lexicon": "lexicon",
    "neardup.evidence": "evidence",
    "neardup.recluster": "recluster",
    "neardup.results.at_thresholds": "",
    "neardup.read": "read",
    "neardup.evaluation.evaluate": "evaluate",
    "neardup.urls.group_urls": "urls",
    "neardup.urls.find_mirrors": "mirrors",
}


@pytest.mark.parametrize("name", VERBS)
def test_examples_run(name: str, tmp_path: Path) -> None:
    place, _, verb = name.rpartition(".")
    function = getattr(import_module(place), verb)
    known = {"neardup": neardup, "folder": tmp_path}
    [example] = [one for one in doctest.DocTestFinder().find(function, name, globs=known) if one.examples]
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example).failed == 0


@pytest.mark.parametrize("name", VERBS)
def test_parameters_are_explicit_and_described(name: str) -> None:
    place, _, verb = name.rpartition(".")
    function = getattr(import_module(place), verb)
    parameters = inspect.signature(function).parameters
    text = inspect.getdoc(function) or ""
    assert all(f"\n    {parameter}: " in text for parameter in parameters)
    assert all(f"\n{section}:\n" in text for section in ("Args", "Returns", "Raises", "Example"))
    for option in options_of(VERBS[name]):
        if option.in_python:
            assert parameters[option.name].default == option.default
