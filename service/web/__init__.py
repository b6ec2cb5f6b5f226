"""The service over HTTP: the app, its routes and pages, and the server."""

from service.web.app import create_app, document
