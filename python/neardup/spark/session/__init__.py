"""The Spark session and the operations on its DataFrames."""
