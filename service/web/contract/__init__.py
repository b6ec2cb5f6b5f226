"""The contract: what operations declare besides their routes, and the OpenAPI document that is made of all of it."""

from __future__ import annotations

from service.web.contract.complete import completed
from service.web.contract.examples import examples
from service.web.contract.operations import Link, Operation, operation, operations
from service.web.contract.schemas import describe
