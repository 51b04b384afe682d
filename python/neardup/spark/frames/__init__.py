"""Documents as DataFrames."""
