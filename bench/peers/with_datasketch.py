"""datasketch: MinHash.generator and MinHashLSH, which chooses its bands itself and does not check hits of a query."""

import common
from datasketch import MinHash, MinHashLSH

options = common.arguments()
texts = common.read_texts(options.docs)
shingles = ([piece.encode() for piece in set(common.shingle(text))] for text in texts)
sketches = list(MinHash.generator(shingles, num_perm=common.PERMUTATIONS))
lsh = MinHashLSH(threshold=options.threshold, num_perm=common.PERMUTATIONS)
with lsh.insertion_session() as session:
    for document, sketch in enumerate(sketches):
        session.insert(document, sketch, check_duplication=False)

groups, pairs = common.Groups(len(texts)), list[int]()
for document, sketch in enumerate(sketches):
    for other in lsh.query(sketch):
        if other < document and (not options.checked or sketch.jaccard(sketches[other]) >= options.threshold):
            groups.join(other, document)
            pairs += (other, document)
common.write(options.out, groups.labels(), pairs)
