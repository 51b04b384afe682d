"""Plugins of all tests: tests/, bench/ and tests/quality."""

pytest_plugins = ["tests.tiers", "tests.workers", "tests.failures"]
