"""Sampling: strata of resemblance, and the pairs drawn from each."""
