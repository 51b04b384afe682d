"""Which of several near-duplicates is the original."""

from typing import Literal

Policy = Literal["earliest", "first", "latest", "longest", "shortest"]

POLICIES = ("earliest", "first", "latest", "longest", "shortest")
