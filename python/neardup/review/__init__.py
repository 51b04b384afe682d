"""Reviews: people label a sample of pairs, from which precision and recall are estimated.

A review is a folder. It contains the pairs of a run from a floor on, a sample of them drawn by the hashes of their ids
in each stratum of the resemblance, and a log of labels that only grows. The current labels are a replay of the log. A
threshold cuts the strata into cells. The decided pairs of a cell represent all its pairs, and precision and recall are
ratios over cells.
"""

from neardup.public import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
