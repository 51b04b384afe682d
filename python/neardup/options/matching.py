"""Options that decide which documents match, and which of them is kept."""

from neardup.options.option import MATCHES, Option
from neardup.schemes.defaults import DEFAULT_RECALL, DEFAULT_THRESHOLD

_POLICY = 'Literal["earliest", "first", "latest", "longest", "shortest"] | str | None'
_SCHEMES = (*MATCHES, "fold", "explain", "schemes", "index create", "sweep create")

MATCHING = (
    Option(
        "threshold",
        _SCHEMES,
        "Number | None",
        "Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a named scheme."
        " At 1, signs are compared too, if no scheme is named.",
        default_words=DEFAULT_THRESHOLD,
        metavar="NUMBER",
        core="Option<String>",
    ),
    Option(
        "recall",
        (*MATCHES, "schemes", "index create"),
        "Number | None",
        "Probability of finding a pair exactly at the threshold, or 'exact' to find every pair.",
        default_words=DEFAULT_RECALL,
        metavar="NUMBER|exact",
        core="Option<String>",
    ),
    Option(
        "scheme",
        _SCHEMES,
        "str | Scheme | None",
        "A whole scheme line, which states its own threshold, or the name of a profile or a classic.",
        metavar="LINE",
        core="Option<String>",
    ),
    Option(
        "scheme",
        ("sketch",),
        "str | Scheme",
        "A whole scheme line, or the name of a classic: its first signature is kept.",
        metavar="LINE",
        is_required=True,
        in_python=False,
    ),
    Option(
        "scheme",
        ("lexicon",),
        "str | None",
        "The scheme that looks terms up.",
        default_words="one of all words, by terms",
        metavar="LINE",
    ),
    Option(
        "measures",
        ("explain",),
        "Sequence[str]",
        "A further measure to show, as cosine, lcs:words or levenshtein:jamo.",
        (),
        metavar="NAME",
        flag="measure",
    ),
    Option(
        "keep",
        MATCHES,
        _POLICY,
        "Which document of a group is the original: earliest, first, latest, longest, shortest, or the one with the "
        "greatest or least number in a field, highest:FIELD or lowest:FIELD.",
        default_words="earliest with {time_field}, else first",
        metavar="POLICY",
        core="Option<Keep>",
        decides=True,
    ),
    Option(
        "prefer",
        MATCHES,
        "Sequence[str | tuple[str, list[str]]] | str | tuple[str, list[str]] | None",
        "Values of a field, best first; a better value decides before {keep}. FIELD^=VALUE is a value by its "
        "beginning; of several fields the first decides first.",
        metavar="FIELD=VALUE,...",
        core="Vec<(String, Vec<String>, bool)>",
        decides=True,
    ),
    Option(
        "against",
        (*MATCHES, "passages"),
        "References | None",
        "Reference documents or an index to compare with: never dropped, never written.",
        metavar="PATH",
    ),
    *(
        Option(
            f"against_{name}_field",
            MATCHES if name == "time" else (*MATCHES, "passages"),
            "str | None",
            f"Field with the {words} of a reference.",
            default_words=f"that of the input, {{{name}_field}}",
            metavar="NAME",
            core="Option<String>",
            decides=True,
        )
        for name, words in (("text", "text"), ("html", "HTML"), ("id", "id"), ("time", "time"))
    ),
    Option(
        "only_against",
        ("dedup", "cluster", "passages"),
        "bool",
        "Only what meets the reference counts: repeats inside the input are left alone.",
        False,
        core="bool",
        decides=True,
    ),
    Option(
        "group_field",
        MATCHES,
        "str | None",
        "Field with the group of a document, as its user or its site; the summary counts every group.",
        metavar="NAME",
        core="Option<String>",
        decides=True,
    ),
    Option(
        "groups",
        MATCHES,
        'Literal["within", "across"] | None',
        "Which pairs count by {group_field}: within one group, or across groups.",
        default_words="all pairs",
        core="Option<String>",
        decides=True,
    ),
    Option(
        "min_tokens",
        MATCHES,
        "int | None",
        "Documents of fewer tokens are kept, compared with nothing, and counted.",
        default_words="none",
        least=1,
        core="Option<usize>",
        decides=True,
    ),
    Option(
        "one_per",
        ("dedup",),
        'Literal["leader", "component"]',
        "What one document is kept of: a leader and the documents that meet it, or a component, in which documents are "
        "connected by chains of pairs.",
        "leader",
        core="Option<String>",
        decides=True,
    ),
)
