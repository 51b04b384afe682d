"""Work outside the event loop: in threads, in the background, in processes."""
