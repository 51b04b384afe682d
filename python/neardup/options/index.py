"""Options of an index and of its service."""

from neardup.options.option import GATE_READS, GATE_WRITES, INDEX_LISTS, INDEX_READS, INDEX_WRITES, Option

_OPENS = (*INDEX_WRITES, *INDEX_READS, *GATE_WRITES, *GATE_READS, "serve")
_STORED = ("gate create", *(verb for verb in (*GATE_WRITES, *GATE_READS) if verb not in ("gate check", "gate rebuild")))
_SERVES = ("serve", "gate serve")
_SEPARATED = ("index add", "index compact", "index expire", "index remove")

OPENING = (
    Option(
        "scheme",
        _OPENS,
        "str | Scheme | None",
        "The scheme of the index; needed only where it has a secret seed.",
        metavar="LINE",
    ),
    Option(
        "parts_scheme",
        _OPENS,
        "str | None",
        "Its scheme of parts; needed only where it has a secret seed.",
        metavar="LINE",
        in_python=False,
    ),
    Option(
        "peers",
        _SEPARATED,
        "str | None",
        "DIR is one shard of a split index: where shard 0 listens and the others connect. Each gets the same command.",
        metavar="HOST:PORT",
    ),
    Option(
        "read_only",
        INDEX_READS,
        "bool",
        "Write nothing, and read of a damaged index what is undamaged.",
        False,
    ),
)

CREATING = (
    Option(
        "parts",
        ("index create",),
        "bool | str | Scheme | None",
        "A second table of keys, for texts that contain one another.",
    ),
    Option(
        "parts_scheme",
        ("index create",),
        "str | None",
        "The scheme of that table; it begins as that of the index. Implies --parts.",
        metavar="LINE",
        in_python=False,
    ),
    Option(
        "policy",
        ("index create",),
        'Literal["first", "earliest"] | None',
        "Which document of a group is kept: the one that came first, or the one with the smallest time.",
        default_words="first",
    ),
    Option(
        "ttl",
        ("index create",),
        "int | str | None",
        "Age from which a document is removed, counted from its arrival: seconds, or 90s, 15m, 12h, 30d, 2w, 1y.",
        metavar="AGE",
    ),
    Option(
        "most",
        ("index create",),
        "int | None",
        "The oldest documents are removed while more than this are kept; copies do not count.",
        least=1,
    ),
    Option(
        "folders",
        ("index create",),
        "int | None",
        "Split keys and texts over this number of folders.",
        default_words="one, whole",
        least=1,
        most=1024,
    ),
)

STORING = (
    Option(
        "store",
        _STORED,
        "str | None",
        "PostgreSQL database that stores the documents, as postgresql://USER@HOST/DATABASE.",
        default_words="the file documents.sqlite in DIR",
        metavar="URL",
        in_python=False,
    ),
    Option(
        "schema",
        _STORED,
        "str",
        "Schema of that database; each gate has its own.",
        "neardup",
        metavar="NAME",
        in_python=False,
    ),
)

ASKING = (
    Option(
        "path",
        ("index query",),
        "str | None",
        "Query with the text of a file: plain text, or HTML by its suffix.",
        metavar="FILE",
        flag="file",
        in_python=False,
    ),
    Option(
        "id",
        ("index query",),
        "str | None",
        "Query with the document of this id; it is no hit itself.",
        metavar="ID",
    ),
    Option(
        "url",
        ("index query",),
        "str | None",
        "Query with the document of this URL; it is no hit itself.",
        metavar="URL",
    ),
    Option(
        "by",
        ("index query",),
        'Literal["resemblance", "containment", "contained-by"]',
        "What ranks hits: resemblance; the share of the text in the document; or that of the document in the text.",
        "resemblance",
    ),
    Option(
        "threshold",
        ("index query",),
        "Number | None",
        "Smallest value of a hit.",
        default_words="that of the scheme; any share",
        metavar="NUMBER",
    ),
    Option("limit", ("index query",), "int", "Largest number of hits.", 10, least=1),
    Option(
        "passages",
        ("index query",),
        "bool",
        "Show the passages that every hit shares with the text.",
        False,
    ),
    Option(
        "min_size",
        INDEX_LISTS,
        "int | None",
        "Only documents of groups or clusters of this many documents or more.",
        least=1,
    ),
    Option(
        "max_size",
        INDEX_LISTS,
        "int | None",
        "Only documents of groups or clusters of this many documents or fewer.",
        least=1,
    ),
    Option(
        "since",
        INDEX_LISTS,
        "str | None",
        "Only documents of this time or later: a date-time or a date.",
        metavar="TIME",
        flag="from",
    ),
    Option(
        "until",
        INDEX_LISTS,
        "str | None",
        "Only documents of this time or earlier; a date includes all of its day, month or year.",
        metavar="TIME",
        flag="to",
    ),
    Option("host", INDEX_LISTS, "str | None", "Only documents whose URL has this host.", metavar="HOST"),
    Option("url", ("index show",), "str | None", "The document of this URL.", metavar="URL", in_python=False),
    Option("text", ("index show",), "bool", "Show its text, too.", False, in_python=False),
    Option(
        "path",
        ("index remove", "gate remove"),
        "str | None",
        "A file with an id a line; - for stdin.",
        metavar="FILE",
        flag="from",
        in_python=False,
    ),
)

SERVING = (
    Option(
        "host",
        _SERVES,
        "str",
        "Address to listen on; other machines reach it only with --tokens.",
        "127.0.0.1",
        in_python=False,
    ),
    Option(
        "port",
        _SERVES,
        "int",
        "Port to listen on; 0 takes any that is free.",
        8765,
        least=0,
        most=65535,
        in_python=False,
    ),
    Option(
        "tokens",
        _SERVES,
        "str | None",
        "File of the clients: lines of `read NAME TOKEN` or `write NAME TOKEN`.",
        metavar="FILE",
        in_python=False,
    ),
    Option(
        "names",
        _SERVES,
        "Sequence[str]",
        "Another name by which the service is reached.",
        (),
        metavar="HOST",
        flag="name",
        in_python=False,
    ),
    Option(
        "body",
        _SERVES,
        "int",
        "Maximum size of a request, or of a line of a bulk request, in bytes.",
        4 << 20,
        metavar="BYTES",
        least=1024,
        in_python=False,
    ),
    Option(
        "seconds",
        _SERVES,
        "int",
        "Maximum time per request, in seconds.",
        30,
        least=1,
        most=3600,
        in_python=False,
    ),
    Option("requests", _SERVES, "int", "Maximum number of concurrent requests.", 256, least=1, in_python=False),
)
