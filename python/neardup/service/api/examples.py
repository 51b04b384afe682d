"""Examples of requests and answers: true of an index that contains `HOLDS`, and of `SWEEPS` beside it."""

from typing import Any

FERRY = "The ferry to the lighthouse leaves the old harbour every hour from April on and takes bicycles for two coins."
LATER = f"{FERRY} Come early."
TITLE = "The ferry to the lighthouse leaves the old harbour every hour from April on and…"
OVEN = "Heat the stone oven until its floor turns white then sweep out the ash and bake the flat loaves on bare stone."

HOLDS: list[dict[str, Any]] = [
    {"id": "ferry", "text": FERRY, "url": "https://coast.example/ferry", "time": "2026-03-01"},
    {"id": "copy", "text": f"{FERRY} Dogs are free.", "url": "https://copies.example/1", "time": "2026-03-05"},
    {"id": "oven", "text": OVEN, "url": "https://bread.example/oven", "time": "2026-03-02"},
]
SWEEPS = {
    "2026-01": {"https://coast.example/ferry": FERRY, "https://bread.example/oven": OVEN},
    "2026-02": {"https://coast.example/timetable/ferry": FERRY, "https://bread.example/oven": OVEN},
}
"""Pages by date and URL."""

ID: dict[str, Any] = {"a document": {"value": "copy"}}
URL: dict[str, Any] = {"a page that moved": {"value": "https://coast.example/ferry"}}
WORDS: dict[str, Any] = {"words": {"value": "lighthouse ferry"}}
LATE: dict[str, Any] = {"text": LATER, "id": "later", "url": "https://coast.example/2026", "time": "2026-03-09"}
IDS: dict[str, Any] = {"ids": ["copy"]}
QUERY: dict[str, Any] = {"text": LATER, "limit": 1, "passages": True}
PAIR: dict[str, Any] = {"left": {"text": LATER}, "right": {"id": "ferry"}, "measures": ["levenshtein"]}
RESULTS: dict[str, Any] = {
    "results": [{"id": "1", "text": LATER}, {"id": "2", "text": OVEN}, {"id": "3", "text": FERRY}]
}
HELD: dict[str, Any] = {"text": FERRY}
CHECK: dict[str, Any] = {
    "id": "later",
    "verdict": "drop",
    "original": "ferry",
    "rule": "near",
    "shared": 16,
    "id_size": 18,
    "original_size": 16,
    "resemblance": 0.888889,
    "in_original": 0.888889,
    "of_original": 1.0,
    "verified": True,
    "kind": "duplicate",
    "replaced": None,
    "unchanged": False,
}
ADMISSION: dict[str, Any] = {**CHECK, "expired": [], "changed": []}
DOCUMENT: dict[str, Any] = {
    "id": "copy",
    "verdict": "drop",
    "original": "ferry",
    "rule": "near",
    "shared": 16,
    "id_size": 19,
    "original_size": 16,
    "resemblance": 0.842105,
    "in_original": 0.842105,
    "of_original": 1.0,
    "verified": True,
    "url": "https://copies.example/1",
    "time": "2026-03-05T00:00:00Z",
    "group": ["ferry", "copy"],
    "cluster": "copy",
    "documents": [
        {
            "id": "copy",
            "url": "https://copies.example/1",
            "time": "2026-03-05T00:00:00Z",
            "title": TITLE,
            "original": "ferry",
            "difference": "3 of 23 words differ",
        },
        {
            "id": "ferry",
            "url": "https://coast.example/ferry",
            "time": "2026-03-01T00:00:00Z",
            "title": TITLE,
            "original": "ferry",
            "difference": None,
        },
    ],
}
DUPLICATES: dict[str, Any] = {"original": "ferry", "duplicates": ["copy"]}
CLUSTER: dict[str, Any] = {"cluster": "copy", "documents": ["copy", "ferry"]}
REMOVAL: dict[str, Any] = {"removed": ["copy"], "changed": []}
HITS: dict[str, Any] = {
    "hits": [
        {
            "id": "ferry",
            "url": "https://coast.example/ferry",
            "time": "2026-03-01T00:00:00Z",
            "shared": 16,
            "size": 18,
            "id_size": 16,
            "rule": "near",
            "duplicate_id": "ferry",
            "group_size": 2,
            "value": None,
            "passages": [
                {
                    "tokens": 20,
                    "left": {"bytes": [0, 108], "chars": [0, 108]},
                    "right": {"bytes": [0, 108], "chars": [0, 108]},
                }
            ],
            "resemblance": 0.888889,
            "containment": 0.888889,
            "contained_by": 1.0,
        }
    ],
    "thin": False,
    "cut": False,
}
EXPLANATION: dict[str, Any] = {
    "scheme": "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
    "rule": "near",
    "left_tokens": 22,
    "right_tokens": 20,
    "shared": 16,
    "left_size": 18,
    "right_size": 16,
    "left_frame": 0,
    "right_frame": 0,
    "conditions": [{"test": "resemblance>=0.8", "value": 0.8888888888888888, "holds": True}],
    "resemblance": 0.8888888888888888,
    "left_in_right": 0.8888888888888888,
    "right_in_left": 1.0,
    "passages": [
        {"tokens": 20, "left": {"bytes": [0, 108], "chars": [0, 108]}, "right": {"bytes": [0, 108], "chars": [0, 108]}}
    ],
    "left_covered": 20,
    "right_covered": 20,
    "changes": [
        {
            "kind": "equal",
            "text": FERRY.removesuffix("coins."),
        },
        {"kind": "equal", "text": "coins. "},
        {"kind": "removed", "text": "Come early."},
    ],
    "changes_cut": False,
    "measures": {"levenshtein": 10.0},
}
SEARCH: dict[str, Any] = {
    "results": [
        {
            "id": "ferry",
            "url": "https://coast.example/ferry",
            "time": "2026-03-01T00:00:00Z",
            "title": TITLE,
            "snippet": {"text": FERRY, "marks": [[4, 9], [17, 27]], "is_begun": False, "is_cut": False},
            "found": "words",
            "original": "ferry",
            "difference": None,
            "cluster": "copy",
            "documents": 2,
        }
    ],
    "more": False,
    "notes": [],
}
FOLDED: list[dict[str, Any]] = [
    {"rank": 1, "id": "1", "url": None, "others": [3]},
    {"rank": 2, "id": "2", "url": None, "others": []},
]
LOCATIONS: list[dict[str, Any]] = [
    {
        "url": "https://coast.example/timetable/ferry",
        "date": "2026-02",
        "way": "moved",
        "overlap": {"shared": 16, "left_size": 16, "right_size": 16},
        "remark": None,
    },
    {
        "url": "https://coast.example/ferry",
        "date": "2026-01",
        "way": "identical",
        "overlap": {"shared": 16, "left_size": 16, "right_size": 16},
        "remark": None,
    },
]
VISITS: list[dict[str, Any]] = [
    {
        "date": "2026-01",
        "kind": None,
        "url": "https://coast.example/ferry",
        "overlap": None,
        "text": "62d78d65eacb1050de42f45e9db8e6eb",
        "remark": None,
    },
    {
        "date": "2026-02",
        "kind": "moved",
        "url": "https://coast.example/timetable/ferry",
        "overlap": None,
        "text": "62d78d65eacb1050de42f45e9db8e6eb",
        "remark": None,
    },
]
CONTACTS: dict[str, Any] = {
    "found": [
        {
            "url": "https://coast.example/timetable/ferry",
            "first": "2026-02",
            "last": "2026-02",
            "current": True,
            "holds": "identical",
            "overlap": {"shared": 16, "left_size": 16, "right_size": 16},
            "text": "62d78d65eacb1050de42f45e9db8e6eb",
        },
        {
            "url": "https://coast.example/ferry",
            "first": "2026-01",
            "last": "2026-01",
            "current": False,
            "holds": "identical",
            "overlap": {"shared": 16, "left_size": 16, "right_size": 16},
            "text": "62d78d65eacb1050de42f45e9db8e6eb",
        },
    ],
    "incomplete": True,
}
STATS: dict[str, Any] = {
    "scheme": "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
    "parts_scheme": "words | shingles:5 | moduli:32 | each | containment>=0.5",
    "tokens_version": 2,
    "unicode": "18.0.0",
    "policy": "first",
    "ttl_seconds": None,
    "most": None,
    "documents": 3,
    "kept": 2,
    "removed": 0,
    "steps": 3,
    "folders": 1,
    "segments": 0,
    "in_memory": 3,
    "segment_error": None,
    "log_bytes": 763,
    "segment_bytes": 0,
    "text_bytes": 0,
    "removed_text_bytes": 0,
    "key_bytes": 0,
    "part_key_bytes": 0,
    "extractor": "auto 1",
}
HEALTH: dict[str, Any] = {"status": "ok"}

LINES: list[dict[str, Any]] = [{"text": OVEN, "id": "again"}, {"id": "nothing"}]
CHECK_LINES: list[dict[str, Any]] = [
    {
        "id": "again",
        "verdict": "drop",
        "original": "oven",
        "rule": "identical",
        "shared": 18,
        "id_size": 18,
        "original_size": 18,
        "resemblance": 1.0,
        "in_original": 1.0,
        "of_original": 1.0,
        "verified": True,
        "kind": "duplicate",
        "replaced": None,
        "unchanged": False,
    },
    {"status": 422, "title": "Unprocessable Content", "detail": "body: a document has a text or html, and not both"},
]
ADMIT_LINES: list[dict[str, Any]] = [{**CHECK_LINES[0], "expired": [], "changed": []}, CHECK_LINES[1]]
