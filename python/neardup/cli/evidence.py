"""The evidence for a pair, on a terminal or in a pipe."""

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.explanation import Change, Explanation

STYLES = {"removed": "red strike", "added": "green"}
MARKS = {"removed": ("[-", "-]"), "added": ("{+", "+}")}
HARMLESS = frozenset("\n\t\u00a0\u200c\u200d\u3000")
"""Code points that Python does not call printable and that are plain text all the same."""
FOLDED = 400
"""Code points of an equal stretch that are shown; a longer one is folded in the middle."""


def find_texts(left: str, right: str, inputs: tuple[str, ...], fields: dict[str, Any]) -> tuple[str, str]:
    """Read the two texts: from a file each, or by id out of the inputs."""
    from neardup.pipeline import read

    if inputs:
        wanted = {left, right}
        found: dict[str, str] = {}
        for document in read(list(inputs), **fields):
            if document.id in wanted:
                found[str(document.id)] = document.text
            if len(found) == len(wanted):
                break
        for name in (left, right):
            if name not in found:
                raise DataError(f"there is no document {name!r} in {', '.join(inputs)}")
        return found[left], found[right]
    return read_text(left, fields), read_text(right, fields)


def read_text(path: str, fields: dict[str, Any]) -> str:
    """Read the text of a file with one document."""
    from neardup.pipeline import read

    try:
        known = Path(path).suffix.lower() in (".html", ".htm")
        if not known:
            return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8: byte {error.start} is {error.object[error.start]:#04x}") from error
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error
    texts = [document.text for document in read([path], **fields)]
    if len(texts) != 1:
        raise UsageError(f"{path} holds {len(texts)} documents: name the file by --in and the documents by their ids")
    return texts[0]


def write_json(evidence: Explanation) -> str:
    """Write the evidence as one JSON object, in the shape of the Python types."""
    plain = evidence._asdict()
    plain["passages"] = [
        {"tokens": one.tokens, "left": one.left._asdict(), "right": one.right._asdict()} for one in evidence.passages
    ]
    plain["changes"] = [change._asdict() for change in evidence.changes]
    return json.dumps(plain, ensure_ascii=False)


def print_evidence(evidence: Explanation, left: str, right: str) -> None:
    """Print scores, passages and the difference; colours on a terminal, marks in a pipe."""
    console = Console(soft_wrap=True, highlight=False)
    verdict = evidence.rule or "not near-duplicates"
    console.print(Text(verdict, style="bold green" if evidence.rule else "bold yellow"))
    union = evidence.left_size + evidence.right_size - evidence.shared
    rows = [
        ("resemblance", _write_ratio(evidence.shared, union, evidence.resemblance)),
        ("A in B", _write_ratio(evidence.shared, evidence.left_size, evidence.left_in_right)),
        ("B in A", _write_ratio(evidence.shared, evidence.right_size, evidence.right_in_left)),
    ]
    for name, value in evidence.measures.items():
        rows.append((name, "no value" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")))
    rows.append(("scheme", evidence.scheme))
    rows.append(("A", f"{left}: {evidence.left_tokens:,} tokens, {evidence.left_covered:,} in passages"))
    rows.append(("B", f"{right}: {evidence.right_tokens:,} tokens, {evidence.right_covered:,} in passages"))
    for passage in evidence.passages:
        spans = f"A bytes {_write_span(passage.left.bytes)}, B bytes {_write_span(passage.right.bytes)}"
        rows.append(("passage", f"{passage.tokens:,} tokens: {spans}"))
    width = max(len(label) for label, _ in rows)
    for label, row in rows:
        console.print(Text(f"{label:<{width}}  {row}"))
    console.print()
    print_changes(evidence, console)


def print_changes(evidence: Explanation, console: Console) -> None:
    """Print the difference word by word; colours on a terminal, marks in a pipe."""
    console.print(_write_changes(evidence.changes, marks=console.no_color or not console.is_terminal))
    if evidence.changes_cut:
        console.print(Text("(the texts are long: the difference is not shown to their ends)", style="dim"))


def _write_ratio(part: int, whole: int, ratio: float) -> str:
    return f"{ratio:.4f}  ({part:,} of {whole:,} shingles)"


def _write_span(span: tuple[int, int]) -> str:
    return f"{span[0]}-{span[1]}"


def _write_changes(changes: list[Change], *, marks: bool) -> Text:
    text = Text()
    for change in changes:
        if change.kind == "equal":
            text.append(_fold(change.text))
        else:
            before, after = MARKS[change.kind] if marks else ("", "")
            text.append(f"{before}{_show(change.text)}{after}", style=STYLES[change.kind])
    return text


def _fold(text: str) -> str:
    if len(text) <= FOLDED:
        return _show(text)
    half = FOLDED // 2
    return f"{_show(text[:half])} [... {len(text) - 2 * half:,} equal characters ...] {_show(text[-half:])}"


def _show(text: str) -> str:
    """Make control and direction characters visible: a text must not steer the terminal that shows it."""
    return "".join(char if char.isprintable() or char in HARMLESS else f"<U+{ord(char):04X}>" for char in text)
