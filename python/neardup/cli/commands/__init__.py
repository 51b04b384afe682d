"""The commands, by what they are about."""
