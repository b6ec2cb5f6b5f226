"""The services apart, as compose.yaml starts them: nobody enters their Redis without its password."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
import redis
import yaml

from service.config import Config
from service.jobs.queue import TurnQueue, connect
from service.run.copy import copy
from service.run.redis_server import RedisServer, binary
from tests.events.test_files import mode_of
from tests.postgres import server
from tests.service.house import THREE_MAGIC, House, build, step
from tests.service.run.uprun import processes, until

COMPOSE: dict[str, Any] = yaml.safe_load((Path(__file__).parents[2] / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]


def started(tmp_path: Path, password: str) -> subprocess.Popen[bytes]:
    """Redis by its command in compose.yaml, on a socket in the folder."""
    command = [word.replace("$$", "$") for word in SERVICES["redis"]["command"]]
    assert command[:2] == ["sh", "-c"]
    names = tmp_path / "bin"
    names.mkdir()
    (names / "redis-server").write_text(
        f"#!/bin/sh\n(cat; printf 'port 0\\nunixsocket \"{tmp_path}/s\"\\n') | '{binary()}' \"$@\"\n"
    )
    (names / "redis-server").chmod(0o755)
    env = {"PATH": f"{names}:{os.environ['PATH']}", "REDISCLI_AUTH": password}
    return subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


def test_redis_is_entered_with_the_password_that_the_parts_are_told(tmp_path: Path) -> None:
    process = started(tmp_path, "abc123")
    try:
        until((tmp_path / "s").exists, "redis listens")
        with connect(f"unix://:abc123@{tmp_path}/s") as found:
            assert TurnQueue(found).queue.get_job_ids() == []
            assert "abc123" not in "".join(processes(tmp_path).values())
            with connect(f"unix://{tmp_path}/s") as stranger, pytest.raises(redis.AuthenticationError):
                stranger.ping()
            found.shutdown(nosave=True)
    finally:
        process.communicate(timeout=30)
    for part in ("web", "worker", "follow", "deliver"):
        assert SERVICES[part]["environment"]["FOLDTABLE_REDIS"] == "redis://:${FOLDTABLE_REDIS_PASSWORD:-}@redis:6379/0"
    assert SERVICES["redis"]["environment"] == {"REDISCLI_AUTH": "${FOLDTABLE_REDIS_PASSWORD:-}"}
    assert not {"ports", "expose"} & set(SERVICES["redis"])


def test_without_a_password_redis_does_not_start(tmp_path: Path) -> None:
    process = started(tmp_path, "")
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (1, b"set FOLDTABLE_REDIS_PASSWORD\n")


def test_the_embedded_redis_is_for_its_own_user(tmp_path: Path) -> None:
    server = RedisServer(tmp_path)
    settings = dict(zip(server.command[1::2], server.command[2::2], strict=True))
    assert (settings["--port"], settings["--unixsocketperm"], mode_of(server.folder)) == ("0", "700", 0o700)


def test_the_mail_process_is_told_what_the_others_are_and_listens_besides() -> None:
    others, own = SERVICES["follow"]["environment"], SERVICES["mail"]["environment"]
    assert own == {**others, "FOLDTABLE_MAIL_LISTEN": "0.0.0.0:8024"}
    # they note what is to be told, and need to know of it
    assert {"FOLDTABLE_SMTP", "FOLDTABLE_MAIL_FROM", "FOLDTABLE_MAIL_DOMAIN", "FOLDTABLE_PUBLIC_URL"} <= set(others)
    assert SERVICES["mail"]["profiles"] == ["mail"]
    assert SERVICES["mail"]["command"][:4] == ["python", "-m", "service", "mail"]


@pytest.mark.postgres
def test_the_role_of_the_service_is_no_superuser_and_owns_what_it_needs(tmp_path: Path) -> None:
    assert SERVICES["postgres"]["configs"] == [{"source": "role", "target": "/docker-entrypoint-initdb.d/role.sql"}]
    assert not {"POSTGRES_USER", "POSTGRES_DB", "ports"} & {*SERVICES["postgres"]["environment"], *SERVICES["postgres"]}
    with server() as running:
        psql = [str(running.programs / "psql"), "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-f", "-", running.url()]
        env = {**os.environ, "POSTGRES_PASSWORD": "abc' 123"}
        subprocess.run(psql, input=COMPOSE["configs"]["role"]["content"], text=True, env=env, check=True)
        with psycopg.connect(running.url()) as found:
            roles = found.execute(
                "SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolpassword IS NULL FROM pg_authid"
                " WHERE rolcanlogin ORDER BY rolname"
            ).fetchall()
        assert roles == [("foldtable", False, False, False, False), ("postgres", True, True, True, True)]
        url = running.url("foldtable").replace("user=postgres", "user=foldtable")
        old = Config(data=tmp_path / "data", bot_pause=0.0)
        service = build(old)
        match, _ = House(service).table()
        service.close()
        copy(replace(old, store=url), lambda said: None)
        moved = House(build(replace(old, store=url)))
        assert moved.stranger.get(f"/matches/{match}").json["id"] == match
        match, players = moved.table(THREE_MAGIC, 3)
        step(match, players, Random(1))
        moved.service.close()
        dumped = subprocess.run(
            [running.programs / "pg_dump", url], capture_output=True, check=True, cwd=running.folder
        ).stdout
        assert match.encode() in dumped
