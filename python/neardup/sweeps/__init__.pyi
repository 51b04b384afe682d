# Written by `make docs` from the list in public.py.

from neardup.sweeps.addition import Added as Added
from neardup.sweeps.change_report import ChangedInterval as ChangedInterval
from neardup.sweeps.change_report import ChangeReport as ChangeReport
from neardup.sweeps.change_report import StepList as StepList
from neardup.sweeps.changes import ListedStep as ListedStep
from neardup.sweeps.changes import StepCounts as StepCounts
from neardup.sweeps.contacts import Contact as Contact
from neardup.sweeps.contacts import Contacts as Contacts
from neardup.sweeps.evidence import Overlap as Overlap
from neardup.sweeps.locate import Location as Location
from neardup.sweeps.removal import Removed as Removed
from neardup.sweeps.sightings import SweepSize as SweepSize
from neardup.sweeps.stats import Cohort as Cohort
from neardup.sweeps.stats import Interval as Interval
from neardup.sweeps.stats import Stats as Stats
from neardup.sweeps.store import Sighting as Sighting
from neardup.sweeps.store import SweepStore as SweepStore
from neardup.sweeps.trail import Visit as Visit

__all__ = [
    "Added",
    "ChangeReport",
    "ChangedInterval",
    "Cohort",
    "Contact",
    "Contacts",
    "Interval",
    "ListedStep",
    "Location",
    "Overlap",
    "Removed",
    "Sighting",
    "Stats",
    "StepCounts",
    "StepList",
    "SweepSize",
    "SweepStore",
    "Visit",
]
