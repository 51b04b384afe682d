"""State of the service: its data, its limits and its counters."""
