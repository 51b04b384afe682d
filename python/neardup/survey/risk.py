"""Risks: what makes a cluster worth a look."""

from fractions import Fraction
from typing import Literal

Risk = Literal["weak", "wide", "giant"]
RISKS: tuple[Risk, ...] = ("weak", "wide", "giant")

GIANT = 100
"""Documents from which a cluster is a giant: often they have a frame in common, and not what they say."""
_MARGIN = Fraction(1, 4)


def tell_risks(size: int, kept: int, weakest: Fraction | None, threshold: Fraction | None) -> tuple[Risk, ...]:
    """Return the risks of a cluster.

    It is *weak* when it hangs on a link in the lowest quarter between the threshold and 1, where that is one of the
    resemblance; *wide* when the leader rule
    would keep several of it, as not all are near to one; *giant* from 100 documents on.
    """
    is_weak = weakest is not None and threshold is not None and weakest < threshold + (1 - threshold) * _MARGIN
    holds = {"weak": is_weak, "wide": kept > 1, "giant": size >= GIANT}
    return tuple(risk for risk in RISKS if holds[risk])
