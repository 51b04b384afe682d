"""The service: an index, its gate and its sweeps over HTTP, for programs and for people."""
