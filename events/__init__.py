"""The append-only log: envelopes, canonical bytes, the hash chain and the stores. It knows no game."""
