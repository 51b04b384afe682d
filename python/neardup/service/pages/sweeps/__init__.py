"""Pages of sweeps: a site and its pages over time."""
