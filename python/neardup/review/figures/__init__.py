"""Figures: precision and recall, estimated from the labels of a sample."""
