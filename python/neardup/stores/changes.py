"""What one step of the gate changes."""

from collections.abc import Sequence
from typing import NamedTuple

from neardup.stores.stored_document import Role, StoredDocument

MOST_STEPS = 2**48
"""Steps that no index takes: a position from here on was not written by neardup."""


class Changes(NamedTuple):
    """All that one step changes: a store takes all of it or nothing, in the order of the fields."""

    position: int
    """Where the gate's log ends with this step, above 0; it grows from step to step."""
    removed: Sequence[str] = ()
    """Ids that are gone."""
    stored: Sequence[StoredDocument] = ()
    """Documents that are new, or that replace those of the same ids."""
    changed: Sequence[Role] = ()
    """New roles of documents that are in the store; of one id the last counts."""
