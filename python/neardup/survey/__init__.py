"""Surveys: the clusters of an index, and what holds each together."""
