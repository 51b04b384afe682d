"""Options of what is asked of a finished run."""

from neardup.options.option import Option

FINISHED = (
    Option(
        "thresholds",
        ("recluster",),
        "Sequence[str]",
        "Score from which pairs belong together; several are compared in a table.",
        metavar="NUMBER",
        flag="threshold",
        is_required=True,
        in_python=False,
    ),
    Option(
        "policy",
        ("recluster",),
        'Literal["resemblance", "containment", "contained-by"]',
        "Resemblance; containment of either in the other; or every document joins the largest that contains it.",
        "resemblance",
    ),
    Option(
        "inputs",
        ("evidence",),
        "Inputs | None",
        "The documents of the run, if they have moved.",
        in_commands=False,
    ),
    Option(
        "against",
        ("evidence",),
        "References | None",
        "The reference documents of the run, if they have moved.",
        metavar="PATH",
    ),
    Option("ids", ("evidence",), "Sequence[str]", "Only pairs with this document.", (), metavar="ID", flag="id"),
    Option(
        "clusters",
        ("evidence",),
        "Sequence[str]",
        "Only pairs of this cluster, named by its smallest id; after dedup, by the id of the leader.",
        (),
        metavar="ID",
        flag="cluster",
    ),
    Option(
        "rule",
        ("evidence",),
        'Literal["identical", "lexical", "shingles", "near"] | None',
        "Only pairs that this rule found; not after cluster.",
    ),
    Option("sample", ("evidence",), "int | None", "Draw a reproducible sample of N pairs.", metavar="N", least=1),
    Option(
        "texts",
        ("evidence",),
        "bool",
        "Write the text of the passages and of the differences, too: evidence.jsonl.",
        False,
    ),
    Option(
        "inputs",
        ("explain",),
        "Sequence[str]",
        "Documents to look A and B up in: A and B are then ids (SOURCE:ROW without {id_field}).",
        (),
        metavar="PATH",
        flag="in",
    ),
)
