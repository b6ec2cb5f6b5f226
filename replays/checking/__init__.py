"""Whether a log holds: played again by the rules, compared with what a release would make of it, audited."""
