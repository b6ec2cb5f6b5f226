"""Writes docs/vectors.json: run `python docs/make_vectors.py`. Every run writes the same bytes."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# A script is run from its own folder: ours has to be on the path before what is imported from it.
sys.path.insert(0, str(ROOT))

import msgspec  # noqa: E402

from docs.key_vectors import keys, receipts  # noqa: E402
from domain import chance  # noqa: E402
from domain.chance import Verifiable  # noqa: E402
from events import chain  # noqa: E402
from events.chain import (  # noqa: E402
    Draft,
    Head,
    Stored,
)

TARGET = ROOT / "docs" / "vectors.json"

Vector = dict[str, Any]

SECRET = sha256(b"a secret that is in the documentation is none").digest()
NONCES = (sha256(b"brought by seat 0").digest(), b"")
SEED = chance.seed(SECRET, NONCES)
STREAM = "vectors"
PRIVATE = "vectors/seat:1"
AT = "2024-03-01T12:00:{:02}.{:03}Z"

Hidden = dict[str, tuple[list[int], Any]]
"""Path -> readers and value."""


def draft(type: str, actor: str, move: int, public: Any, hidden: Hidden | None = None) -> Draft:
    """Return an event: `public` is what everybody may read, `hidden` the hidden fields."""
    secret = {path: {"readers": readers, "value": value} for path, (readers, value) in (hidden or {}).items()}
    return Draft(
        type=type,
        schema=1,
        public=chain.encode_canonical(public),
        secret=chain.encode_canonical(secret),
        actor=actor,
        move=move,
    )


def private_log(*, has_orders: bool = False) -> tuple[Stored, ...]:
    """Return the private log of seat 1: an answer, between two events about an order if `has_orders`."""
    answer = {"answer": {"claim": "pair", "type": "Claim"}, "cause": "seat", "decision": 6}
    given: tuple[Draft, ...] = (draft("match/AnswerSealed", "seat:1", 2, answer),)
    if has_orders:
        before, after = (draft(f"match/{kind}", "seat:1", 0, {"order": 1}) for kind in ("OrderGiven", "OrderWithdrawn"))
        given = (before, *given, after)
    return chain.seal(Head(), PRIVATE, given, AT.format(7, 250), SECRET)


def drafts(*, has_orders: bool = False) -> tuple[Draft, ...]:
    """Return the events of a match of two seats, with hidden fields that no seat, one seat or all seats may read."""
    dealer = Verifiable(SEED, 0)
    deck = dealer.shuffle(("鶴", "月", "桜", "雨", "é", "x"))
    die = Verifiable(SEED, 2).roll()
    opened = {
        "game": "vectors",
        "options": {"deals": 1},
        "pack": "plain",
        "pack_hash": sha256(b"a pack").hexdigest(),
        "seats": 2,
        "secret": None,
        "version": 1,
    }
    sealed = next(one for one in private_log(has_orders=has_orders) if one.type == "match/AnswerSealed")
    answers: Hidden = {
        "answers.0": ([0], {"answer": "not asked", "sealed": None}),
        "answers.1": (
            [1],
            {"answer": {"claim": "pair", "type": "Claim"}, "sealed": sealed.hash.hex()},
        ),
    }
    dealt = {"hand": [None, None], "rest": [None, None], "seat": 1, "shown": list(deck[4:])}
    made = {"cause": "seat", "decision": 5, "move": {"card": None, "type": "Discard"}, "seat": 0}
    end = {"points": [3, -3], "ranking": [1, 2], "secret": SECRET.hex()}
    return (
        draft("match/Opened", "service", 0, opened, {"secret": ([], SECRET.hex())}),
        draft("match/SeatTaken", "seat:0", 0, {"nonce": NONCES[0].hex(), "seat": 0}),
        draft("match/SeatTaken", "seat:1", 0, {"nonce": "", "seat": 1}),
        draft("match/Started", "service", 0, {}),
        draft("vectors/Dealt", "service", 0, dealt, {"hand": ([1], deck[:2]), "rest": ([], deck[2:4])}),
        draft("match/MoveMade", "seat:0", 1, made, {"move.card": ([0, 1], deck[0])}),
        draft("match/AnswersClosed", "service", 2, {"answers": [None, None], "decision": 6}, answers),
        draft("vectors/Rolled", "service", 2, {"pips": die, "seat": 1}),
        draft("match/Finished", "service", 2, end),
    )


def events(*, has_orders: bool = False) -> tuple[Stored, ...]:
    """Return the match's stream, sealed in three appends."""
    head = Head()
    stored: tuple[Stored, ...] = ()
    told = drafts(has_orders=has_orders)
    for number, part in enumerate((told[:1], told[1:5], told[5:])):
        stored += chain.seal(head, STREAM, part, AT.format(number * 4, 7), SECRET)
        head = chain.head_of(stored)
    return stored


def shown(stored: Iterable[Stored], seat: int | None = None, *, is_open: bool = False) -> list[Vector]:
    """Return the events as a seat may read them, as a stranger (None), or with `is_open` as everybody after the end."""
    lines = (chain.encode_canonical(chain.show(event, seat, SECRET, is_open=is_open)) for event in stored)
    return [json.loads(line) for line in lines]


def rehash(lines: list[Vector]) -> list[Vector]:
    """Give the events hashes that fit, as a forger of a log would, and return them."""
    heads: dict[str, bytes] = {}
    for line in lines:
        covered = {name: value for name, value in line.items() if name not in {"hash", "secret"}}
        previous = heads.get(line["stream"], chain.GENESIS)
        heads[line["stream"]] = sha256(previous + chain.encode_canonical(covered)).digest()
        line["hash"] = heads[line["stream"]].hex()
    return lines


def exports() -> list[Vector]:
    """Return exports of a finished match with its private log: one that holds, and some that must be refused."""
    whole = events() + private_log()
    vectors: list[Vector] = [{"name": "the match", "events": shown(whole, is_open=True), "holds": True}]

    def wrong(name: str, change: Callable[[list[Vector]], object], *, fits: bool = False) -> None:
        lines = shown(whole, is_open=True)
        change(lines)
        vectors.append({"name": name, "events": rehash(lines) if fits else lines, "holds": False})

    wrong("another point", lambda lines: lines[8]["public"].update(points=[4, -4]))
    wrong("another time", lambda lines: lines[3].update(at=AT.format(4, 8)))
    wrong("another actor", lambda lines: lines[5].update(actor="clock"))
    wrong("another move", lambda lines: lines[7].update(move=1))
    wrong("another schema", lambda lines: lines[7].update(schema=2))
    wrong("another type", lambda lines: lines[7].update(type="vectors/Thrown"))
    wrong("another stream", lambda lines: [line.update(stream="victors") for line in lines[:9]])
    wrong("an event too few", lambda lines: lines.pop(3))
    wrong("two events in another order", lambda lines: lines.insert(1, lines.pop(2)))
    wrong("a first event too few", lambda lines: lines.pop(0))
    wrong("a commit too few", lambda lines: (lines[4]["commits"].pop("rest"), lines[4]["secret"].pop("rest")))
    wrong("another value", lambda lines: lines[5]["secret"]["move.card"].update(value="雨"))
    wrong("a nested value changed", lambda lines: lines[6]["secret"]["answers.1"]["value"].update(sealed=None))
    wrong("other readers", lambda lines: lines[5]["secret"]["move.card"].update(readers=[0]))
    wrong("another salt", lambda lines: lines[5]["secret"]["move.card"].update(salt="00" * 32))
    wrong("a commit that does not open", lambda lines: lines[4]["secret"].pop("rest"))
    wrong("a secret that was not committed", lambda lines: lines[4]["secret"].update(x=lines[4]["secret"]["hand"]))
    wrong("a hidden field that is never opened", lambda lines: lines[0]["secret"].clear())
    other = {"readers": [], "salt": "", "value": "00" * 32}
    wrong("another secret of the match", lambda lines: lines[0]["secret"].update(secret=other))
    wrong("another answer under seal", lambda lines: lines[9]["public"]["answer"].update(claim="run"))
    wrong("no private log", lambda lines: lines.pop(9))
    wrong("re-hashed: a gap", lambda lines: lines[8].update(version=10), fits=True)
    wrong("re-hashed: back in time", lambda lines: lines[8].update(at=AT.format(7, 999)), fits=True)
    wrong("re-hashed: a hidden field told", lambda lines: lines[4]["public"].update(rest=["x", None]), fits=True)
    wrong("re-hashed: a hidden field gone", lambda lines: lines[5]["public"]["move"].pop("card"), fits=True)
    wrong("re-hashed: another secret at the end", lambda lines: lines[8]["public"].update(secret="00" * 32), fits=True)
    wrong("re-hashed: no end", lambda lines: lines.pop(8), fits=True)
    wrong("re-hashed: another answer under seal", lambda lines: lines[9]["public"].update(answer={}), fits=True)
    return vectors


def orders() -> list[Vector]:
    """Return exports of the same match with orders in its private log: one that holds, and some that do not."""
    whole = shown(events(has_orders=True) + private_log(has_orders=True), is_open=True)
    wrong = (
        ("an order in the match's log", 7, "match/OrderGiven"),
        ("a move in a private log", 9, "match/MoveMade"),
        ("an order where an answer was", 10, "match/OrderGiven"),
    )
    vectors: list[Vector] = [{"name": "with orders around an answer", "events": whole, "holds": True}]
    for name, number, kind in wrong:
        lines = copy.deepcopy(whole)
        lines[number]["type"] = kind
        vectors.append({"name": f"re-hashed: {name}", "events": rehash(lines), "holds": False})
    return vectors


def views() -> list[Vector]:
    """Return the stream of the running match (without its last event) as a seat or a stranger (None) may read it."""
    running = events()[:-1]
    told_too_much = shown(running, 0)
    told_too_much[4]["secret"] = shown(running, 1)[4]["secret"]
    withheld = shown(running, 1)
    withheld[4]["secret"] = {}
    changed = shown(running, 1)
    changed[4]["secret"]["hand"]["value"].reverse()
    return [
        *({"seat": seat, "events": shown(running, seat), "holds": True} for seat in (0, 1, None)),
        {"name": "told what seat 1 may read", "seat": 0, "events": told_too_much, "holds": False},
        {"name": "not told what seat 1 may read", "seat": 1, "events": withheld, "holds": False},
        {"name": "told something else", "seat": 1, "events": changed, "holds": False},
    ]


def canonical_forms() -> list[Vector]:
    """Return values with their bytes, and bytes without a `value`, which are no canonical form."""
    values: tuple[Any, ...] = (
        None,
        [True, False, 0, -1, 1 - chain.SAFE, chain.SAFE - 1],
        {"b": 1, "a": {"d": [], "c": {}}, "B": "", "a1": "ab", "_": 0},
        '\x00\x01\b\t\n\x0b\f\r\x1f"\\/\x7f',
        # these are not in normal form C; for the last one there is a form C only since Unicode 16
        ["e\u0301", "\u30ab\u3099\u30a4\u30c8\u3099", "\u2126", "\U000105d2\u0307"],
        "é ß 三魔 \u2028 \u2029 \ufeff 😀 \U0010ffff",
        {"\x00": 1, "\x7f": 2, '"': 3, "/": 4, "move.card": 5},
    )
    refused = (
        *(b"1.0", b"1.5", b"1e3", b"-0", b"01", b"9007199254740992", b"-9007199254740992", b"NaN"),
        *(b'{"b":1,"a":2}', b'{"a":1,"a":1}', b'{"a": 1}', b"[1 ,2]", b" 1", b"1\n", b"[1,]", b"{", b""),
        *(b'"\\u00e9"', b'"\\/"', b'"\\u001F"', b'"\\ud800"', b'{"\xc3\xa9":1}', b'"\t"'),
        *(b'"\xff"', b'"\xed\xa0\x80"', b"\xef\xbb\xbf1"),
    )
    for data in refused:
        try:
            chain.decode_canonical(data)
        except chain.NotCanonical:
            continue
        raise AssertionError(f"{data!r} is canonical")
    return [
        *({"value": value, "bytes": chain.encode_canonical(value).hex(), "holds": True} for value in values),
        *({"bytes": data.hex(), "holds": False} for data in refused),
    ]


def commits() -> list[Vector]:
    """Return commits to values and to a match's secret, and one that does not fit."""
    values: tuple[Any, ...] = (None, 7, "鶴", ["鶴", "月"], {"answer": "not asked", "sealed": None})
    salt = chain.salt(SECRET, STREAM, 5, "hand")
    fitting = [
        {"salt": salt.hex(), "value": value, "commit": chain.commit_to(chain.encode_canonical(value), salt).hex()}
        for value in values
    ]
    fitting.append({"salt": "", "value": SECRET.hex(), "commit": sha256(SECRET).hexdigest()})
    return [*({**one, "holds": True} for one in fitting), {**fitting[0], "value": 0, "holds": False}]


def formulas() -> dict[str, list[Vector]]:
    """Return the vectors of salts, commits, nonces and seeds."""
    places = (
        (STREAM, 5, "hand"),
        (STREAM, 6, "move.card"),
        (STREAM, 7, "answers.1"),
        (PRIVATE, 10, "a.b.0"),
        (STREAM, 1, "secret"),
        (PRIVATE, 1, "secret"),
    )
    seats = ((b"", b""), NONCES, (NONCES[0], sha256(b"brought by seat 1").digest(), b""))
    return {
        "salts": [
            {
                "secret": SECRET.hex(),
                "stream": stream,
                "version": version,
                "field": path,
                "salt": chain.salt(SECRET, stream, version, path).hex(),
            }
            for stream, version, path in places
        ],
        "commits": commits(),
        "nonces": [
            {"secret": SECRET.hex(), "seat": seat, "nonce": chance.server_nonce(SECRET, seat).hex()}
            for seat in (0, 1, 10)
        ],
        "seeds": [
            {
                "secret": SECRET.hex(),
                "nonces": [nonce.hex() for nonce in nonces],
                "seed": chance.seed(SECRET, nonces).hex(),
            }
            for nonces in seats
        ],
    }


class Noting(Verifiable):
    """Draws like `Verifiable`, and notes the words that it uses."""

    __slots__ = ("words",)

    def __init__(self, seed: bytes, move: int) -> None:
        super().__init__(seed, move)
        self.words: list[int] = []
        self._words = self._noted(self._words)

    def _noted(self, words: Iterator[int]) -> Iterator[int]:
        for word in words:
            self.words.append(word)
            yield word


def draws() -> list[Vector]:
    """Return the draws of some moves in order, each with the words that it uses, including skipped ones."""
    vectors: list[Vector] = []
    plans: tuple[tuple[int, list[tuple[str, int]]], ...] = (
        (0, [("shuffle", 6), ("shuffle", 1), ("shuffle", 0), ("shuffle", 60)]),
        (2, [("roll", 6)] * 9),
        (
            17,
            [("below", k) for k in (1, 2, 10, 1 << 31, (1 << 31) + 1, (1 << 31) + 1, 3 << 30, (1 << 32) - 1, 1 << 32)],
        ),
        (123456, [("below", 1), ("roll", 6), ("shuffle", 9), ("below", 52), ("roll", 20)]),
    )
    for move, asked in plans:
        drawn, hand = [], Noting(SEED, move)
        for name, k in asked:
            hand.words = []
            result = hand.shuffle(tuple(range(k))) if name == "shuffle" else getattr(hand, name)(k)
            drawn.append({name: k, "words": hand.words, "result": result})
        vectors.append({"seed": SEED.hex(), "move": move, "draws": drawn, "holds": True})
    skipped = [one for one in vectors[2]["draws"] if len(one["words"]) > 1]
    assert skipped, "no word is skipped: choose another seed"
    wrong = msgspec.json.decode(msgspec.json.encode(vectors[3]))
    wrong["draws"][1]["result"] = wrong["draws"][1]["result"] % 6 + 1
    return [*vectors, {**wrong, "holds": False}]


def vectors() -> str:
    """Return the content of the file."""
    content: dict[str, str | list[Vector]] = {
        "about": 'Test vectors of docs/log.md. What has "holds": false must be refused.',
        "canonical": canonical_forms(),
        **formulas(),
        "draws": draws(),
        "exports": [*exports(), *orders()],
        "views": views(),
        "keys": keys(),
        "receipts": receipts(*shown(events()[-2:], is_open=True)),
    }
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {_lines(part)}" for name, part in content.items()) + "\n}\n"


def _lines(part: str | list[Vector]) -> str:
    """Return the vectors as JSON, one a line."""
    if isinstance(part, str):
        return json.dumps(part)
    return "[\n" + ",\n".join(json.dumps(vector) for vector in part) + "\n]"


if __name__ == "__main__":
    TARGET.write_text(vectors())
