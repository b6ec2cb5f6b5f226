"""The games, their rules, the limits."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.service.house import House, games, play_out


@pytest.mark.parametrize("slug", sorted(games().rooms))
def test_every_game_is_played_over_rest(house: House, slug: str) -> None:
    seats = games().game(slug).seats[0]
    match, players = house.table(slug, seats)
    play_out(match, players, most=40)
    for visitor in (house.stranger, *players):
        for lang in ("en", "ja"):
            look = visitor.look(match, lang=lang)
            assert look["text"]
            assert all(event["text"] for event in visitor.events(match, lang=lang))
        assert visitor.get(f"/matches/{match}/at/{look['version'] // 2}").status_code == 200
        assert visitor is house.stranger or visitor.get(f"/matches/{match}/events", private=True).status_code == 200


def test_games_their_rules_and_limits_are_told(house: House) -> None:
    listed = {game["slug"]: game for game in house.stranger.get("/games").json["games"]}
    assert listed["three-magic"]["seats"] == [3]
    assert set(listed["three-magic"]["title"]) == {"en", "ja"}
    english = house.stranger.get("/games/three-magic/rules")
    japanese = house.stranger.get("/games/three-magic/rules", lang="ja")
    assert english.mimetype == japanese.mimetype == "text/markdown"
    assert "3M-12" in english.text
    assert english.text != japanese.text
    limits = house.stranger.get("/limits").json
    assert (limits["body_bytes"], limits["wait_seconds"], limits["waiting"]) == (1 << 16, 30, 8000)


@pytest.mark.parametrize("slug", ["three-magic", "troll-master"])
def test_a_pack_is_found_by_its_name_and_the_answer_says_its_hash(house: House, slug: str) -> None:
    for pack in house.stranger.get(f"/games/{slug}").json["packs"]:
        answers = [house.stranger.get(f"/games/{slug}/packs/{said}") for said in (pack["name"], pack["hash"])]
        for answer in answers:
            assert answer.status_code == 200
            assert sha256(answer.data).hexdigest() == pack["hash"]
            assert answer.headers["Content-Location"] == f"/api/games/{slug}/packs/{pack['hash']}"
    for none in ("none", "..", "house.toml", "HOUSE"):
        assert house.stranger.get(f"/games/{slug}/packs/{none}").json["code"] == "unknown-pack"
