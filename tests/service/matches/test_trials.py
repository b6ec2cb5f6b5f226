"""Moves that are tried before they are made: nothing is written, and nothing is told that the seat does not know."""

from __future__ import annotations

from typing import Any

from tests.service.house import House, Visitor, refusal

BOTS = [None, {"bot": "random"}, {"bot": "random"}]


def at_a_table(house: House) -> tuple[Visitor, str, dict[str, Any]]:
    """Somebody whose turn it is, the match, and what they may choose there."""
    ann = house.player()
    while True:
        match = ann.open_with(game="three-magic", seats=BOTS)
        trial = ann.shown(f"/matches/{match}/trial")
        if trial["moves"]:
            return ann, match, trial


def first(trial: dict[str, Any], *, final: bool) -> str:
    """A move that is for good, or that is not."""
    return str(next(one["id"] for one in trial["moves"] if one["final"] is final))


def test_a_trial_tells_of_each_move_whether_it_is_for_good(house: House) -> None:
    ann, match, trial = at_a_table(house)
    listed = ann.moves(match)
    assert trial["decision"] == listed["decision"]
    assert [{**one, "final": None} for one in listed["moves"]] == [{**one, "final": None} for one in trial["moves"]]
    assert trial["tried"] == []
    assert trial["scene"] == ann.shown(f"/matches/{match}", scene="true")["scene"]
    trial = house.stranger.shown(f"/matches/{match}/trial")
    assert (trial["decision"], trial["moves"], trial["scene"]) == (None, [], None)
    touch = house.stranger.shown(f"/matches/{match}/touch", touched="deck")
    assert touch == {"touched": "deck", "refusal": None}


def test_what_was_tried_comes_out_so_when_it_is_made(house: House) -> None:
    ann, match, trial = at_a_table(house)
    tried: list[str] = []
    for _ in range(30):
        before = len(ann.events(match))
        if not trial["moves"]:
            break
        if all(one["final"] for one in trial["moves"]):
            for id in (*tried, first(trial, final=True)):
                assert ann.move(match, id).status_code == 200
            tried = []
        else:
            tried.append(first(trial, final=False))
            assert len(ann.events(match)) == before, "nothing is written"
        trial = ann.shown(f"/matches/{match}/trial", moves=",".join(tried))
        assert trial["tried"] == tried
        if len(tried) == 1:
            then, ours = house.again(ann), trial["scene"]
            assert then.move(match, tried.pop()).status_code == 200
            assert then.shown(f"/matches/{match}", scene="true")["scene"] == ours
            trial = ann.shown(f"/matches/{match}/trial")


def test_what_is_for_good_or_none_is_not_tried(house: House) -> None:
    ann, match, trial = at_a_table(house)
    tried = first(trial, final=False)
    final = first(ann.shown(f"/matches/{match}/trial", moves=tried), final=True)
    assert refusal(ann.get(f"/matches/{match}/trial", moves=f"{tried},{final}")) == (409, "for-good")
    for nonsense in ("none", "none,none", "%00", "席"):
        assert refusal(ann.get(f"/matches/{match}/trial", moves=nonsense)) == (409, "not-to-try")
    assert ann.get(f"/matches/{match}/trial", moves="x" * 5000).status_code == 422


def test_a_touch_in_vain_is_told_why(house: House) -> None:
    ann = house.player()
    match = ann.open_with(seats=BOTS[:2])
    touch = ann.shown(f"/matches/{match}/touch", touched="seat.0/die")
    assert (touch["refusal"]["clause"], touch["refusal"]["code"]) == ("TOY-7", "no-dice")
    assert touch["refusal"]["detail"] == "It is not the time to roll."
    said = ann.shown(f"/matches/{match}/touch", touched="seat.0/die", lang="ja")["refusal"]["detail"]
    assert said == "サイコロを振る時ではありません。"
    for nothing in ("stock", "seat.1/hand/0", "none", "../x", "seat.99/hand/0"):
        assert ann.shown(f"/matches/{match}/touch", touched=nothing)["refusal"] is None
    assert ann.shown(f"/matches/{match}/touch")["refusal"] is None
    assert ann.get(f"/matches/{match}/touch", touched="x" * 201).status_code == 422


def test_under_seal_every_answer_is_for_good(house: House) -> None:
    match, players = house.table(pack="flat")
    for one in players:
        one.choose(match)
    trials = [one.shown(f"/matches/{match}/trial") for one in players]
    assert any(one["moves"] for one in trials)
    assert all(move["final"] for one in trials for move in one["moves"])
