"""An Atom feed of one's turns: read by its address alone, telling what its player may know, and gone when revoked."""

from __future__ import annotations

from dataclasses import replace as changed
from xml.etree import ElementTree

from msgspec.structs import replace

from domain.catalogue import Catalogue
from service.config import Config
from service.feeds import ATOM, CHANNEL, MOST
from service.store import DeliveryTable, Subscriptions, deliveries
from service.store.notices import KINDS
from tests.service.accounts.insiders import leave
from tests.service.house import THREE_MAGIC, House, Visitor, beside, build, play_out
from tests.service.stored import rows
from tests.service.webhooks.post import note


def feed(visitor: Visitor, *kinds: str) -> str:
    """The path of the visitor's feed, made anew."""
    answer = visitor.put("/me/feed", {"kinds": kinds} if kinds else {})
    assert answer.status_code == 200, answer.json
    return str(answer.get_json()["url"]).partition("/api")[2]


def titles(house: House, path: str, lang: str = "en") -> list[str]:
    """What the feed tells whoever has its address, the latest first."""
    answer = house.app.test_client().get(f"/api{path}?lang={lang}")
    assert answer.status_code == 200, answer.json
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    entries = ElementTree.fromstring(answer.data).findall(f"{{{ATOM}}}entry")  # our own
    return [str(one.findtext(f"{{{ATOM}}}title")) for one in entries]


def test_a_turn_is_told_while_it_is_ones_own(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob <&>")
    path, his = feed(ann), feed(bob)
    match = ann.open_with(bob)
    note(house.service)
    note(house.service)
    assert titles(house, path) == ["It begins: High Card (Bob <&>)", "Your turn: High Card (Bob <&>)"]
    told = house.app.test_client().get(f"/api{path}", base_url="http://192.0.2.7:8000").text
    assert f'href="http://192.0.2.7:8000/matches/{match}"' in told, "a link leads to where its reader came from"
    assert titles(house, path, "ja")[1] == "あなたの番です：ハイカード（Bob <&>）"
    ann.choose(match)
    assert titles(house, path) == ["It begins: High Card (Bob <&>)"]
    assert "It begins: High Card (Ann)" in titles(house, his)


def test_an_address_leads_to_where_its_player_came_from(house: House, config: Config) -> None:
    def named(house: House, visitor: Visitor, match: str) -> set[str]:
        by = {"base_url": "http://192.0.2.7:8000", "headers": visitor.headers}
        answers = [
            visitor.client.put("/api/me/feed", json={}, **by),
            visitor.client.get(f"/api/matches/{match}/link", **by),
            visitor.client.post(f"/api/matches/{match}/link", **by),
        ]
        return {str(answer.get_json()["url"]).partition("/api/")[0] for answer in answers}

    ann = house.player("Ann")
    match = ann.open(visibility="link")
    assert named(house, ann, match) == {"http://192.0.2.7:8000"}
    with House(build(changed(config, public_url="https://play.example"))) as there:
        assert named(there, there.again(ann), match) == {"https://play.example"}, "whatever the request's Host says"


def test_names_are_those_that_the_reader_has_in_their_language(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path = feed(ann, "match.started")
    ann.open_with(bob, seats=[None, None, {"bot": "greedy"}])
    note(house.service)
    assert titles(house, path) == ["It begins: High Card (Bob, greedy bot)"]
    assert titles(house, path, "ja") == ["始まりました：ハイカード（Bob、ボットgreedy）"]


def test_who_was_erased_is_named_by_their_seat(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path = feed(ann, "match.finished")
    ann.open_with(bob)
    assert leave(bob).status_code == 204
    note(house.service)
    assert titles(house, path) == ["It is over: High Card (seat 1)"]
    assert titles(house, path, "ja") == ["終わりました：ハイカード（席1）"]


def test_a_turn_is_told_however_many_were_answered_since(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path = feed(ann, "turn")
    ann.open_with(bob)
    note(house.service)
    store = house.service.recorder
    (own,) = Subscriptions(store).of(ann.id, CHANNEL)
    (told,) = DeliveryTable(store).held(ann.id, own.id)
    later = replace(told, at="2999-01-01T00:00:00.000Z")
    store.write([deliveries.enter(replace(later, id=f"{told.id}_{n}", decision=10_000 + n)) for n in range(MOST)])
    assert titles(house, path) == ["Your turn: High Card (Bob)"]


def test_it_tells_from_the_invitation_to_the_end_and_only_what_was_asked_for(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path, ends = feed(bob), feed(ann, "match.finished")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    note(house.service)
    assert titles(house, path) == ["You are invited: High Card"]
    for player in (ann, bob):
        player.sit(match)
    note(house.service)
    assert "You are invited: High Card" not in titles(house, path)
    play_out(match, [ann, bob])
    note(house.service)
    assert titles(house, ends) == ["It is over: High Card (Bob)"]


def test_what_others_ask_is_told_until_it_is_answered_also_to_who_may_not_see_the_match(house: House) -> None:
    ann, bob, eve = map(house.player, ("Ann", "Bob", "Eve"))
    match = ann.open_with(bob, seats=[None, {"player": bob.id}], visibility="private", clock={"preset": "day"})
    his, hers = feed(bob, "proposal"), feed(eve, "proposal")
    ann.post(f"/matches/{match}/abort")
    assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
    told = ["Do you agree that a seat is passed on? High Card", "Do you agree to break it off? High Card"]
    assert sorted(titles(house, his)) == sorted(told)
    assert titles(house, hers) == ["A seat is offered to you: High Card"]
    assert '/turns"' in house.stranger.get(hers).text, "she may not see the match"
    assert ann.delete(f"/matches/{match}/abort").status_code == 200
    assert bob.post(f"/matches/{match}/offers/0/agreement", {"player": eve.id}).status_code == 204
    assert titles(house, his) == []
    assert eve.delete(f"/matches/{match}/offers/0/acceptance").status_code == 204
    assert titles(house, hers) == []
    for deed, said in (("pause", "pause"), ("resume", "go on")):
        ann.post(f"/matches/{match}/{deed}")
        assert titles(house, his) == [f"Do you agree to {said}? High Card"], "a seat has one wish for both"
        bob.post(f"/matches/{match}/{deed}")
        assert titles(house, his) == []


def test_another_address_voids_the_one_before_and_a_revoked_one_answers_404(house: House) -> None:
    ann = house.player("Ann")
    assert ann.get("/me/feed").json["code"] == "unknown-feed"
    first, second = feed(ann), feed(ann)
    assert house.stranger.get(first).json["code"] == "unknown-feed"
    assert titles(house, second) == []
    kept = str(rows(house.service, "SELECT * FROM subscriptions"))
    assert second.rpartition("/")[2] not in kept, "the store can tell nobody the address"
    assert ann.get("/me/feed").json["kinds"] == [*KINDS[:-1]], "all but reminders"
    assert ann.delete("/me/feed").status_code == 204
    assert house.stranger.get(second).status_code == 404
    assert ann.delete("/me/feed").status_code == 404
    assert house.stranger.get("/feeds/nobody%00").status_code == 404


def test_with_its_player_a_feed_is_gone_and_a_seat_that_is_anothers_is_told_no_more(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path = feed(bob)
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    note(house.service)
    assert titles(house, path) == ["You are invited: High Card"]
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": None}).status_code == 200
    assert titles(house, path) == []
    assert leave(bob).status_code == 204
    assert house.stranger.get(path).status_code == 404


def test_under_seal_a_feed_tells_of_ones_own_turn_alone(house: House) -> None:
    match, players = house.table(THREE_MAGIC, 3, options={"laps": 1})
    feeds = [feed(player, "turn") for player in players]
    windows = 0
    while windows < 3:
        asked = [bool(player.moves(match)["moves"]) for player in players]
        if house.stranger.look(match)["sealed"] and not all(asked):
            windows += 1
            note(house.service)
            assert [bool(titles(house, path)) for path in feeds] == asked
        mover = players[asked.index(True)]
        assert mover.move(match, mover.moves(match)["moves"][-1]["id"]).status_code == 200


def test_news_of_a_game_that_this_release_does_not_have_are_told_by_its_name(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path = feed(ann, "match.started")
    ann.open_with(bob)
    note(house.service)
    there = House(beside(house.service))
    there.service.feeds._catalogue = Catalogue()
    assert titles(there, path) == ["It begins: high-card (Bob)"]
