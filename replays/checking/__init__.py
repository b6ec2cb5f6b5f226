"""Checks of logs: playing them again by the rules, comparing them with what this release would make of them, audits."""
