"""The operator's commands: starting everything, the embedded Redis, the demo, backups, copies, keys, the document."""
