"""The verbs: each is a function of its name, which does one run of the core."""
