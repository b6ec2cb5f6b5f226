"""Every page there is, found among the app's routes: a new one takes part by being one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx2
from werkzeug.routing import Rule

from tests.screens.staged import Stage
from tests.service.house import routes

MATCH, GAME = {"match_id", "match"}, {"slug", "game"}
OF_CONTRACT = {"operation": "openMatch", "schema": "Match"}
"""Of what the contract has, what is looked at."""
NO_PAGES = {
    *("pages_games.film", "pages_lessons.step", "pages_replay.png", "pages_sign_in.ask_newcomer", "pages_table.due"),
}
"""What is asked for as pages are, and is none: a page's data, a picture, the way back from a form."""

NOBODY, ANN = "nobody", "ann"


class Place(NamedTuple):
    """A page, as somebody looks at it."""

    name: str
    path: str
    who: str
    endpoint: str


def places(stage: Stage) -> list[Place]:
    """Every page for Ann, and for nobody what has no part in its address. Raises AssertionError for a route that has
    no page.
    """
    found: list[Place] = []
    known: dict[tuple[str, str, str], bool] = {}
    app = routes()
    with httpx2.Client(base_url=stage.url, trust_env=False, timeout=60) as nobody:
        ann = httpx2.Client(base_url=stage.url, trust_env=False, timeout=60, cookies={"foldtable": stage.token})
        with app.test_request_context(), ann:
            for rule in app.url_map.iter_rules():
                if not rule.endpoint.startswith("pages_") or "GET" not in (rule.methods or ()):
                    continue
                of_rule = list(_of(rule, stage, {ANN: ann, NOBODY: nobody}, known))
                assert of_rule or rule.endpoint in NO_PAGES, f"{rule} shows no page: say what to ask for"
                found += of_rule
    found += [Place("docs", "/docs", ANN, "docs"), Place("docs-nobody", "/docs", NOBODY, "docs")]
    found.append(Place("not-there", "/games/none", NOBODY, "not-there"))
    return sorted(found)


def _of(
    rule: Rule, stage: Stage, clients: dict[str, httpx2.Client], known: dict[tuple[str, str, str], bool]
) -> Iterator[Place]:
    """The rule's pages. `known`: where there is a page for one game, there is one for every other."""
    from flask import url_for

    short = rule.endpoint.removeprefix("pages_").replace(".", "-")
    for name, parts in _parts(rule, stage):
        path = url_for(rule.endpoint, **parts)
        for who in (ANN, NOBODY) if not rule.arguments or "-middle" in name else (ANN,):
            kind = (rule.endpoint, re.sub("|".join(stage.packs), "", name), who)
            if kind not in known:
                known[kind] = is_page(clients[who], path)
            if known[kind]:
                yield Place(f"{short}{name}{'-nobody' if who == NOBODY else ''}", path, who, rule.endpoint)


def _parts(rule: Rule, stage: Stage) -> Iterator[tuple[str, dict[str, Any]]]:
    """What can stand in the address, and what the picture is called then."""
    if of_match := MATCH & rule.arguments:
        more = {"version": 2, "what": "resign", "seat": 0}
        rest = {part: more[part] for part in rule.arguments - of_match}
        for (game, moment), match in stage.matches.items():
            yield f"-{game}-{moment}", {next(iter(of_match)): match, **rest}
        for name, match in stage.others.items():
            yield f"-{name}", {next(iter(of_match)): match, **rest}
    elif of_game := GAME & rule.arguments:
        for game, pack in stage.packs.items():
            rest = dict.fromkeys(rule.arguments - of_game, pack)
            yield f"-{game}", {next(iter(of_game)): game, **rest}
    elif rule.endpoint.startswith("pages_docs."):
        yield "", {name: OF_CONTRACT[name] for name in rule.arguments}
    else:
        yield "", dict.fromkeys(rule.arguments, stage.ann)


def is_page(client: httpx2.Client, path: str) -> bool:
    """Whether a page is shown there, and no refusal, no data and no other address."""
    answer = client.get(path)
    return answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
