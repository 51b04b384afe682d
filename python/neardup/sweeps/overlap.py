"""What two texts share."""

from fractions import Fraction
from typing import NamedTuple

from neardup.output.shares import share


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
        return share(self.shared, self.left_size + self.right_size - self.shared)

    @property
    def left_in_right(self) -> float:
        """The share of the left text that stands in the right one, for display."""
        return share(self.shared, self.left_size)

    @property
    def right_in_left(self) -> float:
        """The share of the right text that stands in the left one, for display."""
        return share(self.shared, self.right_size)
