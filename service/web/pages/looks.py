"""How pages look to somebody, light or dark: kept in a cookie, so that the first of them looks so from the start."""

from __future__ import annotations

from flask import Response, request

from service.web.pages import page

blueprint = page.blueprint("looks")


@blueprint.post("/theme")
def theme() -> Response:
    """Light, dark, or as their device has it."""
    answer = page.go(page.back("/"))
    said = request.form.get(page.THEME)
    if said in page.THEMES[1:]:
        answer.set_cookie(page.THEME, said, max_age=page.YEAR, path="/", samesite="Lax", httponly=True)
    else:
        answer.delete_cookie(page.THEME, path="/", samesite="Lax", httponly=True)
    return answer
