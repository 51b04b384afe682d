"""The commands: each is a module of its name."""
