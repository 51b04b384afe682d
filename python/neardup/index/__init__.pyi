# Written by `make docs` from the list in public.py.

from neardup.errors import DamagedIndex as DamagedIndex
from neardup.index.hit import Hit as Hit
from neardup.index.hit import Hits as Hits
from neardup.index.restoration import Damage as Damage
from neardup.index.restoration import Lost as Lost
from neardup.index.restoration import Repaired as Repaired
from neardup.index.restoration import repair as repair
from neardup.index.verdict import Admission as Admission
from neardup.index.verdict import Check as Check
from neardup.index.verdict import Removal as Removal
from neardup.index.verdict import Verdict as Verdict

__all__ = [
    "Admission",
    "Check",
    "Damage",
    "DamagedIndex",
    "Hit",
    "Hits",
    "Lost",
    "Removal",
    "Repaired",
    "Verdict",
    "repair",
]
