"""The API for programs: one file for each kind of request."""
