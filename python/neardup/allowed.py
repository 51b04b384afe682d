"""Checks of arguments against their annotations; a `UsageError` says what is allowed."""

import errno
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from os import PathLike, fspath
from types import NoneType, UnionType
from typing import Any, ForwardRef, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from neardup.errors import EnvironmentFault, UsageError

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

MOST = 2**63 - 1
"""Largest count that every part of the program accepts; no larger one is of use."""
_SHOWN = 60
_UNCHECKED = ("inputs", "date")
"""Arguments of many types, which are not checked here: their reader reports what is allowed."""
_PATH = "a path"
_WRITTEN: dict[Any, str] = {
    NoneType: "None",
    bool: "True, False",
    int: "whole numbers",
    str: "text",
    Callable: "a function",
    Iterable: "a list",
    Mapping: "a mapping",
    PathLike: _PATH,
    Sequence: "a list",
}
"""Words for types that messages do not call by their names."""
_NAMED = {
    "Engine": "a SparkEngine or a RayEngine",
    **dict.fromkeys(("ArrowStream", "ArrowArray", "LazyTable", "ScannedTable", "FormattedTable"), "a table"),
}
"""The same for types of the library, by name: they are defined in layers above, which this module cannot import."""


class Kind(NamedTuple):
    """Check of a type: the words for it in messages, and the test."""

    written: str
    accepts: Callable[[Any], bool]


def allow(function: F) -> F:
    """Make a function refuse arguments that do not match their annotations, and keywords that it does not have."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    keywords = frozenset(code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount])

    @wraps(function)
    def checking(*args: Any, **named: Any) -> Any:
        types = function.__annotations__
        if not named.keys() <= keywords:
            unknown = next(name for name in named if name not in keywords)
            allowed = ", ".join(sorted(keywords - {"self", "cls"}))
            raise UsageError(f"there is no option {unknown!r}; there are {allowed}")
        for name, value in (*zip(names, args, strict=False), *named.items()):
            is_left_out = value is None and (function.__kwdefaults__ or {}).get(name) is False
            if name in types and name not in _UNCHECKED and not is_left_out:
                check(name, value, types[name])
        try:
            return function(*args, **named)
        except UnicodeEncodeError as error:
            # the text was deep inside an argument, or is the name of a file
            shown = show(error.object)
            raise UsageError(f"{shown} is not UTF-8: a lone surrogate is no character") from error
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            raise EnvironmentFault(f"{show(error.filename)}: {error.strerror}") from error

    return checking  # type: ignore[return-value]


def allow_all(wanted: C) -> C:
    """Apply `allow` to all public methods of a class and to `__init__`."""
    for name, member in list(vars(wanted).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, classmethod):
            setattr(wanted, name, classmethod(allow(member.__func__)))
        elif callable(member) and hasattr(member, "__code__"):
            setattr(wanted, name, allow(member))
    return wanted


def check(name: str, value: Any, wanted: Any) -> None:
    """Raise `UsageError` if `value` is not of the type `wanted`."""
    kind = _kind(wanted)
    if kind is not None and not kind.accepts(value):
        raise UsageError(f"{name} is {show(value)}; allowed are {kind.written}")


def check_count(name: str, value: int, least: int = 1, most: int = MOST) -> None:
    """Raise `UsageError` for a whole number that is out of its range."""
    if not least <= value <= most:
        open_end = f"{least} and more" if value < least else f"numbers below 2^{most.bit_length()}"
        bound = f"{least} to {most}" if most < MOST else open_end
        raise UsageError(f"{name} is {show(value)}; allowed are {bound}")


def show(value: object) -> str:
    """Write a value as a message shows it."""
    try:
        shown = repr(value)
    except ValueError:
        # Python writes no integer of more than 4,300 digits
        return "a number of thousands of digits"
    if "\n" in shown:
        # tables write themselves as tables
        return f"a value of type {type(value).__name__}"
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


@cache
def _kind(wanted: Any) -> Kind | None:
    """Return the check of a type; None for an unknown one, such as a type variable or a name."""
    origin = get_origin(wanted)
    if origin in (Union, UnionType):
        return _any_of([_kind(one) for one in get_args(wanted)])
    if origin is Literal:
        words = get_args(wanted)
        return Kind(", ".join(words), lambda value: isinstance(value, str) and value in words)
    if isinstance(wanted, ForwardRef):
        # a class is compared by its name, so that it need not be imported
        name = wanted.__forward_arg__
        if name in ("Decimal", "Fraction"):
            # the reader of numbers reports what is allowed
            return None
        return Kind(name, lambda value: type(value).__name__ == name)
    plain = origin or wanted
    if not isinstance(plain, type) or plain in (object, Any):
        return None
    written = _WRITTEN.get(plain) or _NAMED.get(plain.__name__, plain.__name__)
    if plain is bool:
        return Kind(written, _is_bool)
    if plain is int:
        return Kind(written, _is_whole)
    if plain is PathLike:
        return Kind(written, lambda value: isinstance(value, PathLike) and _is_name(fspath(value)))
    if written == _WRITTEN[Callable]:
        return Kind(written, callable)
    if getattr(plain, "_is_protocol", False):
        parts = [name for name in vars(plain) if not name.startswith("_") or name.startswith("__arrow")]
        return Kind(written, lambda value: not isinstance(value, type) and all(hasattr(value, name) for name in parts))
    if get_args(wanted) == (str,):
        return Kind(f"{written} of text", lambda value: isinstance(value, plain) and _are_texts(value))
    return Kind(written, lambda value: isinstance(value, plain))


def _any_of(kinds: list[Kind | None]) -> Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    is_path = any(kind.written == _PATH for kind in known)
    tests = [kind.accepts for kind in known if not (is_path and kind.written == "text")]
    if is_path:
        tests.append(lambda value: isinstance(value, str) and _is_name(value))
    left_out = {"None", "text" if is_path else ""}
    written = dict.fromkeys(kind.written for kind in known if kind.written not in left_out)
    return Kind(", ".join(written), lambda value: any(accepts(value) for accepts in tests))


def _is_bool(value: Any) -> bool:
    # numpy has a bool type of its own
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _is_whole(value: Any) -> bool:
    return hasattr(type(value), "__index__") and not _is_bool(value)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and "\0" not in name


def _are_texts(values: Any) -> bool:
    """Whether a collection contains only texts; an iterator passes, because checking would consume it."""
    return not isinstance(values, Collection) or all(isinstance(one, str) for one in values)
