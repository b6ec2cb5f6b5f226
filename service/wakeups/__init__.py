"""Who waits for a match to grow, and who is told that it has."""
