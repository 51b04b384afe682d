"""State of the service: what it serves, what it allows, what it counts."""
