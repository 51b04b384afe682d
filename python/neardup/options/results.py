"""Options of where results are written."""

from neardup.options.option import Option
from neardup.options.verbs import PAGES, RUNS

_PATH = "str | PathLike[str] | None"

OUTPUT = (
    Option(
        "output",
        RUNS,
        _PATH,
        "Folder for the results; it appears when all of them are complete.",
        default_words="results stay in memory",
        metavar="DIR",
        is_required=True,
        core="Option<PathBuf>",
    ),
    Option(
        "output",
        PAGES,
        _PATH,
        "Folder for the results; it appears when all of them are complete.",
        default_words="none; what was found is printed or returned",
        metavar="DIR",
    ),
    Option(
        "output",
        ("lexicon",),
        _PATH,
        "The lexicon, a Parquet file; it appears when it is complete.",
        metavar="FILE",
        is_required=True,
        in_python=False,
    ),
    Option(
        "output",
        ("evaluate",),
        _PATH,
        "Folder for evaluation.json and report.html.",
        default_words="none; the scores are printed or returned",
        metavar="DIR",
    ),
    Option("output", ("recluster",), _PATH, "Folder for the clusters at one threshold.", metavar="DIR"),
    Option("output", ("sweep stats",), _PATH, "Write a page with plots, too.", metavar="FILE", in_python=False),
)

OVERWRITE = (
    Option(
        "overwrite",
        (*RUNS, *PAGES, "recluster", "evaluate"),
        "bool",
        "Replace a result that is already in the output folder.",
        False,
        core="bool",
    ),
    Option("overwrite", ("lexicon", "sweep stats"), "bool", "Replace a file that exists already.", False),
    Option("overwrite", ("sweep add",), "bool", "Replace the sweep of the same date.", False),
)
