"""The composition root: the one place that makes the service's objects and hands them to each other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bots import BOTS
from domain.catalogue import Catalogue
from events import stores
from events.keyring import Keyring, KeysUnusable
from events.published import PublishedKeyring, published
from events.store import OnCommit, Store, StoreError, StoreUnusable, StoreUnwritable
from replays.files.packs import Packs
from service import clock, folder
from service.accounts import (
    Accounts,
    HouseTokens,
    Mailboxes,
    MailedLinks,
    OwnedBots,
    Passes,
    Revocations,
    Sessions,
    SignUps,
)
from service.clocks import Firing, Leaving, Outages, Pausing, Vacations
from service.config import Config
from service.feeds import Feeds
from service.health import Health, health_of
from service.limits import Limits
from service.mail import Mail, MailTokens, Wishing
from service.matches import (
    Changes,
    Ending,
    Farewell,
    Films,
    Hesitation,
    Invitations,
    Links,
    Lobby,
    Opener,
    Orders,
    Playing,
    Profiles,
    Progress,
    Rematches,
    SeatOffers,
    Seats,
    States,
    Turns,
    Views,
    pace,
    take_stock,
    takeover,
)
from service.signing import Signer
from service.store import Growth, History, Requests, Statistics, Timetable, offers, schema
from service.streams import Streams
from service.talk import Talk
from service.telemetry import Watch
from service.wakeups import Bells, Listener, Players, Publisher, WaitingTokens
from service.webhooks import Hooks


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The service without its web."""

    config: Config
    recorder: Store
    keyring: Keyring
    catalogue: Catalogue
    packs: Packs
    accounts: Accounts
    signer: Signer
    requests: Requests
    lobby: Lobby
    states: States
    changes: Changes
    opener: Opener
    seats: Seats
    playing: Playing
    ending: Ending
    invitations: Invitations
    views: Views
    films: Films
    turns: Turns
    bells: Bells
    players: Players
    streams: Streams
    health: Health
    limits: Limits
    publisher: Publisher | None
    listener: Listener
    waiting_tokens: WaitingTokens
    watch: Watch

    @property
    def firing(self) -> Firing:
        """How what is due is done."""
        return Firing(self.recorder, self.changes, self.states, clock.now)

    @property
    def pausing(self) -> Pausing:
        """How time is stopped in a match."""
        longest = timedelta(days=self.config.pause_days)
        return Pausing(self.recorder, self.changes, self.lobby, self.requests, clock.now, longest)

    @property
    def vacations(self) -> Vacations:
        """When players are away."""
        return Vacations(self.recorder, self.changes, self.requests, clock.now, self.config.vacation_days)

    @property
    def leaving(self) -> Leaving:
        """How seats are given up, left to a bot and taken back."""
        return Leaving(self.changes, self.lobby, self.requests, Timetable(self.recorder), clock.now)

    @property
    def sessions(self) -> Sessions:
        """How people log in."""
        return Sessions(self.accounts)

    @property
    def mailed_links(self) -> MailedLinks:
        """The links in mails about an account."""
        return MailedLinks(self.accounts, self.signer, self.config.address)

    @property
    def mailboxes(self) -> Mailboxes:
        """The mail addresses of accounts."""
        return Mailboxes(self.accounts, self.sessions, self.mailed_links, self.signer)

    @property
    def sign_ups(self) -> SignUps:
        """How people come in."""
        return SignUps(self.accounts, self.sessions, self.mailboxes, self.config.sign_up)

    @property
    def passes(self) -> Passes:
        """What lets others sign up."""
        return Passes(self.accounts, self.requests, self.config.sign_up, self.config.passes)

    @property
    def owned_bots(self) -> OwnedBots:
        """Bot accounts that people have made."""
        return OwnedBots(self.accounts)

    @property
    def farewell(self) -> Farewell:
        """How somebody goes for good."""
        ways = self.seats, self.invitations, self.ending, self.leaving.resign
        return Farewell(self.accounts, self.sessions, self.lobby, *ways)

    @property
    def profiles(self) -> Profiles:
        """What everybody may look at of a player."""
        return Profiles(self.accounts, self.lobby, History(self.recorder))

    @property
    def orders(self) -> Orders:
        """What seats leave to be played for them."""
        return Orders(*(self.recorder, self.changes, self.states, self.lobby, self.playing, self.views, self.requests))

    @property
    def statistics(self) -> Statistics:
        """What is counted of finished matches."""
        return Statistics(self.recorder)

    @property
    def links(self) -> Links:
        """Matches that are found by a link."""
        return Links(self.recorder, self.lobby, self.signer)

    @property
    def rematches(self) -> Rematches:
        """Matches that are played once more."""
        return Rematches(self.opener, self.states, self.lobby, self.accounts, Timetable(self.recorder))

    @property
    def webhooks(self) -> Hooks:
        """What accounts want to be told, and where."""
        return Hooks(self.recorder, self.requests, self.signer, self.config.webhook_private, self.requests.now)

    @property
    def feeds(self) -> Feeds:
        """What players read of their turns in a feed reader."""
        return Feeds(self.recorder, self.lobby, self.catalogue, self.config.address)

    @property
    def mail(self) -> Mail | None:
        """Mails out and in; None where no server is named that takes them."""
        return Mail.of(
            self.config,
            store=self.recorder,
            catalogue=self.catalogue,
            lobby=self.lobby,
            playing=self.playing,
            views=self.views,
            seats=self.seats,
            invitations=self.invitations,
            signer=self.signer,
            limits=self.limits,
            link=self.mailed_links.of_letter,
        )

    @property
    def wishing(self) -> Wishing:
        """What players want by mail."""
        return Wishing(self.recorder, self.lobby, MailTokens(self.signer), clock.now)

    @property
    def offers(self) -> SeatOffers:
        """Seats that are passed on."""
        kept = offers.Offers(self.recorder)
        return SeatOffers(self.changes, kept, self.lobby, self.accounts, self.requests)

    @property
    def talk(self) -> Talk:
        """What is said at tables."""
        return Talk(self.recorder, self.lobby, self.accounts, self.requests)

    def close(self) -> None:
        """Let go of everything; whoever waits is answered."""
        self.bells.close()
        self.waiting_tokens.close()
        self.listener.close()
        self.players.close()
        self.limits.close()
        self.watch.close()
        self.health.close()
        self.films.close()
        self.recorder.close()
        self.keyring.close()
        if self.publisher:
            self.publisher.close()


def build(
    config: Config,
    *,
    catalogue: Catalogue | None = None,
    now: clock.Now = clock.now,
    progress: Progress = lambda: None,
) -> Service:
    """The service on its store, which is made if there is none; once a process, and not before it forks. `progress` is
    called again and again while stock is taken.

    Raises:  StoreUnusable, by its kinds, RulesGone before anything is written; PackError for a pack of the operator's
             that can't be played with.
    """
    tokens, catalogue = _prepared(config, catalogue or Catalogue())
    players, publisher = Players(Bells()), Publisher(config.redis) if config.redis else None
    recorder = open_store(config, _teller(players, publisher))
    found, states, asked = Lobby(recorder), States(recorder, catalogue), Requests(recorder, now)
    players.find = found.find
    changes, paces = Changes(recorder, states, found, now), _paces(config, now, tokens.admin)
    accounts = Accounts(recorder, asked, now, tokens, revocations(config))
    invitations = Invitations(changes, found, accounts, asked)
    with ExitStack() as undo:
        undo.push(lambda kind, *_: recorder.close() if kind else None)
        packs, keyring = read_packs(config, catalogue, recorder), open_keys(config, recorder, found, now)
        take_stock(recorder, catalogue, found, states, progress)
        Outages(recorder, now).begin()
    return Service(
        config=config,
        recorder=recorder,
        keyring=keyring,
        catalogue=catalogue,
        packs=packs,
        accounts=accounts,
        signer=Signer(tokens.secret),
        requests=asked,
        lobby=found,
        states=states,
        changes=changes,
        opener=Opener(changes, catalogue, packs, states, found, accounts, invitations, asked, BOTS, config.limits, now),
        **_changing(changes, found, asked, invitations),
        **_tables(recorder, Playing(changes, states, asked), views := Views(recorder, found, states, keyring, *paces)),
        streams=Streams(recorder, found, views, players),
        limits=Limits(config.limits, config.redis),
        **_watched(config, recorder, players.bells, found, lambda: keyring.check(clock.stamp(now()))),
        **_woken(config, recorder, accounts, players, publisher),
    )


def _watched(
    config: Config, recorder: Store, bells: Bells, found: Lobby, check_keys: Callable[[], object]
) -> dict[str, Any]:
    """What an operator sees of the service."""
    watch = Watch("web", config.metrics, lambda: bells.waiting, lambda match: is_over(found, match))
    return {"health": health_of(config, recorder, bells, check_keys), "watch": watch}


def _woken(
    config: Config, recorder: Store, accounts: Accounts, players: Players, publisher: Publisher | None
) -> dict[str, Any]:
    """Who waits, and who hears of what was written and revoked."""
    tokens = WaitingTokens(players.bells, accounts.lost)
    accounts.when_forgotten = tokens.look_soon
    listener = Listener(config.redis, players.tell, Growth(recorder).since)
    return {
        "bells": players.bells,
        "players": players,
        "publisher": publisher,
        "listener": listener,
        "waiting_tokens": tokens,
    }


def revocations(config: Config) -> Revocations:
    """Where processes count them that share a store on SQLite; the store itself is asked each time where it is not."""
    file = stores.file_of(config.store_url)
    return Revocations(file and file.with_name(f"{file.name}.revocations"))


def _changing(changes: Changes, found: Lobby, asked: Requests, invitations: Invitations) -> dict[str, Any]:
    """Use cases that need nothing else."""
    seats, ending = Seats(changes, found, asked), Ending(changes, found, asked)
    return {"seats": seats, "ending": ending, "invitations": invitations}


def _tables(recorder: Store, playing: Playing, views: Views) -> dict[str, Any]:
    """How matches are played and looked at, by people and by bots."""
    return {"playing": playing, "views": views, "films": Films(), "turns": Turns(recorder, playing, views)}


def is_over(found: Lobby, match_id: str) -> bool:
    """Whether the match is over, or not there any longer."""
    entry = found.find(match_id)
    return entry is None or entry.is_over


def _paces(config: Config, now: clock.Now, secret: str) -> tuple[Hesitation, Hesitation | None]:
    """How long bots take over an answer under seal, and over any other; None: as long as they need."""
    return Hesitation(config.bot_pause, now, secret), pace(config.bot_pace, now, secret)


def _prepared(config: Config, catalogue: Catalogue) -> tuple[HouseTokens, Catalogue]:
    """The tokens of the folder, made ready for a store whose matches these games can play on. Raises StoreUnusable."""
    takeover.check(config.store_url, catalogue, may_take_over=config.take_over)
    return folder.prepare(config), catalogue


def _teller(players: Players, publisher: Publisher | None) -> OnCommit:
    """Whoever waits for matches is woken when they were written to, and so are the followers."""

    def committed(streams: frozenset[str]) -> None:
        players.tell(streams)
        if publisher:
            publisher.publish(streams)

    return committed


def read_packs(config: Config, catalogue: Catalogue, recorder: Store) -> Packs:
    """The packs of operator and store, in the catalogue. Raises PackError, StoreError."""
    packs = Packs(catalogue, config.packs, recorder)
    for error in packs.refresh():
        raise error
    return packs


def open_keys(config: Config, recorder: Store, found: Lobby, now: clock.Now = clock.now) -> PublishedKeyring:
    """The keys that sign receipts. The first one is made if there is none, and no service has signed anything here.

    Raises:  KeysUnusable.
    """
    if not config.keys.exists() and (published(recorder) or not found.is_empty()):
        raise KeysUnusable(
            f"{config.keys}: there is no file of keys, and the store has matches or keys that it signed: put back"
            " a copy of it, or declare it lost (python -m service rotate-key --lost)"
        )
    keyring = PublishedKeyring.in_store(recorder, config.keys, clock.stamp(now()))
    keyring.check(clock.stamp(now()))
    return keyring


def open_store(config: Config, on_commit: OnCommit | None = None) -> Store:
    """The store with the service's own tables in it, made or migrated. Raises StoreUnusable, by its kinds."""
    name = stores.name_of(config.store_url)
    recorder = stores.open_to_write(config.store_url, on_commit=on_commit)
    try:
        schema.prepare(recorder, name)
        if schema.is_half_copied(recorder):
            raise StoreUnusable(f"{name} is copied into by halves: say service copy again")
    except StoreUnusable:
        recorder.close()
        raise
    except StoreError as error:
        recorder.close()
        raise StoreUnwritable(f"{name} can't be used: {error}") from error
    except BaseException:
        recorder.close()
        raise
    return recorder
