"""Players, their names and tokens, and who may do what."""
