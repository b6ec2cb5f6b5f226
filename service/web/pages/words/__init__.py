"""The texts of the pages in each language: a module for each page, and one for all pages."""

from __future__ import annotations

from service.web.pages.words.frame import COMMON
