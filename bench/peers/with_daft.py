"""daft: read_json, normalize and minhash. It has no LSH, so bands are grouped by sorting in numpy.

Inside a bucket only neighbours are compared. This is the fastest way to form groups, in favour of the peer.
"""

import common
import daft
import numpy as np
from daft.functions import minhash, normalize

options = common.arguments()
text = normalize(daft.col("text"), remove_punct=True, lowercase=True, white_space=True)
sketch = minhash(text, num_hashes=common.PERMUTATIONS, ngram_size=common.WIDTH, seed=1, hash_function="xxhash")
table = daft.read_json(str(options.docs)).select(daft.col("id"), sketch.alias("sketch")).to_arrow()
ids = table["id"].to_pylist()
sketches = table["sketch"].combine_chunks().flatten().to_numpy().reshape(-1, common.PERMUTATIONS)

groups = common.Groups(len(ids))
for band in range(common.BANDS):
    rows = np.ascontiguousarray(sketches[:, band * common.ROWS : (band + 1) * common.ROWS])
    keys = rows.view(f"V{rows.itemsize * common.ROWS}").ravel()
    order = np.argsort(keys, kind="stable")
    equal = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    for one, other in zip(order[equal].tolist(), order[equal + 1].tolist(), strict=True):
        if (sketches[one] == sketches[other]).mean() >= options.threshold:
            groups.join(one, other)
common.write(options.out, groups.labels(), ids=ids)
