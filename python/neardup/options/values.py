"""Values of options, checked against the table and converted for the core."""

from collections.abc import Callable, Iterable, Mapping
from math import prod
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from neardup.allowed import MOST, check_count, show
from neardup.errors import UsageError
from neardup.inputs.references import gather_reference
from neardup.inputs.sources import Item, OneTable
from neardup.options.table import OPTIONS, options_of
from neardup.schemes.line import compares_source_code, write_scheme
from neardup.schemes.number import write_number

if TYPE_CHECKING:
    from neardup.corpus.extractors import Extracted

ProgressCallback = Callable[[str, int, int, int], None]
NoticeCallback = Callable[[str], None]
References = str | PathLike[str] | OneTable | Iterable[PathLike[str] | Item]

STDOUT = "-"
"""The output that means the standard output."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_CORE = frozenset(option.name for option in OPTIONS if option.core)


def given(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a call that differ from their defaults.

    Args:
        verb: The verb that is called.
        arguments: Its arguments by name; those that are no options are ignored.

    Raises:
        UsageError: A number is out of its range.
    """
    options = {}
    for option in options_of(verb):
        value = arguments.get(option.name)
        if not option.in_python or value is None:
            continue
        if option.least is not None:
            check_count(option.name, value, option.least, option.most or MOST)
        # a table has a type of its own, and compares its cells
        if type(value) is not type(option.default) or value != option.default:
            options[option.name] = value
    return options


def output_of(options: Mapping[str, Any]) -> str | None:
    """Return the folder of the results; None if they stay in memory or go to the standard output."""
    output = options.get("output")
    return None if output is None or fspath(output) == STDOUT else fspath(output)


def translate(options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert options for the core.

    Args:
        options: Options by their names in the table; None counts as not given.

    Raises:
        UsageError: A value is not allowed; the message names it and what is allowed.
    """
    core: dict[str, Any] = {name: value for name, value in options.items() if name in _CORE and value is not None}
    for name in ("threshold", "recall"):
        if name in core:
            core[name] = write_number(core[name], name)
    if core.get("scheme"):
        core["source_code"] = compares_source_code(core["scheme"])
        core["scheme"] = write_scheme(core["scheme"], core.pop("threshold", None), core.get("recall"))
    if "output" in core:
        core["output"] = fspath(core["output"])
    if "extractor" in core and not core.get("main_content"):
        only = "takes main content only: set main_content, too (--main-content)"
        raise UsageError(f"extractor is {core['extractor']}, and {only}")
    if "add_fields" in core:
        core["add_fields"] = join_names("add_fields", core["add_fields"])
    if "prefer" in core:
        core["prefer"] = parse_preferences(core["prefer"])
    if "memory" in core:
        core["memory"] = parse_memory(core["memory"])
    if options.get("against") is not None:
        core["against"], names = gather_reference(options["against"], options)
        core = names | core
    return core | translate_readers(options)


def join_names(option: str, names: str | Iterable[str]) -> str:
    """Write names, or a list of them, with commas between them."""
    if isinstance(names, str):
        return names
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise UsageError(f"{option} is {show(names)}; it is NAME,NAME or a list of names")
    return ",".join(names)


Preference = tuple[str, list[str], bool]
"""A field, its preferred values with the best first, and whether these are beginnings of values."""
_PREFERENCES = 6
"""The most preferences of a run, and of their combined ranks."""
_RANKS = 2**31


def parse_preferences(prefer: Any) -> list[Preference]:
    """Read one preference or several, the one that decides first in front.

    Args:
        prefer: "FIELD=VALUE,VALUE" or "FIELD^=BEGINNING,BEGINNING", a field and the list of its values, or a list of
            these.

    Raises:
        UsageError: One is not written so, or there are too many.
    """
    is_one = isinstance(prefer, str) or (isinstance(prefer, tuple) and len(prefer) == 2 and _are_texts(prefer[1]))
    found = [_parse_preference(one) for one in ([prefer] if is_one else prefer)]
    if len(found) > _PREFERENCES or prod(len(values) + 1 for _, values, _ in found) >= _RANKS:
        raise UsageError(
            f"prefer has {len(found)} fields; allowed are {_PREFERENCES}, and 2^31 combinations of their values"
        )
    return found


def read_preferences(written: list[Any]) -> list[Preference]:
    """Return the preferences of a run from its `run.json`, which has one with whole values as [field, values]."""
    several = [[*written, False]] if isinstance(written[0], str) else written
    return [(field, values, by_beginning) for field, values, by_beginning in several]


def _parse_preference(prefer: Any) -> Preference:
    if not isinstance(prefer, str):
        field, values = prefer if isinstance(prefer, tuple) and len(prefer) == 2 else (prefer, None)
        if isinstance(field, str) and values and _are_texts(values):
            return field, list(values), False
        raise UsageError(f"prefer is {show(prefer)}; it is FIELD=VALUE,VALUE or a field and the list of its values")
    field, equals, values_text = prefer.partition("=")
    ranked = [value for value in values_text.split(",") if value]
    by_beginning = field.endswith("^")
    field = field.removesuffix("^")
    if not (field and equals and ranked):
        raise UsageError(f"prefer is {prefer!r}; it is written FIELD=VALUE,VALUE with the best value first")
    return field, ranked, by_beginning


def _are_texts(values: Any) -> bool:
    return isinstance(values, list | tuple) and all(isinstance(one, str) for one in values)


def parse_memory(memory: int | str) -> int:
    """Read a number of bytes, or a number with K, M, G or T."""
    if isinstance(memory, int):
        check_count("memory", memory)
        return memory
    text = memory.strip().upper().removesuffix("IB").removesuffix("B")
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS and text[-1:] else (text, "")
    try:
        size = int(float(number) * _UNITS[unit])
    except (ValueError, OverflowError):
        size = 0
    if not 0 < size <= MOST:
        raise UsageError(f"memory is {show(memory)}; it is written as bytes or as 512M, 4G")
    return size


def translate_readers(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the readers that use Python libraries, for the core; the libraries are imported at the first page."""
    main_content = bool(options.get("main_content", False))
    extractor = label = None
    # an index states the extractor of the pages that will be added
    if main_content or options.get("index"):
        from neardup.corpus.extractors import AUTO, label_of, name_in

        name = name_in(options.get("extractor") or AUTO)
        extractor, label = name if main_content else None, label_of(name)

    def extract(pages: list[str]) -> "list[Extracted]":
        from neardup.corpus.markup import extract_texts

        return extract_texts(pages, extractor)

    archives: list[Any] = []

    def archive(path: str, every: list[str]) -> Any:
        from neardup.corpus.archives import Archives

        if not archives:
            archives.append(Archives(extract))
        return archives[0].read(path, every)

    return {"extract": extract, "archive": archive, "main_content": main_content, "extractor": label}
