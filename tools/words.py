"""Check that the prose of the project is plain English: words.py, or a part of `make check`.

Prose is the text of comments, docstrings and pages in Markdown. No clause may have more than `MOST` words, and none may
contain a word of `REPLACED`.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MOST = 45
"""The most words from one full stop, colon or semicolon to the next."""

REPLACED = {
    r"stands?|stood": "is, occurs, represents, follows",
    r"held against|holds? \w+(?: \w+)? against": "compared with",
    r"go(?:es)? on|went on": "continues, resumes",
    r"but for": "except",
    r"whoever|whom(?:ever)?": "it, which; a person by the role: caller, reviewer, writer",
    r"tells?(?!.* (?:apart|from)\b)": "says, shows, returns",
    r"reckon(?:s|ed|ing)?": "estimates, computes",
    r"errands?": "task",
}
"""Patterns of whole words that may not occur, and what to write instead."""

SKIPPED = re.compile(r"CHANGELOG|^tests/(data|golden)/|^tools/words\.py$|^docs/reference/cli\.md$")
"""Files that are not checked: history, data, and the page that is generated from checked sources."""

Block = tuple[int, str]
"""The line where a piece of prose begins, from 1, and its text joined to one line."""


def main() -> None:
    """Print what is wrong; the exit code is 1 if anything is."""
    files = [path for path in list_files() if not SKIPPED.search(path)]
    faults = [f"{path}:{fault}" for path in files for fault in check(path, (ROOT / path).read_text(encoding="utf-8"))]
    print("\n".join(faults) or f"{len(files)} files, no clause of more than {MOST} words")
    sys.exit(bool(faults))


def list_files() -> list[str]:
    """Return the paths of all files with prose that git tracks or would track."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.py", "*.pyi", "*.md"]
    found = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [path for path in found if (ROOT / path).exists()]


def check(path: str, source: str) -> Iterator[str]:
    """Yield the faults in the prose of a file, each with its line."""
    blocks = {".rs": rust, ".md": markdown}.get(Path(path).suffix, python)(source)
    for line, text in blocks:
        plain = re.sub(r"`[^`]*`", "X", re.sub(r"\]\([^)]*\)", "]", text))
        for clause in re.split(r"(?<=[.:;!?])\s+", plain):
            words = sum(bool(re.search(r"\w", word)) for word in clause.split())
            if words > MOST:
                yield f"{line}: {words} words in one clause: {clause[:60]}..."
        for pattern, better in REPLACED.items():
            for found in re.finditer(rf"\b(?:{pattern})\b", plain, re.IGNORECASE):
                yield f"{line}: `{found[0]}` is not written; use: {better}"


def rust(source: str) -> Iterator[Block]:
    """Yield the comments of a Rust file, paragraph by paragraph."""
    comments = (re.match(r"\s*//[/!]?(.*)", line) for line in source.splitlines())
    yield from paragraphs(found[1] if found else "" for found in comments)


def python(source: str) -> Iterator[Block]:
    """Yield the docstrings and comments of a Python file, paragraph by paragraph."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for line, text in paragraphs(drop_examples(node.value.value)):
                yield node.lineno + line - 1, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def drop_examples(docstring: str) -> Iterator[str]:
    """Yield the lines of a docstring, with the lines of its examples blank."""
    is_example = False
    for line in docstring.splitlines():
        is_example = bool(line.strip()) and (is_example or line.lstrip().startswith(">>>"))
        yield "" if is_example else line


def markdown(source: str) -> Iterator[Block]:
    """Yield the paragraphs, items and cells of a page, without its code."""
    is_code = False
    lines = []
    for line in source.splitlines():
        is_code ^= line.lstrip().startswith("```")
        is_prose = not is_code and not line.startswith(("    ", "```"))
        # a row of a table is not a sentence: its cells are split
        lines.append(re.sub(r"[|,]", ". ", line) if line.startswith("|") else line if is_prose else "")
    yield from paragraphs(lines)


def paragraphs(lines: Iterator[str] | list[str]) -> Iterator[Block]:
    """Join lines to paragraphs, which end at a blank line or before an item of a list."""
    first, collected = 1, list[str]()
    for number, line in enumerate([*lines, ""], 1):
        is_item = re.match(r"\s*(?:[-*#]+|\d+\.) ", line)
        if collected and (not line.strip() or is_item):
            yield first, " ".join(collected)
            collected = []
        if line.strip():
            first = first if collected else number
            collected.append(line.strip())


if __name__ == "__main__":
    main()
