"""The work that is done after the answer: bots' turns, standing orders, and what the clocks do.

Sweeps find it in the store and queue jobs, and workers do these through the service's HTTP interface.
"""

from service.jobs.sweep import Sweeper
from service.jobs.worker import work
