"""The service over HTTP: the app, its routes and pages, and the server."""

from __future__ import annotations

from service.web.app import create_app, document
