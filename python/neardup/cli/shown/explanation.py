"""The evidence for a pair, on a terminal or in a pipe."""

from rich.console import Console
from rich.text import Text

from neardup.jobs.explanation import Change, Explanation, write_value
from neardup.output.written import fold, plural, show_plain

STYLES = {"removed": "red strike", "added": "green"}
MARKS = {"removed": ("[-", "-]"), "added": ("{+", "+}")}


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
    for condition in evidence.conditions:
        outcome = "met" if condition.holds else "not met"
        of_both = "" if condition.value is None else f": {write_value(condition.value)}"
        rows.append(("condition", f"{condition.test}{of_both}, {outcome}"))
    for name, value in evidence.measures.items():
        rows.append((name, "no value" if value is None else write_value(value)))
    if evidence.left_frame or evidence.right_frame:
        frame = f"{evidence.left_frame:,} of A, {evidence.right_frame:,} of B: shingles that are left out"
        rows.append(("frame", frame))
    rows.append(("scheme", evidence.scheme))
    rows.append(("A", f"{left}: {plural(evidence.left_tokens, 'token')}, {evidence.left_covered:,} in passages"))
    rows.append(("B", f"{right}: {plural(evidence.right_tokens, 'token')}, {evidence.right_covered:,} in passages"))
    for passage in evidence.passages:
        spans = f"A bytes {_write_span(passage.left.bytes)}, B bytes {_write_span(passage.right.bytes)}"
        rows.append(("passage", f"{plural(passage.tokens, 'token')}: {spans}"))
    width = max(len(label) for label, _ in rows)
    for label, row in rows:
        console.print(Text(f"{label:<{width}}  {show_plain(row)}"))
    console.print()
    print_changes(evidence, console)


def print_changes(evidence: Explanation, console: Console) -> None:
    """Print the difference word by word; colours on a terminal, marks in a pipe."""
    console.print(_write_changes(evidence.changes, marks=console.no_color or not console.is_terminal))
    if evidence.changes_cut:
        console.print(Text("(the texts are long: the difference is not shown to their ends)", style="dim"))


def _write_ratio(part: int, whole: int, ratio: float | None) -> str:
    return "none  (no shingles)" if ratio is None else f"{ratio:.4f}  ({part:,} of {plural(whole, 'shingle')})"


def _write_span(span: tuple[int, int]) -> str:
    return f"{span[0]}-{span[1]}"


def _write_changes(changes: list[Change], *, marks: bool) -> Text:
    text = Text()
    for change in changes:
        if change.kind == "equal":
            text.append(fold(change.text))
        else:
            before, after = MARKS[change.kind] if marks else ("", "")
            text.append(f"{before}{show_plain(change.text)}{after}", style=STYLES[change.kind])
    return text
