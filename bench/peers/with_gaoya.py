"""gaoya: MinHashStringIndex with its own word n-grams; a query is checked at the estimate by the index."""

import common
import gaoya

BATCH = 20_000

options = common.arguments()
texts = common.read_texts(options.docs)
index = gaoya.minhash.MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=options.threshold,
    num_bands=common.BANDS,
    band_size=common.ROWS,
    num_hashes=common.PERMUTATIONS,
    analyzer="word",
    lowercase=True,
    ngram_range=(common.WIDTH, common.WIDTH),
)
index.par_bulk_insert_docs(list(range(len(texts))), texts)

groups, pairs = common.Groups(len(texts)), []
for start in range(0, len(texts), BATCH):
    for document, others in enumerate(index.par_bulk_query(texts[start : start + BATCH]), start):
        for other in others:
            if other < document:
                groups.join(other, document)
                pairs += (other, document)
common.write(options.out, groups.labels(), pairs)
