"""Groups of verbs that have options in common, by the names of their commands; `read` and `review` have no command."""

MATCHES = ("dedup", "cluster", "pairs")
JOBS = (*MATCHES, "passages", "sketch")
RUNS = (*JOBS, "evidence")
PAGES = ("mirrors", "urls")
DOCUMENTS = "index documents"
"""What `index create` and `index add` have in common."""
READS = (*JOBS, "lexicon", "read", "evaluate", "review", "mirrors", "sweep add", DOCUMENTS, "fold")
INDEX_WRITES = ("index add", "index compact", "index expire", "index remove", "index repair", "index verify")
INDEX_READS = ("index info", "index query", "index show")
SWEEPS = ("sweep add", "sweep contacts", "sweep history", "sweep locate", "sweep stats")
