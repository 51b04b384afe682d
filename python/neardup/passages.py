"""Repeated passages: runs of text that stand at several places of a corpus, found and cut."""

from os import fspath
from typing import TYPE_CHECKING, Any, Unpack, cast, overload

from neardup.allowed import allow, check_count, check_options, show
from neardup.document import ArrowStream, Document
from neardup.errors import UsageError
from neardup.options import PassageOptions
from neardup.pieces import CUTS, MOST, UNITS
from neardup.pipeline import Files, run_verb
from neardup.results import PassageList
from neardup.sources import Inputs, gather

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@overload
def find_passages(  # type: ignore[overload-overlap]
    inputs: Files, tokens: int = ..., **options: Unpack[PassageOptions]
) -> "PassageList[Path | None]": ...
@overload
def find_passages(inputs: ArrowStream, tokens: int = ..., **options: Unpack[PassageOptions]) -> PassageList[None]: ...
@overload
def find_passages(
    inputs: "Iterable[Document]", tokens: int = ..., **options: Unpack[PassageOptions]
) -> PassageList[list[Document]]: ...
@overload
def find_passages(
    inputs: "Iterable[str]", tokens: int = ..., **options: Unpack[PassageOptions]
) -> PassageList[list[str]]: ...
@overload
def find_passages(
    inputs: "Iterable[ArrowStream]", tokens: int = ..., **options: Unpack[PassageOptions]
) -> PassageList[None]: ...
@allow
def find_passages(inputs: Inputs, tokens: int = 50, **options: Unpack[PassageOptions]) -> PassageList[Any]:
    """Find every passage of `tokens` tokens or more that stands at two places of the corpus, and cut all but the first.

    Complete: every run of `tokens` tokens that begins at an earlier place, too, is part of a passage. `inputs` as in
    `dedup`; `tokens` is 2 to 64; `options` are those of `neardup.PassageOptions`. Raises `UsageError`, `DataError`,
    `EnvironmentFault`. Anchors by winnowing: Schleimer, Wilkerson, Aiken 2003.
    """
    check_options(options, PassageOptions)
    given = cast(dict[str, Any], dict(options))
    unit = _choice("unit", given.pop("unit", None), UNITS)
    more = {"cut": _choice("cut", given.pop("cut", None), CUTS), "least": given.pop("least", None)}
    if more["least"] is not None:
        check_count("least", more["least"], 0)
    if tokens not in range(2, MOST + 1):
        raise UsageError(f"tokens is {show(tokens)}; allowed are 2 to {MOST}")
    given["scheme"] = f"{unit} | shingles:{tokens} | whole | each | equal"
    gathered = gather(inputs)
    result = run_verb("passages", gathered, given, more)
    output = given.get("output")
    return PassageList(result, None if output is None else fspath(output), gathered.items)


def _choice(name: str, value: str | None, allowed: tuple[str, ...]) -> str:
    """Give the value of an option, the first of those allowed when there is none."""
    if value is not None and value not in allowed:
        raise UsageError(f"{name} is {value!r}; allowed are {', '.join(allowed)}")
    return value or allowed[0]
