"""neardup: near-duplicate documents, found, grouped and explained.

    import neardup

    result = neardup.dedup(["some text ...", "some other text ..."])
    result.kept

The verbs are `dedup`, `cluster`, `find_pairs` and `find_passages` over a corpus, `explain` for two texts, `read`,
`sketch`, `fold` and `build_lexicon`. An `Index` keeps documents that are added and removed, a `Gate` stores documents
and stops duplicates. More is in `neardup.results`, `.index`, `.gate`, `.sweeps`, `.evaluation`, `.review`, `.urls` and
`.spark`.
"""

import sys

from neardup.public import names_of

if "logging" in sys.modules:
    # a library says nothing unless the program adds a handler
    sys.modules["logging"].getLogger("neardup").addHandler(sys.modules["logging"].NullHandler())
__getattr__, __dir__, __all__ = names_of(__name__)
