"""The games as environments for research: PettingZoo, Gymnasium, OpenSpiel. Nothing of the service imports this.

Their packages, and numpy, are installed by `make research-tools` only.
"""
