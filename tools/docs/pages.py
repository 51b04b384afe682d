"""Pages written by hand that contain generated parts."""

from collections.abc import Iterable, Mapping


def fill(page: str, parts: Mapping[str, str]) -> str:
    """Put every part between its marks, `<!-- NAME -->` and `<!-- end of NAME -->`.

    Raises `ValueError` unless the page contains both marks of a part, in this order and once each.
    """
    for name, text in parts.items():
        first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, _, rest = page.partition(first)
        _, found, after = rest.partition(last)
        if not found or page.count(first) + page.count(last) != 2:
            raise ValueError(f"the page should have {first} and behind it {last}, each once")
        page = f"{before}{first}\n\n{text}\n\n{last}{after}"
    return page


def write_table(head: list[str], rows: Iterable[list[str]]) -> str:
    """Write a table in Markdown, a line for each row."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
