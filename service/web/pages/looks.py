"""The theme of pages, light or dark, which is kept in a cookie, so that pages have it from the start."""

from __future__ import annotations

from flask import Response, request

from service.web.pages import page

blueprint = page.blueprint("looks")


@blueprint.post("/theme")
def theme() -> Response:
    """Set the theme: light, dark, or that of the device."""
    answer = page.go(page.back("/"))
    wanted = request.form.get(page.THEME)
    if wanted in page.THEMES[1:]:
        answer.set_cookie(page.THEME, wanted, max_age=page.YEAR, path="/", samesite="Lax", httponly=True)
    else:
        answer.delete_cookie(page.THEME, path="/", samesite="Lax", httponly=True)
    return answer
