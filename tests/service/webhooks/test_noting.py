"""What is noted for webhooks: what their owners may know, once, and for nobody else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from service.store import Subscription, Subscriptions, notices
from service.store.notices import KINDS
from tests.service.clocks.timing import at
from tests.service.house import THREE_MAGIC, House, Visitor, each, play_out
from tests.service.stored import rows
from tests.service.webhooks.post import Hooked, deliveries, hook, note

URL = "https://hooks.example/"


def told(visitor: Visitor, webhook: str) -> list[tuple[str, object]]:
    """Kind and decision of what is noted, the earliest first."""
    return [(one["kind"], one["about"].get("decision")) for one in reversed(deliveries(visitor, webhook, limit=100))]


def test_whose_turn_it_is_is_told_once_a_decision(house: House) -> None:
    match, (ann, bob) = house.table()
    hooks = [hook(ann, URL)["id"], hook(bob, URL)["id"]]
    note(house.service)
    assert [told(ann, hooks[0]), told(bob, hooks[1])] == [[], []], "who was asked before it was there sees that"
    for _ in range(6):
        for player in (ann, bob):
            if moves := player.moves(match)["moves"]:
                player.move(match, moves[0]["id"])
                break
        note(house.service)
        note(house.service)
    for player, id in zip((ann, bob), hooks, strict=True):
        found = told(player, id)
        assert found
        assert len(set(found)) == len(found)
        assert {kind for kind, _ in found} == {"turn"}
        open_now = [one["decision"] for one in player.get("/me/turns").json["turns"]]
        assert set(open_now) <= {decision for _, decision in found}
    about = deliveries(ann, hooks[0])[0]["about"]
    assert about == {"match": match, "game": "high-card", "seat": 0, "decision": about["decision"]}


def test_a_match_is_told_from_its_invitation_to_its_end(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    hers, his = hook(ann, URL, *KINDS)["id"], hook(bob, URL, *KINDS)["id"]
    match = ann.open(seats=[{"player": ann.id}, {"player": bob.id}], visibility="private")
    note(house.service)
    assert told(ann, hers) == [], "who opens a match knows of it"
    assert told(bob, his) == [("invitation", None)]
    for player in (ann, bob):
        player.sit(match)
    note(house.service)
    play_out(match, [ann, bob])
    note(house.service)
    for player, id in ((ann, hers), (bob, his)):
        kinds = [kind for kind, _ in told(player, id)]
        assert kinds.count("match.started") == kinds.count("match.finished") == 1
    (ended,) = [one for one in deliveries(ann, hers) if one["kind"] == "match.finished"]
    result = {name: ann.look(match)["result"][name] for name in ("points", "ranking")}
    about = {"match": match, "game": "high-card", "seat": 0}
    assert ended["about"] == {**about, "status": "finished", "result": result}


def test_a_match_that_is_broken_off_is_told_without_a_result(house: House) -> None:
    match, (ann, _) = house.table()
    mine = hook(ann, URL, "match.finished")["id"]
    house.operator.post(f"/matches/{match}/abort")
    note(house.service)
    (one,) = deliveries(ann, mine)
    assert (one["about"]["status"], one["about"]["result"]) == ("aborted", None)


def test_a_seat_that_is_given_later_is_an_invitation_as_well(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    mine = hook(bob, URL, "invitation")["id"]
    match = ann.open()
    for _ in range(2):
        assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": bob.id}).status_code == 200
        assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": None}).status_code == 200
    (one,) = deliveries(bob, mine)
    assert one["about"] == {"match": match, "game": "high-card", "seat": 1}


def test_what_players_ask_of_each_other_is_told_once_to_all_who_have_not_agreed(house: House) -> None:
    *players, eve = map(house.player, ("Ann", "Bob", "Cid", "Eve"))
    ann, bob, cid = players
    seats = [None, {"player": bob.id}, {"player": cid.id}]
    match = ann.open_with(bob, cid, seats=seats, clock={"preset": "day"}, visibility="private")
    hooks = [(one, hook(one, URL, "proposal")["id"]) for one in (*players, eve)]

    def asked() -> list[list[tuple[str, int]]]:
        return [sorted((row["about"]["proposal"], row["about"]["by"]) for row in deliveries(*one)) for one in hooks]

    for _ in range(2):
        assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
        for player, deed in ((ann, "abort"), (bob, "abort"), (cid, "pause")):
            assert player.post(f"/matches/{match}/{deed}").status_code == 200
    of_ann, of_bob, of_eve = [("pause", 2)], [("abort", 0), ("passing", 0), ("pause", 2)], [("seat", 0)]
    of_cid = [("abort", 0), ("passing", 0)]
    assert asked() == [of_ann, of_bob, of_cid, of_eve]
    assert deliveries(*hooks[3])[0]["about"] == {
        "match": match, "game": "high-card", "seat": 0, "proposal": "seat", "by": 0,
    }  # fmt: skip
    each((ann, bob), match, "pause")
    each((ann,), match, "resume")
    each((ann,), match, "abort")
    of_bob += [("resume", 0)]
    assert asked() == [of_ann, sorted(of_bob), [*of_cid, ("resume", 0)], of_eve]


def test_what_is_over_or_not_asked_for_or_heard_by_nobody_is_not_noted(house: House) -> None:
    match, (ann, bob) = house.table()
    hook(ann, URL)
    his = hook(bob, URL, *KINDS)["id"]
    assert bob.patch(f"/webhooks/{his}", {"enabled": False}).status_code == 200
    play_out(match, [ann, bob])
    running, _ = house.table()
    note(house.service)
    assert house.stranger.look(running)["status"] == "playing"
    assert rows(house.service, "SELECT * FROM deliveries") == []


def windows_of(house: House) -> Iterator[tuple[list[int], list[int]]]:
    """Of each claim window in a match played by chance: who was asked, and who was told that they are."""
    match, players = house.table(THREE_MAGIC, 3, options={"laps": 1})
    hooks = [hook(player, URL)["id"] for player in players]
    draw = random.Random(1)
    while (look := house.stranger.look(match))["status"] == "playing":
        asked = [seat for seat, player in enumerate(players) if player.moves(match)["moves"]]
        note(house.service)
        if look["sealed"]:
            asked_at = ("turn", look["version"])
            yield asked, [seat for seat in range(3) if asked_at in told(players[seat], hooks[seat])]
        for seat in asked:
            if moves := players[seat].moves(match)["moves"]:
                assert players[seat].move(match, draw.choice(moves)["id"]).status_code == 200


def test_under_seal_each_is_told_whether_they_were_asked_and_of_nobody_else(house: House) -> None:
    found = [*islice(windows_of(house), 8)]
    assert any(0 < len(asked) < 3 for asked, _ in found)
    for asked, heard in found:
        assert asked == heard


def test_after_the_clock_was_set_back_what_happens_is_sent_at_once(house: House) -> None:
    with at("04T13:00:00"):
        match, (ann, bob) = house.table()
        mine = hook(bob, URL, *KINDS)["id"]
    with at("04T12:00:00"):
        ann.choose(match)
        note(house.service)
        assert told(bob, mine), "its turn is told"
        assert {one["created"] for one in deliveries(bob, mine)} == {"2126-03-04T13:00:00.000Z"}
        house.operator.post(f"/matches/{match}/abort")
        ann.open_with(bob, seats=[None, {"player": bob.id}])
        note(house.service)
        assert rows(house.service, "SELECT DISTINCT due FROM deliveries") == [("2126-03-04T12:00:00.000Z",)]
        assert {"match.started", "turn", "match.finished"} <= {kind for kind, _ in told(bob, mine)}


def test_what_any_channel_sends_to_goes_by_its_latest_address_and_stops_with_the_webhooks(house: House) -> None:
    ann, store = house.player("Ann"), house.service.recorder
    room = Subscription("c_a", "chat", ann.id, "", f"{URL}a", (notices.TURN,), "", house.service.front.at())
    for one in (room, replace(room, id="c_b", name="moved", address=f"{URL}b")):
        store.write(notices.subscribe_only(one))
        assert Subscriptions(store).of(ann.id, "chat") == (one,)
        # the next one begins anew
        store.write([notices.fails(one.id, one.created), notices.disable(one.id, one.created, "failing")])
    store.write([notices.enable("c_b")])
    store.write(notices.end_all(ann.id, room.created))
    assert [one.reason for one in Subscriptions(store).of(ann.id, "chat")] == ["owner"]


def test_what_does_not_hold_any_more_is_dropped_and_told_if_it_is_proposed_again(house: House, ann: Hooked) -> None:
    bob, eve = house.player("Bob"), house.player("Eve")
    ann.make("/ok", *notices.KINDS)
    moved = bob.open(seats=[{"player": ann.id}, None, None])
    match = bob.open_with(eve)
    note(house.service)

    def now() -> dict[str, str]:
        ann.run()
        return {one["kind"]: one["status"] for one in deliveries(ann, ann.webhook["id"])}

    assert bob.post(f"/matches/{moved}/invitations", {"seat": 0, "player": None}).status_code == 200
    assert bob.post(f"/matches/{match}/offers", {"player": ann.id}).status_code == 200
    assert bob.delete(f"/matches/{match}/offers").status_code == 204
    assert now() == {"invitation": "dropped", "proposal": "dropped"}
    assert bob.post(f"/matches/{match}/offers", {"player": ann.id}).status_code == 200
    assert now() == {"invitation": "dropped", "proposal": "delivered"}
