"""Options of the resources of a run, and of what it reports."""

from neardup.options.option import (
    DOCUMENTS,
    GATE_WRITES,
    INDEX_LISTS,
    INDEX_READS,
    INDEX_WRITES,
    JOBS,
    MATCHES,
    PAGES,
    RUNS,
    SWEEPS,
    Option,
)

_MOST_THREADS = 1024
"""Maximum number of threads: starting more takes longer than most runs, and each has memory of its own."""
_THREADED = (*RUNS, "lexicon", "evaluate", "review new", "mirrors")
_INDEX_WRITES = tuple(verb for verb in (*INDEX_WRITES, *GATE_WRITES) if not verb.endswith((" add", " admit")))
_ANSWERS = tuple(verb for verb in INDEX_READS if verb not in INDEX_LISTS)
_SUMMARISED = (*RUNS, *PAGES, "recluster")

RESOURCES = (
    Option(
        "threads",
        _THREADED,
        "int | None",
        "Worker threads; results do not depend on them.",
        default_words="the cores there are",
        least=1,
        most=_MOST_THREADS,
        core="Option<usize>",
    ),
    Option(
        "memory",
        _THREADED,
        "int | str | None",
        "Memory of a run, in bytes or as 512M or 4G; results do not depend on it.",
        default_words="half of what there is",
        metavar="SIZE",
        core="Option<usize>",
    ),
    Option(
        "engine",
        MATCHES,
        'Literal["local", "spark", "ray"]',
        "What runs the job: this machine, or a cluster of Spark or Ray, whose machines see INPUT and DIR by the same "
        "paths.",
        "local",
        in_python=False,
    ),
    Option(
        "engine",
        (*MATCHES, "evaluate"),
        "Engine | None",
        "What runs the job: a `SparkEngine` or a `RayEngine`.",
        default_words="this machine, or the session of a Spark DataFrame",
        in_commands=False,
    ),
    Option(
        "master",
        MATCHES,
        "str | None",
        "Spark's master.",
        default_words="spark-submit's, else the cores of this machine",
        metavar="URL",
        in_python=False,
    ),
)

REPORTING = (
    Option(
        "progress",
        (*RUNS, "lexicon", "evaluate", "review new"),
        "ProgressCallback | None",
        "A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.",
        in_commands=False,
    ),
    Option(
        "progress",
        (*PAGES, "sweep add"),
        "ProgressCallback | None",
        "A function, called every 10,000 pages as `progress('read', pages, 0, pages)`.",
        in_commands=False,
    ),
    Option(
        "progress",
        (*RUNS, *PAGES, "sweep add", "lexicon", "evaluate", "review new", DOCUMENTS),
        'Literal["auto", "json", "none"]',
        "Progress on stderr: bars if it is a terminal and --quiet is not given, a line of JSON a second, or none.",
        "auto",
        in_python=False,
    ),
    Option(
        "notice",
        JOBS,
        "NoticeCallback | None",
        "A function, called with a sentence on the memory and disk that a run of more than 32 MB will take.",
        in_commands=False,
    ),
    Option(
        "command",
        (*RUNS, "evaluate"),
        "str | None",
        "How the run was started, as run.json and the report show it.",
        in_commands=False,
        core="Option<String>",
    ),
    Option(
        "each",
        (DOCUMENTS,),
        "bool",
        "Print a line of JSON for every document, and no summary.",
        False,
        in_python=False,
    ),
    *(
        Option("as_json", verbs, "bool", what, False, flag="json", in_python=False)
        for verbs, what in (
            (_SUMMARISED, "Print the summary as JSON (the content of run.json)."),
            ((DOCUMENTS,), "Print the summary as JSON."),
            (("lexicon",), "Print the counts as JSON."),
            (("evaluate",), "Print the evaluation as JSON (the content of evaluation.json)."),
            (("explain",), "Print the evidence as JSON."),
            (("fold",), "Print the folded list as JSON."),
            (("schemes",), "Print as JSON."),
            (SWEEPS, "Print the result as JSON."),
            ((*_INDEX_WRITES, *_ANSWERS, "gate status"), "Print the answer as JSON."),
            (("gate check",), "Print the verdicts as lines of JSON."),
            (INDEX_LISTS, "Print the rows as lines of JSON."),
            (("review new", "review label", "review draw", "review estimate"), "Print the figures as JSON."),
        )
    ),
    Option("as_csv", ("sweep changes",), "bool", "Print the list as CSV.", False, flag="csv", in_python=False),
    *(
        Option("quiet", verbs, "bool", f"Print nothing except errors and {what}.", False, in_python=False)
        for verbs, what in (
            ((*_SUMMARISED, "sweep add"), "with --json the summary"),
            ((DOCUMENTS, *_INDEX_WRITES, "gate check"), "what --json asks for"),
            (("lexicon",), "with --json the counts"),
            (("evaluate",), "with --json the evaluation"),
            (("review new",), "with --json the figures"),
        )
    ),
)

CORE_ONLY = (
    Option(
        "chunk",
        ("core",),
        "int",
        "Bytes read at once, at least 4,096; results do not depend on them.",
        2 << 20,
        in_python=False,
        core="usize",
    ),
)
"""Options that no user sets, only tests."""
