"""What pages say, in each language: a module for each page, and what all of them say."""

from __future__ import annotations

from service.web.pages.words.frame import COMMON

__all__ = ["COMMON"]
