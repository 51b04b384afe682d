"""Runs that are spread over many machines, whatever runs their tasks.

The driver of the core says which steps there are, and what each task takes. A cluster brings packed messages to the
task of their part, and keeps what a step returns. No step decides anything outside the core.
"""
