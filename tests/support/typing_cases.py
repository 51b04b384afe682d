"""Cases that only mypy checks: typical calls have the types that users expect."""

from pathlib import Path
from typing import Any, assert_type

import polars
import pyarrow as pa

import neardup

texts = neardup.dedup(["a", "b"], threshold=0.9, keep="longest")
assert_type(texts, neardup.Deduplication[list[str]])
assert_type(texts.kept, list[str])
assert_type(neardup.dedup([neardup.Document("a")]).kept, list[neardup.Document])
assert_type(neardup.dedup("docs.jsonl", output="out").kept, Path | None)
assert_type(neardup.dedup(Path("docs.jsonl")).kept, Path | None)
assert_type(neardup.dedup([Path("docs.jsonl")]).kept, Path | None)
assert_type(neardup.dedup(polars.DataFrame({"text": ["a"]})).kept, polars.DataFrame)
assert_type(neardup.dedup(polars.LazyFrame({"text": ["a"]})).kept, polars.LazyFrame)
assert_type(neardup.dedup(polars.Series(["a"])).kept, polars.Series)
assert_type(neardup.dedup([polars.Series(["a"])]).kept, list[polars.Series])
assert_type(neardup.dedup({"a": polars.Series(["a"])}).kept, dict[str, polars.Series])
assert_type(neardup.dedup([{"text": "a", "id": 1}, {"text": None}], id_field="id").kept, list[dict[str, Any]])
assert_type(neardup.dedup(["a", None]).kept, list[str | None])
assert_type(neardup.dedup(["a"])[0], dict[str, Any])
assert_type(neardup.dedup(["a"])[:1], neardup.results.Table)
assert_type(neardup.cluster(["a"], max_family=5).clusters, neardup.results.Table)
assert_type(neardup.find_pairs(["a"], against="test.jsonl").pairs, neardup.results.Table)
assert_type(neardup.explain("a", "b").passages, list[neardup.results.Passage])
assert_type(neardup.read("docs.jsonl", id_field="id"), neardup.results.Reading)
assert_type(neardup.plan_scheme("0.8", "exact"), neardup.Scheme)
table = pa.table({"text": ["a"]})
