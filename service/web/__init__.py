"""The service over HTTP: the app, the server that serves it, and all that they answer."""

from __future__ import annotations

from service.web.app import create_app, document

__all__ = ["create_app", "document"]
