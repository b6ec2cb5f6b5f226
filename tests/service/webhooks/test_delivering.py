"""What receivers are sent, and deliveries on their way there: signed, tried again, given up, never two at once."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Callable
from datetime import datetime
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from threading import Event, Thread

import pytest

from service import clock
from service.outbox import ChannelAway, ChannelOutcome
from service.outbox.loop import AT_ONCE, FAILING, LEAST, Slots
from service.signing import Signer
from service.store import DeliveryTable, Notice, notices
from service.webhooks.channel import WebhookChannel
from service.webhooks.sending import Sender, fresh_secret, sign
from tests.service.house import House, play_out
from tests.service.run.uprun import until
from tests.service.stored import change
from tests.service.web.test_contract import body_of, wrong
from tests.service.webhooks.post import HERE, Hooked, deliveries, loop, note
from tests.service.webhooks.receivers import Running, receiver

PATIENCE = 20.0
"""Seconds: enough on a machine that has much else to do."""

LITTLE = 1.0
"""Seconds, for who would never answer."""

BOTH = (*HERE, ip_network("::1/128"))


def sent(receiving: Running, path: str, patience: float = PATIENCE) -> ChannelOutcome:
    return Sender(HERE, patience).send(receiving.url(path), {"X-Mark": "m"}, b'{"a": 1}')


@pytest.mark.parametrize(
    ("path", "answer", "problem"),
    [
        ("/ok", 200, None),
        ("/none?a=b", 204, None),
        ("/soon", 202, None),
        ("/fails", 500, "status"),
        ("/gone", 410, "status"),
        ("/moved", 301, "redirected"),
        ("/see", 307, "redirected"),
        ("/huge", 200, None),
        ("/long-head", 200, None),
        ("/no-http", None, "no-http"),
        ("/nothing", None, "no-http"),
        ("/silent", None, "timeout"),
        ("/drips", None, "timeout"),
    ],
)
def test_a_receiver_is_told_and_what_it_answers_is_its_status(
    receiving: Running, path: str, answer: int | None, problem: str | None
) -> None:
    before = len(receiving.heard("/ok"))
    outcome = sent(receiving, path, LITTLE if problem == "timeout" else PATIENCE)
    assert (outcome.answer, outcome.problem) == (answer, problem)
    # who was given up may hear it later
    heard = until(lambda: receiving.heard(path), "it is heard")[-1]
    assert (heard["body"], heard["headers"]["x-mark"]) == ('{"a": 1}', "m")
    assert len(receiving.heard("/ok")) == before + (path == "/ok"), "nowhere else is anything sent"


def test_a_receiver_says_when_to_come_back(receiving: Running) -> None:
    assert sent(receiving, "/busy") == ChannelOutcome("waiting", 503, "status", 4000)


def test_where_nobody_listens_it_is_said(receiving: Running) -> None:
    outcome = Sender(HERE, PATIENCE).send("http://127.0.0.1:1/", {}, b"{}")
    assert outcome == ChannelOutcome("waiting", None, "no-connection")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[str, str]:
    """For localhost, signed by itself."""
    cert, key = str(tmp_path / "cert"), str(tmp_path / "key")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


def test_who_can_prove_their_name_is_told_and_nobody_else(
    certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch, receiving: Running
) -> None:
    with receiver(*certificate) as secure:
        url = f"https://localhost:{secure.port}/ok"
        assert Sender(BOTH, PATIENCE).send(url, {}, b"{}") == ChannelOutcome("waiting", None, "tls")
        monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
        knowing = Sender(BOTH, PATIENCE)
        assert knowing.send(url, {}, b"{}") == ChannelOutcome(answer=200)
        assert knowing.send(f"https://127.0.0.1:{secure.port}/ok", {}, b"{}").problem == "tls", "it has another name"
    assert Sender(BOTH, LITTLE).send(f"https://127.0.0.1:{receiving.port}/", {}, b"{}").problem in {"tls", "timeout"}


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, MOMENT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
"""The vector that the libraries of Standard Webhooks are tested by."""


def test_id_moment_and_body_are_signed_as_the_vector_says() -> None:
    assert sign(SECRET, ID, MOMENT, BODY) == SIGNATURE
    for other in (("msg_other", MOMENT, BODY), (ID, MOMENT + 1, BODY), (ID, MOMENT, BODY + b" ")):
        assert sign(SECRET, *other) != SIGNATURE


def test_a_secret_is_known_for_one_and_has_256_bits() -> None:
    one, other = fresh_secret(), fresh_secret()
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", one)
    assert one != other
    assert len(base64.b64decode(one.removeprefix("whsec_"))) == 32


def test_every_kind_that_is_sent_is_as_the_document_says(house: House, ann: Hooked, receiving: Running) -> None:
    bob = house.player("Bob")
    ann.make("/told", *notices.KINDS)
    for terms in (None, {"preset": "day"}):
        match = bob.open(seats=[{"player": ann.id}, None], clock=terms)
        note(house.service)
        ann.run()
        ann.sit(match, seat=0)
        bob.sit(match, seat=1)
        note(house.service)
        ann.run()
        asked, now = ann.look(match)["decision"], clock.now()
        reminder = Notice(notices.REMINDER, match, "high-card", ann.id, 0, clock.stamp(now), asked)
        house.service.recorder.write(notices.note(reminder, now))
        ann.run()
        assert ann.post(f"/matches/{match}/stand-in").status_code == 200
        stand_in = Notice(notices.STAND_IN, match, "high-card", ann.id, 0, clock.stamp(now))
        house.service.recorder.write(notices.note(stand_in, now))
        ann.run()
        assert ann.delete(f"/matches/{match}/stand-in").status_code == 200
        bob.post(f"/matches/{match}/abort")
        ann.run()
        if terms is None:
            play_out(match, [ann, bob])
        else:
            house.operator.post(f"/matches/{match}/abort")
        note(house.service)
    assert bob.post(f"/matches/{bob.open_with(house.player())}/offers", {"player": ann.id}).status_code == 200
    ann.ping()
    ann.run()
    sent = [json.loads(one["body"]) for one in receiving.heard("/told")]
    assert {one["type"] for one in sent} == {*notices.KINDS, notices.PING}
    for one in sent:
        assert wrong(body_of(one["type"]), one) == [], one
    urls = [one["data"]["url"].partition("/api/")[2] for one in sent if one["type"] == "proposal"]
    assert (urls[0][:8], urls[-1]) == ("matches/", "me/offers"), "she may not see a match of others"


def asked(ann: Hooked) -> str:
    """A match in which it is her turn, which is noted."""
    match = ann.open_with(seats=[None, {"bot": "random"}])
    note(ann.service)
    return match


def test_a_turn_is_told_and_signed(ann: Hooked) -> None:
    ann.make("/ok")
    match = asked(ann)
    assert ann.run() == 1
    delivery = ann.delivery
    assert [delivery[name] for name in ("status", "answer", "problem", "tries")] == ["delivered", 200, None, 1]
    (sent,) = ann.heard(delivery["id"])
    body = json.loads(sent["body"])
    (turn,) = ann.get("/me/turns").json["turns"]
    assert body["type"] == "turn"
    assert body["data"] == {**turn, "game": "high-card", "url": f"https://play.example/api/matches/{match}"}
    headers = sent["headers"]
    assert headers["content-type"] == "application/json"
    moment = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == sign(ann.secret, delivery["id"], moment, sent["body"].encode())
    assert datetime.fromisoformat(body["timestamp"]).timestamp() == pytest.approx(moment, abs=30)
    assert ann.run() == 0, "once"


def test_a_turn_that_was_taken_meanwhile_is_dropped_and_told_on_demand(ann: Hooked) -> None:
    ann.make("/ok")
    match = asked(ann)
    assert ann.choose(match).status_code == 200
    ann.run()
    delivery = ann.delivery
    assert (delivery["status"], ann.heard(delivery["id"])) == ("dropped", [])
    assert ann.post(f"{ann.path}/deliveries/{delivery['id']}").status_code == 202
    ann.run()
    assert ann.delivery["status"] == "delivered"
    (sent,) = ann.heard(delivery["id"])
    assert json.loads(sent["body"])["data"]["due"] is None


def test_what_fails_is_tried_again_and_given_up(ann: Hooked) -> None:
    ann.make("/fails")
    id = ann.ping()
    first, *_, last = WebhookChannel.waits
    for number, wait, status in ((1, first, "waiting"), (len(WebhookChannel.waits) + 1, last, "failed")):
        change(ann.service, "UPDATE deliveries SET tries = :tries", tries=number - 1)
        assert ann.run() == 1
        told = [ann.delivery[name] for name in ("status", "answer", "problem", "tries")]
        assert told == [status, 500, "status", number]
        ann.moment.passes(seconds=wait * 0.9)
        assert ann.run() == 0
        ann.moment.passes(seconds=wait * 0.35 + 1)
    assert ann.run() == 0
    assert len(ann.heard(id)) == 2


def test_a_receiver_that_asks_for_time_is_given_it(ann: Hooked) -> None:
    ann.make("/busy")
    ann.ping()
    ann.run()
    for seconds, tries in ((3900, 0), (200, 1)):
        ann.moment.passes(seconds=seconds)
        assert ann.run() == tries


def test_after_days_of_failing_it_is_disabled_with_a_note(ann: Hooked) -> None:
    ann.make("/no-http")
    ann.ping()
    while (now := ann.webhook)["enabled"]:
        ann.run()
        ann.moment.passes(hours=6)
        assert ann.moment.later < 2 * FAILING
    assert now["disabled"]["reason"] == "failing"
    assert now["failing"] < now["disabled"]["at"]
    assert ann.moment.later > FAILING
    assert ann.delivery["tries"] >= LEAST
    ann.moment.passes(days=2)
    ann.run()
    assert ann.delivery["status"] == "dropped"


def test_who_is_gone_is_told_nothing_more(ann: Hooked) -> None:
    ann.make("/gone")
    ids = [ann.ping() for _ in range(2)]
    ann.run()
    assert ann.webhook["disabled"]["reason"] == "gone"
    assert sorted(one["status"] for one in deliveries(ann, ann.webhook["id"])) == ["dropped", "failed"]
    assert sum(len(ann.heard(id)) for id in ids) == 1


def test_what_works_again_counts_as_never_having_failed(ann: Hooked, receiving: Running) -> None:
    ann.make("/fails")
    ann.ping()
    ann.run()
    assert ann.webhook["failing"] is not None
    ann.patch(ann.path, {"url": receiving.url("/ok")})
    ann.moment.passes(minutes=1)
    ann.run()
    assert ann.webhook["failing"] is None
    assert ann.delivery["status"] == "delivered"


def test_a_secret_that_was_renewed_signs_beside_the_one_before_for_a_day(ann: Hooked) -> None:
    ann.make("/ok")
    renewed = ann.post(f"{ann.path}/secret").json["secret"]
    for hours, secrets in ((0, [renewed, ann.secret]), (25, [renewed])):
        ann.moment.passes(hours=hours)
        id = ann.ping()
        ann.run()
        (sent,) = ann.heard(id)
        at, body = int(sent["headers"]["webhook-timestamp"]), sent["body"].encode()
        assert sent["headers"]["webhook-signature"].split() == [sign(one, id, at, body) for one in secrets]


def test_where_the_services_secret_was_lost_it_is_said(ann: Hooked) -> None:
    ann.make("/ok")
    ann.ping()
    loop(ann.service, ann.moment, signer=Signer("x" * 32)).look()
    assert ann.webhook["disabled"]["reason"] == "secret"
    assert ann.post(f"{ann.path}/secret").status_code == 201
    assert ann.delivery["status"] == "failed"


def test_an_account_has_a_few_under_way_and_one_to_a_receiver_that_fails_and_leaves_room_to_others(
    house: House, ann: Hooked, receiving: Running
) -> None:
    bob = Hooked(house, receiving)

    def never(deed: Callable[[], None]) -> bool:
        return True  # see `Begin`: it is under way for good

    courier = loop(ann.service, ann.moment, begin=never)
    ann.make("/slow")
    bob.make("/ok")
    for _ in range(3 * AT_ONCE):
        ann.ping()
    bob.ping()
    assert courier.tell(ann.id) == AT_ONCE
    assert courier.tell(ann.id) == 0, "as long as those are under way"
    assert courier.tell(bob.id) == 1
    now = clock.stamp(ann.moment())
    assert DeliveryTable(ann.service.recorder).who_is_due("webhook", now, 10) == (ann.id, bob.id)
    change(ann.service, "UPDATE subscriptions SET failing = '2026-01-01T00:00:00.000Z'")
    assert loop(ann.service, ann.moment, begin=never).tell(ann.id) == 1


def test_what_fails_comes_after_what_works_however_long_it_waits(ann: Hooked) -> None:
    ann.make("/slow")
    for _ in range(AT_ONCE):
        ann.ping()
    change(ann.service, "UPDATE subscriptions SET failing = '2026-01-01T00:00:00.000Z'")
    ann.make("/ok")
    id = ann.ping()
    due = DeliveryTable(ann.service.recorder).due("webhook", ann.id, clock.stamp(ann.moment()), AT_ONCE)
    assert [one.id for one in due].index(id) == 0
    assert len(due) == AT_ONCE


def test_what_is_delivered_once_more_has_its_id(ann: Hooked) -> None:
    ann.make("/ok")
    id = ann.ping()
    path = f"{ann.path}/deliveries/{id}"
    assert ann.post(path).status_code == 202, "it waits already"
    ann.run()
    assert ann.post(path).json["status"] == "waiting"
    ann.run()
    assert len(ann.heard(id)) == 2


def test_nothing_is_sent_to_a_webhook_that_was_removed(ann: Hooked) -> None:
    ann.make("/ok")
    id = ann.ping()
    assert ann.delete(ann.path).status_code == 204
    ann.run()
    assert ann.heard(id) == []


def test_it_delivers_until_it_is_told_to_end(ann: Hooked) -> None:
    ann.make("/ok")
    stop = Event()
    thread = Thread(target=ann.courier.run, args=(stop,))
    thread.start()
    try:
        for _ in range(2):
            until(partial(ann.heard, ann.ping()), "the ping is delivered")
    finally:
        stop.set()
        thread.join()


def test_who_ends_waits_for_what_is_under_way() -> None:
    slots, done = Slots(2), Event()

    def act() -> None:
        Event().wait(0.2)  # a receiver that is slow
        done.set()

    assert slots.begin(act)
    slots.close(60.0)
    assert done.is_set()


def test_what_nobody_foresaw_is_logged_by_its_kind_since_its_text_may_hold_a_url(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def act() -> None:
        raise RuntimeError("https://secret.example/")

    slots = Slots(1)
    assert slots.begin(act)
    slots.close(60.0)
    told = capsys.readouterr().out
    assert ("RuntimeError" in told, "secret" in told) == (True, False)


def test_that_a_channel_is_away_and_that_it_is_back_is_told_once(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("service.outbox.loop.AWAY", 0.0)
    stop, courier, away = Event(), loop(house.service, clock.now), [ChannelAway("no wire")] * 2

    def opens() -> None:
        if away:
            raise away.pop()
        stop.set()

    monkeypatch.setattr(courier._channel, "open", opens)
    courier.run(stop)
    told = capsys.readouterr().out
    assert (told.count("does not answer"), told.count("answers again")) == (1, 1)
