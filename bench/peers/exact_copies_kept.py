"""polars: read every field, drop exact copies of the text, write the rest: what the same job costs without likeness."""

import common
import polars as pl

options = common.arguments()
options.out.mkdir(parents=True, exist_ok=True)
# All fields, wherever they first occur: by default polars looks at the first lines only and loses the others.
frame = pl.read_ndjson(options.docs, infer_schema_length=None)
frame.unique(subset="text", keep="first", maintain_order=True).write_ndjson(options.out / "kept.jsonl")
