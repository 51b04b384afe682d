"""Options: the table of all of them, and how their values reach the core."""
