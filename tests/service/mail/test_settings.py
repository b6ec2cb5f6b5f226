"""What an operator says of mail, and what a doctor finds of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from service.config import Config
from service.mail.sending import Unreachable, connected
from service.mail.settings import Relay, place_of, relay_of
from service.run.doctor import surroundings
from service.run.doctor.report import Severity
from tests.service.mail.mailbox import PostOffice

PASSWORD = "correct-horse"


def server(url: str) -> Relay:
    relay = relay_of(Config(smtp=url, mail_from="a@b.test"))
    assert relay is not None
    return relay


def test_a_server_is_named_with_user_password_and_port() -> None:
    relay = server("smtp://ann%40a.test:p%3Aq%2F@mail.test:2525")
    assert relay == Relay("mail.test", 2525, is_tls=False, user="ann@a.test", password="p:q/")
    assert "p:q/" not in relay.name
    assert server("smtps://mail.test").port == 465
    assert server("smtp://[::1]").is_near
    assert place_of("[::1]:24") == ("::1", 24)
    assert place_of(":24") == ("", 24)


def test_nothing_is_sent_without_a_server_and_a_sender_and_no_password_is_shown() -> None:
    for said in (Config(), Config(smtp=f"smtp://ann:{PASSWORD}@mail.test"), Config(mail_from="a@b.test")):
        assert relay_of(said) is None
        assert PASSWORD not in repr(said)


def test_a_password_is_not_sent_in_the_open_to_a_machine_elsewhere(office: PostOffice) -> None:
    relay = server(f"smtp://ann:{PASSWORD}@0.0.0.0:{office.port}")
    with pytest.raises(Unreachable, match="offers no encryption") as found, connected(relay, 5.0):
        pass
    assert PASSWORD not in str(found.value)


def found_of(config: Config) -> list[tuple[Severity, str]]:
    return [(one.level, one.what) for one in surroundings.examine_mail(config)]


def test_a_doctor_says_what_is_missing_and_whether_the_server_answers(tmp_path: Path, office: PostOffice) -> None:
    bare = Config(data=tmp_path)
    assert found_of(bare) == [(Severity.GOOD, "none is sent: no server is named")]
    half = replace(bare, smtp=office.url)
    assert found_of(half) == [(Severity.FAULT, "no mail is sent without FOLDTABLE_MAIL_FROM")]
    sent = replace(half, mail_from="table@play.test", public_url="https://play.test")
    assert found_of(sent) == [(Severity.GOOD, f"127.0.0.1, port {office.port} takes mails")]
    heard = replace(sent, mail_listen="127.0.0.1:24")
    assert found_of(heard)[0] == (Severity.FAULT, "mail is received, but replies have no domain")
    one_way = replace(sent, mail_domain="play.test")
    assert found_of(one_way)[0][0] == Severity.WARNING
    away = replace(sent, smtp=f"smtp://ann:{PASSWORD}@127.0.0.1:1")
    level, what = found_of(away)[0]
    assert level == Severity.FAULT
    assert re.search("does not answer", what)
    assert PASSWORD not in what
    assert found_of(replace(sent, public_url=""))[0][0] == Severity.WARNING
