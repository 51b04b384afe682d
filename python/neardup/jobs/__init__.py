"""The verbs: each is a function of its name, over what one run of the core does."""
