"""Models of requests and responses, as the OpenAPI description has them."""
