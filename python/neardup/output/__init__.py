"""Output: folders, JSON, times and texts for terminals."""
