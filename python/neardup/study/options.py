"""What an evaluation can be told."""

from os import PathLike

from neardup.engine import Engine
from neardup.options import ReadOptions
from neardup.scheme import Number


class EvaluateOptions(ReadOptions, total=False):
    """Options of `evaluate`; each has a default. Memory bounds each run, and progress is told run after run."""

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
    id_field: str | None
    """Field with the id, by which labels name documents ("id"); None for source and row."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time."""
    command: str | None
    """How the evaluation was asked for, as the page shows it."""
    engine: Engine | None
    """What runs the schemes, a `SparkEngine`; without one this machine does, and Spark for its DataFrames."""
