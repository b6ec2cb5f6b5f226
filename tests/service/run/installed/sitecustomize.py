"""Hides numpy, which only research installs beside what an operator has.

sqlite-utils imports it wherever it is, which makes each start of a process a seventh longer.
"""

import sys

sys.modules["numpy"] = None  # type: ignore[assignment]  # so an import of it fails
