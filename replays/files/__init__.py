"""Files: matches that are exported, read back, imported and forked; and packs."""
