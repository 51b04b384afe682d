"""Answers: JSON, problems, and files that wait for slow readers."""
