"""The parts of tools/docs/compare.py."""
