"""Output: folders, JSON, times and what terminals show."""
