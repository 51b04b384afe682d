"""The parts of docs/compare.py."""
