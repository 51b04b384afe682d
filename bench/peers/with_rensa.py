"""rensa: the ordinary R-MinHash of the whole set, its LSH, and a check of the estimate."""

import common
from rensa import RMinHash, RMinHashLSH

options = common.arguments()
texts = common.read_texts(options.docs)
shingles = [common.shingle(text) for text in texts]
sketches = RMinHash.from_token_sets(shingles, num_perm=common.PERMUTATIONS, seed=42)
del shingles
lsh = RMinHashLSH(threshold=options.threshold, num_perm=common.PERMUTATIONS, num_bands=common.BANDS)
lsh.insert_many(sketches)

groups, pairs = common.Groups(len(texts)), list[int]()
for document, others in enumerate(lsh.query_all(sketches)):
    for other in others:
        if other < document and sketches[document].jaccard(sketches[other]) >= options.threshold:
            groups.join(other, document)
            pairs += (other, document)
common.write(options.out, groups.labels(), pairs)
