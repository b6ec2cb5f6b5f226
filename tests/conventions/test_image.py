"""What the image and compose.yaml promise: no user that is root, nothing written but the data, nothing of the tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
import redis
import yaml

from replays.table.picture import LETTERS
from service.config import Config
from service.jobs.queue import TurnQueue, connect
from service.run.copy import copy
from service.run.doctor.surroundings import FONTS
from service.run.redis_server import RedisServer, binary
from tests import dockerfile
from tests.events.test_files import mode_of
from tests.postgres import server
from tests.rows import each
from tests.service.house import THREE_MAGIC, House, build, step
from tests.service.run.uprun import processes, until

ROOT = dockerfile.ROOT
STAGES = dockerfile.stages(dockerfile.FILE.read_text(encoding="utf-8"))
IMAGE = STAGES[-1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("foldtable", "web", "worker", "think", "follow", "deliver", "mail")
PARTS = ("web", "worker", "think", "follow", "deliver")


def steps(stage: dockerfile.Stage, word: str, holding: str = "") -> list[str]:
    """What the stage's steps of that kind say, without those that take from another stage."""
    return [
        step.said for step in stage.steps if step.word == word and holding in step.said and "from" not in step.flags
    ]


def test_the_image_is_made_in_two_stages_and_takes_from_the_first_only_its_packages_by_their_hashes() -> None:
    first, last = STAGES
    assert first.name == "packages"
    assert [step.said for step in last.steps if step.flags.get("from") == "packages"] == ["/opt/venv /opt/venv"]
    assert steps(last, "RUN", "pip") == []
    assert steps(first, "COPY") == ["requirements.txt /tmp/requirements.txt"]
    (install,) = steps(first, "RUN", "pip install")
    assert {"--require-hashes", "-r", "/tmp/requirements.txt"} <= set(install.split())


def test_it_has_fonts_for_the_letters_of_both_languages_and_nothing_else_of_debian_s() -> None:
    (install,) = steps(IMAGE, "RUN", "apt-get")
    (asked,) = re.findall(r"apt-get install -y --no-install-recommends ([^&]+?) +&&", " ".join(install.split()))
    assert set(asked.split()) == {package for _, package in FONTS.values()}
    assert install.endswith("rm -rf /var/lib/apt/lists/*"), "what it was found by is left out"
    assert set(FONTS) == set(LETTERS), "which languages pictures are told in"


def test_the_image_holds_the_packages_that_run_and_nothing_else_of_the_tree() -> None:
    copied = {said.split()[0] for said in steps(IMAGE, "COPY")}
    assert copied == {"domain", "events", "replays", "bots", "service", "foldtable"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored[1] == "*", "all that is not named"
    assert {line[1:] for line in ignored if line.startswith("!")} == copied | {"requirements.txt"}


def test_what_messages_tell_to_type_can_be_typed_in_a_container(tmp_path: Path) -> None:
    tree = tmp_path / "srv" / "foldtable"
    tree.mkdir(parents=True)
    for said in steps(IMAGE, "COPY"):
        source, target = said.split()
        (tmp_path / target.lstrip("/")).symlink_to(ROOT / source)
    assert IMAGE.last("WORKDIR").said == "/srv/foldtable"
    env = {**dockerfile.environment(IMAGE), "PYTHONPATH": str(tree)}
    assert env["FOLDTABLE_PYTHON"] == "/opt/venv/bin/python", "the one that has the packages"
    env["FOLDTABLE_PYTHON"] = sys.executable

    def typed(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False, timeout=60)

    wanted = ("play", "magicative", "--save", str(tmp_path / "mine"))
    refused = typed(sys.executable, "-m", "bots", *wanted)
    (told,) = re.findall(r"(\S*foldtable) bots play --save", refused.stderr)
    done = typed(told, "bots", *wanted)
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "mine").glob("*.jsonl"))
    assert steps(IMAGE, "RUN", "ln -s /srv/foldtable/foldtable /usr/local/bin/foldtable")


def test_it_runs_as_a_user_that_is_not_root_and_has_a_health_check_of_python_s() -> None:
    user, group = IMAGE.last("USER").said.split(":")
    assert int(user) >= 1000 <= int(group)
    words = [step.word for step in IMAGE.steps]
    assert not {"RUN", "COPY"} & {*words[words.index("USER") :]}, "root has done all before"
    assert f"--uid {user} " in " ".join(steps(IMAGE, "RUN"))
    check, port = IMAGE.last("HEALTHCHECK").listed, IMAGE.last("EXPOSE").said
    assert check[:2] == ["python", "-c"]
    compile(check[2], "HEALTHCHECK", "exec")
    assert f":{port}/healthz" in check[2]
    assert port in IMAGE.last("CMD").listed


def test_the_root_is_read_only_and_nobody_becomes_more_than_they_are() -> None:
    for name in each(*OURS):
        service = SERVICES[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert [mount.partition(":")[0] for mount in service["tmpfs"]] == ["/tmp"]
        assert [volume.partition(":")[2] for volume in service["volumes"]] == ["/data"]
        assert not {"privileged", "user", "cap_add"} & set(service)


def test_of_each_part_there_are_two_and_one_of_each_store() -> None:
    ones = {name for name, service in SERVICES.items() if service.get("deploy", {}).get("replicas", 1) == 1}
    assert ones == {"foldtable", "mail", "postgres", "redis"}
    assert {name: SERVICES[name]["deploy"]["replicas"] for name in SERVICES.keys() - ones} == dict.fromkeys(PARTS, 2)


def test_everything_is_asked_for_its_health() -> None:
    image = {"test": ["CMD", *IMAGE.last("HEALTHCHECK").listed]}
    for name, service in SERVICES.items():
        check = service.get("healthcheck", image if service["image"] == "foldtable" else {})
        assert check.get("test"), name
        assert not check.get("disable"), name
    waits = SERVICES["worker"]["depends_on"]
    assert {name: how["condition"] for name, how in waits.items()} == dict.fromkeys(
        ("web", "postgres", "redis"), "service_healthy"
    )


def test_the_stores_are_entered_with_passwords_that_nobody_has_written_down() -> None:
    for name in PARTS:
        said = SERVICES[name]["environment"]
        assert said["FOLDTABLE_STORE"] == (
            "postgresql://foldtable:${FOLDTABLE_POSTGRES_PASSWORD:-}@postgres:5432/foldtable"
        )
    assert SERVICES["postgres"]["environment"]["POSTGRES_PASSWORD"] == "${FOLDTABLE_POSTGRES_PASSWORD:-}"
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"(?i)(password|auth)\w*: *['\"]?\w", text), "a password that stands there"


def test_only_the_webs_are_reached_from_outside_and_metrics_are_not() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {
        # this machine's, unless somebody says otherwise
        "foldtable": ["${FOLDTABLE_PUBLISH:-127.0.0.1}:8000:8000"],
        "web": ["127.0.0.1:8001-8002:8000"],
        "mail": ["127.0.0.1:8024:8024"],
    }
    metrics = {SERVICES[name]["environment"]["FOLDTABLE_METRICS"].rpartition(":")[2] for name in PARTS}
    assert metrics == {"9100"}
    for name in ("worker", "think", "follow", "deliver", "mail"):
        assert "127.0.0.1:9100/healthz" in SERVICES[name]["healthcheck"]["test"][-1]


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
        with connect(f"unix://:abc%3123@{tmp_path}/s") as found:
            assert TurnQueue(found).queue.get_job_ids() == []
            assert "abc123" not in "".join(processes(tmp_path).values())
            with connect(f"unix://{tmp_path}/s") as stranger, pytest.raises(redis.AuthenticationError):
                stranger.ping()
            found.shutdown(nosave=True)
    finally:
        process.communicate(timeout=30)
    for part in ("web", "worker", "think", "follow", "deliver"):
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


def test_no_profile_starts_what_belongs_to_another() -> None:
    named = {name: set(one.get("profiles", ())) for name, one in SERVICES.items()}
    assert all(named.values()), "a service without a profile starts with each of them"
    assert [name for name, profiles in named.items() if "alone" in profiles] == ["foldtable"]


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
