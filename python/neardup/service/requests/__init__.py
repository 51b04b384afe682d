"""Requests: bodies read, and documents found by what they name."""
