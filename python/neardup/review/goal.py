"""The goal of a review: the precision for which a threshold is wanted, and the number of labels that it may take."""

import json
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from neardup.allowed import check_count
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.sources import refuse_special
from neardup.output.json import write_json
from neardup.output.replaced import replace_file
from neardup.review.decimals import write_decimal
from neardup.schemes.number import Number, read_number

FILE = "goal.json"
PRECISION = "0.95"
LABELS = 400
_LEAST, _MOST = Fraction(1, 2), Fraction(999, 1000)


class Goal(NamedTuple):
    """The wanted precision, an exact decimal from 0.5 to 0.999, and the largest number of decided pairs."""

    precision: str = PRECISION
    labels: int = LABELS

    @property
    def share(self) -> float:
        """The wanted precision as a number."""
        return float(Fraction(self.precision))

    def change(self, precision: Number | None, labels: int | None) -> "Goal":
        """Return the goal with the values that are given. Raises `UsageError` for one that is not allowed."""
        wanted = read_number(self.precision if precision is None else precision, "precision")
        if not _LEAST <= wanted <= _MOST:
            allowed = f"{write_decimal(_LEAST)} to {write_decimal(_MOST)}"
            raise UsageError(f"precision is {precision}; allowed are numbers from {allowed}")
        number = self.labels if labels is None else labels
        check_count("labels", number, 1)
        return Goal(write_decimal(wanted), number)


def read_goal(folder: Path) -> Goal:
    """Read the goal of a review; the default one if none was set. Raises `DataError` if the file is damaged."""
    path = folder / FILE
    refuse_special(path)
    try:
        return Goal().change(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Goal()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}") from error
    except (UsageError, ValueError, TypeError, RecursionError):
        raise DataError(f"{path}: not the goal of a review, which has {' and '.join(Goal._fields)}") from None


def write_goal(folder: Path, goal: Goal) -> None:
    """Write the goal aside, and then in the place of the previous one."""
    replace_file(folder / FILE, f"{write_json(goal)}\n")
