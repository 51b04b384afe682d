"""gaoya: MinHashStringIndex with its own word n-grams; the index checks hits of a query by their estimate."""

import common
import gaoya_index

BATCH = 20_000

options = common.arguments()
texts = common.read_texts(options.docs)
index = gaoya_index.make(options.threshold)
index.par_bulk_insert_docs(list(range(len(texts))), texts)

groups, pairs = common.Groups(len(texts)), list[int]()
for start in range(0, len(texts), BATCH):
    for document, others in enumerate(index.par_bulk_query(texts[start : start + BATCH]), start):
        for other in others:
            if other < document:
                groups.join(other, document)
                pairs += (other, document)
common.write(options.out, groups.labels(), pairs)
