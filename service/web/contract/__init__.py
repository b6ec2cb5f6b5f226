"""The contract: what operations declare besides their routes, and the OpenAPI document that is made of all of it."""

from service.web.contract.document import document_of, example_of, examples
from service.web.contract.operations import UNCHANGED, Success, operations
