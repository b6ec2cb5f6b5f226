"""The routes, a module for each thing that is asked about: parse, call, answer."""
