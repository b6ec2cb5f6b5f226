"""What is kept as files: matches written and read back, taken into a store, forked; and packs."""
