"""A person labels pairs in a terminal, one after another."""

import os
import sys
from collections.abc import Iterator
from typing import Literal

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from neardup.cli.shown.explanation import STYLES, print_changes
from neardup.errors import UsageError
from neardup.jobs.explanation import Explanation, explain
from neardup.output.written import fold, show_plain
from neardup.review.label_log import Label
from neardup.review.review import Review
from neardup.review.sample import SampledPair

Answer = Literal["duplicate", "not", "unsure", "undo", "view", "quit"]
KEYS: dict[str, Answer] = {"y": "duplicate", "n": "not", "u": "unsure", "z": "undo", "v": "view", "q": "quit"}
_END = ("", "\x04")
"""The end of the input and ^D, which end a session as q does."""
MOST = 20_000
"""Largest number of characters of a text that is shown."""


def read_keys() -> Iterator[Answer]:
    """Yield the answers that keys give, of a terminal; other keys are ignored. ^C ends as q does.

    Each key counts at once, without Enter, also one that is typed before the next pair is shown.
    """
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin, termios.TCSADRAIN)
    try:
        while (key := os.read(sys.stdin.fileno(), 1).decode(errors="replace")) not in _END:
            if answer := KEYS.get(key.lower()):
                yield answer
    except KeyboardInterrupt:
        return
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_lines() -> Iterator[Answer]:
    """Yield the answers of the lines of the standard input. Raises `UsageError` for a line that is none."""
    words: dict[str, Answer] = KEYS | {answer: answer for answer in KEYS.values()} | {"d": "duplicate"}
    for number, line in enumerate(sys.stdin, 1):
        word = line.strip().lower()
        if word not in words:
            allowed = ", ".join(f"{key} {answer}" for key, answer in KEYS.items())
            raise UsageError(f"stdin, line {number}: {line.strip()!r} is no answer; allowed are {allowed}")
        yield words[word]


class Session:
    """The pairs that a person labels, from the first to the last."""

    def __init__(self, review: Review, who: str, *, sides: bool, doubts: bool, beyond: bool, quiet: bool) -> None:
        self._review, self._who = review, who
        self._sides, self._doubts, self._beyond = sides, doubts, beyond
        self._passed = set[int]()
        """Numbers of the doubtful pairs that were labelled in this session."""
        self._undone: SampledPair | None = None
        """The pair of the label that was undone last, which is shown again."""
        self._console = Console(highlight=False, quiet=quiet)

    def run(self, answers: Iterator[Answer]) -> None:
        """Show pair after pair and take the answers, until none is left or the person quits."""
        while (pair := self._next()) is not None:
            self._show(pair)
            answer: Answer = next(answers, "quit")
            if answer == "quit":
                return
            if answer == "view":
                self._sides = not self._sides
            elif answer == "undo":
                self._undo()
            else:
                self._label(pair, answer)

    def _next(self) -> SampledPair | None:
        if self._undone is not None:
            return self._undone
        if self._doubts:
            doubtful = (one.pair for one in self._review.doubts())
            return next((pair for pair in doubtful if pair.number not in self._passed), None)
        return self._review.next_pair(self._who, beyond=self._beyond)

    def _label(self, pair: SampledPair, label: Label) -> None:
        self._review.label(self._who, *pair.key, label)
        self._passed.add(pair.number)
        self._undone = None
        self._console.print(
            Text.assemble((label, "bold"), f"  {self._review.measure.name} {self._review.measure.show(pair.score)}")
        )

    def _undo(self) -> None:
        key = self._review.undo(self._who)
        self._undone = next((pair for pair in self._review.sample if pair.key == key), None)
        self._console.print(Text("there is no label to undo" if key is None else "undone", style="yellow"))

    def _show(self, pair: SampledPair) -> None:
        console, outlook = self._console, self._review.outlook(self._who)
        console.print(Rule(style="dim"))
        evidence = explain(pair.left.text[:MOST], pair.right.text[:MOST], scheme=self._review.settings.scheme)
        if self._sides:
            console.print(_lay_out(pair, evidence))
        else:
            for document, style in ((pair.left, STYLES["removed"]), (pair.right, STYLES["added"])):
                console.print(Text(_describe(document.id, document.url), style=style.replace(" strike", "")))
            print_changes(evidence, console)
        if max(len(pair.left.text), len(pair.right.text)) > MOST:
            console.print(Text(f"Only the first {MOST:,} characters of a text are shown.", style="dim"))
        # after the texts, which may be longer than the screen
        console.print(Text(outlook.words, style="dim"))
        console.print(Text.assemble(*_name_keys()))


def _name_keys() -> list[str | tuple[str, str]]:
    return [part for key, answer in KEYS.items() for part in ((key, "bold cyan"), f" {answer}   ")]


def _describe(key: object, url: str | None) -> str:
    return show_plain(f"{key}  {url}" if url else str(key))


def _lay_out(pair: SampledPair, evidence: Explanation) -> Table:
    """Return both texts side by side; long parts that are equal are folded."""
    table = Table(box=None, pad_edge=False, expand=True)
    for document in (pair.left, pair.right):
        table.add_column(Text(_describe(document.id, document.url), overflow="fold"), ratio=1)
    sides = Text(overflow="fold"), Text(overflow="fold")
    for change in evidence.changes:
        if change.kind == "equal":
            for side in sides:
                side.append(fold(change.text))
        else:
            sides[change.kind == "added"].append(
                show_plain(change.text), style=STYLES[change.kind].replace(" strike", "")
            )
    table.add_row(*sides)
    return table
