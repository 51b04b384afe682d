"""The tables that a run takes, and whose rows are sent to the tasks."""
