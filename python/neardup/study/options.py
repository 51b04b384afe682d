"""What an evaluation can be told."""

from os import PathLike
from typing import TypedDict

from neardup.options import Progress
from neardup.scheme import Number


class EvaluateOptions(TypedDict, total=False):
    """Options of `evaluate`; each has a default."""

    at: Number | None
    """In labels with a jaccard, the value from which a pair is a duplicate."""
    margin: Number | None
    """Pairs whose jaccard is closer to `at` than this are left out (0.05)."""
    complete: bool
    """Pairs that the labels do not list are no duplicates."""
    output: str | PathLike[str] | None
    """Folder for evaluation.json and report.html."""
    overwrite: bool
    """Replace an evaluation that already stands in the output folder."""
    text_field: str | None
    """Field with the text ("text")."""
    html_field: str | None
    """Field with HTML, from which the text is taken."""
    main_content: bool
    """Take the main content of HTML only, without navigation and the like."""
    id_field: str | None
    """Field with the id, by which labels name documents ("id"); None for source and row."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time."""
    threads: int | None
    """Worker threads; only the times depend on it."""
    memory: int | str | None
    """Memory budget of each run in bytes, or as "512M", "4G"; only the times depend on it."""
    progress: Progress | None
    """Called about ten times a second as progress(phase, done, total, documents), run after run."""
    command: str | None
    """How the evaluation was asked for, as the page shows it."""
