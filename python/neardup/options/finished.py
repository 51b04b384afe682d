"""Options of verbs on finished runs, of evaluations and of reviews."""

import json

from neardup.options.option import Option
from neardup.schemes.rule import RULES

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
        f"Literal{json.dumps(RULES)} | None",
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
EVALUATING = (
    Option(
        "schemes",
        ("evaluate",),
        "Sequence[str]",
        "A whole scheme line.",
        (),
        "the scheme of the other commands",
        metavar="LINE",
        flag="scheme",
        in_python=False,
    ),
    Option(
        "complete",
        ("evaluate",),
        "bool",
        "Pairs that the labels do not list are no duplicates.",
        False,
        "they do not count",
    ),
    Option(
        "at",
        ("evaluate",),
        "Number | None",
        "In labels with a jaccard: the value from which a pair is a duplicate.",
        metavar="NUMBER",
    ),
    Option(
        "margin",
        ("evaluate",),
        "Number | None",
        "Pairs whose jaccard is closer to {at} than this are left out.",
        default_words="0.05",
        metavar="NUMBER",
    ),
    Option(
        "scheme",
        ("review",),
        "str | Scheme | None",
        "The scheme whose tokens and features are compared, and whose threshold is judged; its measure is "
        "resemblance alone.",
        default_words="that of the index, or the default one",
    ),
    Option(
        "floor",
        ("review",),
        "Number",
        "Resemblance from which pairs are listed, at most the threshold of the scheme.",
        "0.5",
    ),
    Option("width", ("review",), "Number", "Width of a stratum of resemblance, from 0.01 to 1.", "0.1"),
    Option("each", ("review",), "int", "Largest number of pairs drawn from a stratum.", 20, least=1),
    Option(
        "seed",
        ("review",),
        "int",
        "Seed of the draw, beside the ids: a whole number below 2^64.",
        0,
    ),
)
