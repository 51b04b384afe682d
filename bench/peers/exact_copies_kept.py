"""polars: read every field, drop exact copies, write the rest: the cost of the same job without near-duplicates."""

import common
import polars as pl

options = common.arguments()
options.out.mkdir(parents=True, exist_ok=True)
# None: all lines are read for field names. By default polars reads only the first lines and loses later fields.
frame = pl.read_ndjson(options.docs, infer_schema_length=None)
frame.unique(subset="text", keep="first", maintain_order=True).write_ndjson(options.out / "kept.jsonl")
