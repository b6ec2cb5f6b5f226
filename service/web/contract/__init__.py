"""The contract: what operations declare besides their routes, and the OpenAPI document that is made of all of it."""

from __future__ import annotations

from service.web.contract.document import completed, examples, paths_of
from service.web.contract.games import with_games
from service.web.contract.operations import UNCHANGED, Link, Operation, Success, operations
