"""Plugins of all tests: tests/, bench/ and tests/quality."""

pytest_plugins = ["tests.support.tiers", "tests.support.workers", "tests.support.failures"]
