"""Options of evaluations and reviews: schemes compared with labels, and samples for people to judge."""

from neardup.options.option import Option

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
