"""Files on other machines, by their addresses: inputs are fetched where they are read, and results are sent."""
