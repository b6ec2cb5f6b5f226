"""Lessons as pages: step by step by links, without a script, and as data that may be cached."""

from __future__ import annotations

import gzip
import json
import re
from html import unescape
from itertools import permutations

import pytest

from domain.lessons import MOST, Choose, shown_in, ways_of
from domain.texts import LANGS
from tests.domain.test_lessons import LEARNT, lesson_of, stages
from tests.laws.rooms import room_of
from tests.service.house import House
from tests.service.web.pages.browsing import Browser, scripted

pytestmark = pytest.mark.sqlite
NEXT = re.compile(r'<a class="button[^"]*" href="(/games/[^"]*/lesson\?[^"]*)"')
HIDDEN = re.compile(r'<section id="end"[^>]* hidden')
LEARN = {"en": "Learn it in 5 minutes", "ja": "5分でおぼえる"}
every_lesson = pytest.mark.parametrize("slug", LEARNT)
both = pytest.mark.parametrize("lang", LANGS)


@every_lesson
@both
def test_a_lesson_is_read_by_links_to_its_end_where_the_game_can_be_played(house: House, slug: str, lang: str) -> None:
    browser, chosen = Browser(house, lang), max(ways_of(room_of(slug).lesson()))  # type: ignore[arg-type]
    at, made = f"/games/{slug}/lesson", iter(chosen)
    for stage in stages(*lesson_of(slug), chosen):
        text = browser.look(at)
        said = re.search(r'<p class="said">(.*?)</p>', text)
        assert said
        assert not re.search(r"\b[Ss]eat \d|席\d", said[1]), "players have names"
        onward = [unescape(one) for one in NEXT.findall(text)]
        at = onward[next(made) if isinstance(stage.step, Choose) else 0] if onward else ""
        assert bool(HIDDEN.search(text)) is bool(at)
    assert not at
    assert 'action="/play"' in text


@every_lesson
def test_a_steps_data_is_the_same_for_everybody_and_may_be_cached(house: House, slug: str) -> None:
    address = f"/games/{slug}/lesson/step?step=1&lang=en"
    answer = house.app.test_client().get(address, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert "Set-Cookie" not in answer.headers
    assert len(answer.data) < 8_000
    plain = house.app.test_client().get(address)
    assert gzip.decompress(answer.data) == plain.data
    assert json.loads(plain.data) == scripted(Browser(house, "en").look(f"/games/{slug}/lesson"))["first"]


@every_lesson
@both
def test_each_step_has_a_moment_for_each_move_that_is_wanted(house: House, slug: str, lang: str) -> None:
    client = house.app.test_client()
    for chosen in ways_of(room_of(slug).lesson()):  # type: ignore[arg-type]
        made: list[int] = []
        for number in range(1, MOST + 1):
            query = f"step={number}&chosen={','.join(map(str, made))}&lang={lang}"
            step = client.get(f"/games/{slug}/lesson/step?{query}").get_json()
            for asked in step["asking"]:
                wanted = [way for way in asked["ways"] if way.get("text")]
                assert len(wanted) == (sum("choice" in way for way in asked["ways"]) or 1)
            if step["kind"] == "choose":
                made.append(chosen[len(made)])
            if step["step"] == step["steps"]:
                break
        assert tuple(made) == chosen
        assert step["step"] == step["steps"]


def test_a_wanted_move_may_be_made_along_each_path_that_the_table_knows(house: House) -> None:
    client, steps = house.app.test_client(), range(1, MOST)
    found = (client.get(f"/games/magicative/lesson/step?step={step}&lang=en").get_json() for step in steps)
    wanted = (way for step in found for asked in step["asking"] for way in asked["ways"] if way.get("text"))
    formula = next(way for way in wanted if len(way["touches"]) == 3)
    assert [formula["touches"], *formula["ways"]] == [[*path] for path in permutations(formula["touches"])]


NONSENSE = (
    "step=0", "step=99", "step=x", "step=1&chosen=0", "step=7", "step=7&chosen=9", "step=7&chosen=a", "step=1e9",
)  # fmt: skip


@pytest.mark.parametrize("query", NONSENSE)
def test_a_step_that_there_is_not_is_refused_in_a_sentence(house: House, query: str) -> None:
    for path in ("lesson", "lesson/step"):
        assert "no such step" in Browser(house).look(f"/games/three-magic/{path}?{query}&lang=en", 404)
    Browser(house).look("/games/three-magic/lesson/step?step=1&lang=xx", 404)
    Browser(house).look("/games/none/lesson", 404)


@both
def test_lessons_are_offered_on_the_first_page_and_those_of_games(house: House, lang: str) -> None:
    browser = Browser(house, lang)
    first = browser.look("/")
    for slug in LEARNT:
        link = f'data-learn="{slug}"'
        assert link in first
        page = browser.look(f"/games/{slug}")
        assert link in page
        assert LEARN[lang] in page


def test_a_lesson_is_offered_at_a_table_that_is_not_over(house: House) -> None:
    match, _ = house.table("three-magic", seats=3)
    assert 'data-learn="three-magic"' in Browser(house).look(f"/matches/{match}")


@every_lesson
def test_a_clause_of_the_rules_leads_to_the_step_of_the_lesson_that_shows_it(house: House, slug: str) -> None:
    browser = Browser(house)
    text = browser.look(f"/games/{slug}/rules")
    links = re.findall(r'class="taught" href="([^"]+)">step (\d+) of the lesson<', text)
    assert len(links) == len(shown_in(lesson_of(slug)[1]))
    for link, number in links:
        assert f'"first":{{"step":{number}' in browser.look(link.replace("&amp;", "&"))
