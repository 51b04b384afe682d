"""What two texts share."""

from fractions import Fraction
from typing import NamedTuple


class Overlap(NamedTuple):
    """The features that two texts share, and those of each; exact."""

    shared: int
    left_size: int
    right_size: int

    @property
    def exact(self) -> Fraction:
        """The resemblance |A n B| / |A u B|; 1 for two texts without features."""
        union = self.left_size + self.right_size - self.shared
        return Fraction(self.shared, union) if union else Fraction(1)

    @property
    def resemblance(self) -> float:
        """The resemblance, for display."""
        return float(self.exact)
