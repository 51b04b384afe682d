"""An option, which is one row of the table of options."""

import re
from typing import NamedTuple

MATCHES = ("dedup", "cluster", "pairs")
JOBS = (*MATCHES, "passages", "sketch")
RUNS = (*JOBS, "evidence")
PAGES = ("mirrors", "urls")
DOCUMENTS = "index inputs"
"""Name for `index create`, `index add`, `gate create` and `gate admit` in options that all have."""
ADDED = (DOCUMENTS, "gate check")
READS = (*JOBS, "lexicon", "read", "evaluate", "review new", "mirrors", "sweep add", *ADDED, "fold")
INDEX_WRITES = ("index add", "index compact", "index expire", "index remove", "index repair", "index verify")
INDEX_LISTS = ("index clusters", "index documents")
INDEX_READS = (*INDEX_LISTS, "index info", "index query", "index show")
GATE_WRITES = ("gate admit", "gate expire", "gate rebuild", "gate remove")
GATE_READS = ("gate check", "gate serve", "gate status")
SWEEPS = (
    "sweep add",
    "sweep changes",
    "sweep contacts",
    "sweep history",
    "sweep list",
    "sweep locate",
    "sweep remove",
    "sweep stats",
)
_LITERAL = re.compile(r"Literal\[(.*?)\]")
_WORD = re.compile(r'"(.*?)"')
_NAME = re.compile(r"\{(\w+)\}")


class Option(NamedTuple):
    """An option of one or more verbs. The same name in another row is the option of other verbs."""

    name: str
    """Its name in Python; the command line writes `-` for `_`."""
    verbs: tuple[str, ...]
    """The verbs that have it, by the names of their commands."""
    type: str
    """Its annotation in Python; choices are those of a `Literal`."""
    help: str
    """Its help, in one or two sentences. `{name}` refers to another option of the same verbs."""
    default: object = None
    """Its value if it is not given."""
    default_words: str = ""
    """Words for what happens if it is not given, unless `default` says it."""
    metavar: str | None = None
    """Placeholder for its value in `--help`."""
    flag: str = ""
    """Its name on the command line, if this differs from its name in Python."""
    least: int | None = None
    """Smallest value of a whole number."""
    most: int | None = None
    """Largest value of a whole number."""
    is_required: bool = False
    """Whether the command line requires it."""
    in_python: bool = True
    """Whether the verbs of the library have it."""
    in_commands: bool = True
    """Whether the commands have it."""
    core: str = ""
    """Its type in the job of the core; empty if the core does not have it."""
    decides: bool = False
    """Whether results depend on it: a run resumes only one with the same value."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values; empty if any value of its type is allowed."""
        return () if "| str |" in self.type else choices_of(self.type)

    @property
    def is_flag(self) -> bool:
        """Whether it is on or off."""
        return self.type.startswith("bool")

    @property
    def is_list(self) -> bool:
        """Whether it may be given more than once."""
        return self.type.startswith(("Sequence[", "References"))

    @property
    def is_count(self) -> bool:
        """Whether it is a whole number."""
        return self.type in ("int", "int | None")

    @property
    def long_flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.flag or self.name.replace('_', '-')}"

    def help_for_command(self) -> str:
        """Write the help of the command line; other options are named as there."""
        text = f"{self.help} May be repeated." if self.is_list else self.help
        words = self.default_words or ("" if self.default in (None, ()) or self.is_flag else f"{self.default}")
        if words and not self.is_required:
            text += f"  [default: {words}]"
        return _NAME.sub(lambda match: f"--{match[1].replace('_', '-')}", text)

    def help_for_python(self) -> str:
        """Write the help of a docstring; other options are named as in Python."""
        text = f"{self.help} By default {self.default_words}." if self.default_words else self.help
        return _NAME.sub(r"`\1`", text)


def choices_of(annotation: str) -> tuple[str, ...]:
    """Return the values of the `Literal` in an annotation; none if there is no `Literal`."""
    literal = _LITERAL.search(annotation)
    return tuple(_WORD.findall(literal[1])) if literal else ()
