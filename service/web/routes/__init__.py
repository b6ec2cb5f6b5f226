"""The routes, a module for each subject. A route parses the request, calls the use case, and encodes the answer."""
