"""What stands before the application: each guard is an ASGI application around another."""
