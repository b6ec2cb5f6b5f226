"""The composition root: the one place that makes the service's objects and hands them to each other."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from datetime import timedelta

from domain.catalogue import Catalogue
from domain.game import Refusal
from events import stores
from events.keyring import Keyring, KeysUnusable, published
from events.store import OnCommit, Store, StoreError, StoreUnusable, StoreUnwritable
from replays.files.packs import Packs
from replays.log import OtherRules
from service import clock, folder
from service.accounts import Accounts, Mailboxes, OwnedBots, Passes, Revocations, Sessions, SignUps
from service.clocks import Firing, Leaving, Outages, Pausing, Vacations
from service.config import Config
from service.deeds import Front
from service.feeds import Feeds
from service.folder import HouseTokens
from service.health import health_of
from service.limits import Limits
from service.mail import Mail, MailTokens, Wishing
from service.matches import (
    Changes,
    Ending,
    Farewell,
    Films,
    Hesitation,
    Links,
    Lobby,
    Opener,
    Orders,
    Playing,
    Profiles,
    Progress,
    Reviews,
    SeatOffers,
    Seats,
    States,
    Views,
    startup,
    take_stock,
)
from service.problems import Problem
from service.signing import Signer
from service.store import Growth, History, Statistics, Timetable, proposals, schema
from service.streams import Streams
from service.talk import Talk
from service.telemetry import exposed_by_web
from service.wakeups import Bells, Listener, Players, Publisher, WaitingTokens, name_of, table_name
from service.webhooks import Hooks


class Service:
    """The service without its web: its parts, each made once and handed to those that use it.

    Nothing runs before `start`: `Service(...).seats.take(asker, match_id)` needs a store, and no process around it.
    """

    def __init__(
        self,
        config: Config,
        recorder: Store,
        lobby: Lobby,
        catalogue: Catalogue,
        packs: Packs,
        keyring: Keyring,
        tokens: HouseTokens,
        players: Players,
        publisher: Publisher | None,
        front: Front,
    ) -> None:
        self.config, self.recorder, self.lobby, self.catalogue = config, recorder, lobby, catalogue
        self.address = config.address
        self.packs, self.keyring, self.tokens = packs, keyring, tokens
        self.players, self.bells, self.publisher = players, players.bells, publisher
        self.front, self.limits = front, front.limits
        self.signer = Signer(tokens.secret)
        self.states = States(recorder, catalogue)
        self.hesitation = Hesitation(config.bot_pause, front.now, tokens.admin)
        self.changes = Changes(recorder, self.states, lobby, front, self.hesitation)
        self._make_accounts()
        self._make_matches()
        self._make_clocks()
        self._make_news()
        self.streams = Streams(recorder, lobby, self.views, players)

    def _make_accounts(self) -> None:
        """Make what knows who somebody is."""
        config, file = self.config, stores.file_of(self.config.store_url)
        # processes that share a file count revocations beside it; elsewhere the store itself is asked each time
        revocations = Revocations(file and file.with_name(f"{file.name}.revocations"))
        self.accounts = accounts = Accounts(self.recorder, self.front, self.tokens, revocations)
        self.sessions = Sessions(accounts)
        self.mailboxes = Mailboxes(accounts, self.sessions, self.signer, config.address)
        self.sign_ups = SignUps(accounts, self.sessions, self.mailboxes, config.sign_up)
        self.passes = Passes(accounts, config.sign_up, config.passes)
        self.owned_bots = OwnedBots(accounts)

    def _make_matches(self) -> None:
        """Make what opens matches, plays them and shows them."""
        recorder, lobby, states, changes = self.recorder, self.lobby, self.states, self.changes
        config, accounts, front = self.config, self.accounts, self.front
        self.seats = Seats(changes, lobby, accounts)
        parts = front, changes, self.catalogue, self.packs, states, lobby, accounts, self.seats, Timetable(recorder)
        self.opener = Opener(*parts, config.limits.open_matches, self._wake)
        self.ending = Ending(changes)
        pace = Hesitation(config.bot_pace, front.now, self.tokens.admin) if config.bot_pace else None
        self.playing = Playing(recorder, changes, states, lobby, self.hesitation, pace, front)
        self.views = Views(recorder, lobby, states, self.keyring)
        self.films = Films()
        self.reviews = Reviews(recorder, lobby, self.views, self.films, front)
        self.orders = Orders(recorder, changes, states, lobby, self.playing)
        self.links = Links(lobby, self.signer, front, self._wake)
        self.offers = SeatOffers(front, changes, lobby, accounts, self._wake_player, self._left)
        self.profiles = Profiles(accounts, lobby, History(recorder))
        self.statistics = Statistics(recorder)

    def _make_clocks(self) -> None:
        """Make what keeps the time, and what somebody does who is away or goes."""
        recorder, changes, lobby, config = self.recorder, self.changes, self.lobby, self.config
        self.firing = Firing(recorder, changes, self.states, self.front.now, self._left)
        self.pausing = Pausing(recorder, changes, timedelta(days=config.pause_days))
        self.vacations = Vacations(recorder, changes, config.vacation_days)
        self.leaving = Leaving(changes, Timetable(recorder), self._left)
        ways = self.seats, self.ending, self.leaving.resign
        self.farewell = Farewell(self.front, self.accounts, self.sessions, lobby, *ways)

    def _make_news(self) -> None:
        """Make the use cases of talk, and those of the channels."""
        self.talk = Talk(self.recorder, self.lobby, self.accounts, lambda match: self._wake(table_name(match)))
        self.webhooks = Hooks(self.recorder, self.front, self.signer, self.config.webhook_private)
        self.feeds = Feeds(self.recorder, self.front, self.catalogue)
        self.wishing = Wishing(self.recorder, self.lobby, MailTokens(self.signer), self.front)
        agree = {
            proposals.ABORT: self.ending.abort,
            proposals.PAUSE: self.pausing.pause,
            proposals.RESUME: self.pausing.resume,
        }
        replies = self.playing, self.seats, self.offers, agree
        link = self.mailboxes.of_letter
        self.mail = Mail.of(self.config, self.catalogue, self.views, replies, self.wishing, link)
        """None if no mail server is set."""

    def _left(self, match_id: str) -> None:
        """Do what all who still play have agreed to, after a player resigned or left the seat to a bot."""
        for settle in (self.ending.settle, self.offers.settle, self.pausing.settle):
            # one may not be possible now, and what it follows is done
            with suppress(Problem, Refusal, OtherRules):
                settle(match_id)

    def _wake(self, name: str) -> None:
        """Wake those who wait for a match or listen to a table's talk, here and in other processes, and nobody else."""
        self.bells.ring([name])
        if self.publisher:
            self.publisher.publish([name])

    def _wake_player(self, player: str) -> None:
        """Wake the player's requests, here and in other processes, which may remember who had the seat before."""
        self.players.tell([name_of(player)])
        if self.publisher:
            self.publisher.publish([name_of(player)])

    def start(self) -> None:
        """Make the objects with threads of their own: those that wake waiting requests, metrics and health."""
        config, bells, now = self.config, self.bells, self.front.now
        self.waiting_tokens = WaitingTokens(bells, self.accounts.lost)
        self.accounts.when_forgotten = self.waiting_tokens.look_soon
        self.listener = Listener(config.redis, self.players.tell, Growth(self.recorder).since)
        self.metrics = ExitStack()
        self.metrics.enter_context(exposed_by_web(config.metrics, lambda: bells.waiting, self._is_over))
        self.health = health_of(
            config, self.recorder, lambda: bells.is_closed, lambda: self.keyring.check(clock.stamp(now()))
        )

    def _is_over(self, match_id: str) -> bool:
        """Return whether the match is over, or no longer there."""
        entry = self.lobby.find(match_id)
        return entry is None or entry.is_over

    def close(self) -> None:
        """Close every part; whoever waits is answered."""
        woken = self.bells, self.waiting_tokens, self.listener, self.players
        for part in (*woken, self.limits, self.metrics, self.health, self.recorder, self.keyring):
            part.close()
        if self.publisher:
            self.publisher.close()


def build(
    config: Config,
    *,
    catalogue: Catalogue | None = None,
    now: clock.Now = clock.now,
    progress: Progress = lambda: None,
) -> Service:
    """Return the service on its store, which is made if there is none; once a process, and not before it forks.

    `progress` is called again and again while stock is taken.

    Raises:  StoreUnusable, by its kinds, RulesGone before anything is written; PackError for a pack of the operator's
             that can't be played with.
    """
    catalogue = catalogue or Catalogue()
    startup.check_rules(config.store_url, catalogue, may_take_over=config.take_over)
    tokens = folder.prepare(config)
    players, publisher = Players(Bells()), Publisher(config.redis) if config.redis else None

    def committed(streams: frozenset[str]) -> None:
        players.tell(streams)
        if publisher:
            publisher.publish(streams)

    recorder = open_store(config, committed if publisher else players.tell)
    lobby = Lobby(recorder)
    players.find = lobby.find
    with ExitStack() as undo:
        undo.push(lambda kind, *_: recorder.close() if kind else None)
        packs, keyring = Packs(catalogue, config.packs, recorder), open_keys(config, recorder, lobby, now)
        for error in packs.refresh():
            raise error
        take_stock(recorder, catalogue, lobby, States(recorder, catalogue), progress)
        Outages(recorder, now).begin()
    front = Front(recorder, now, Limits(config.limits, config.redis))
    service = Service(config, recorder, lobby, catalogue, packs, keyring, tokens, players, publisher, front)
    service.start()
    return service


def open_keys(config: Config, recorder: Store, found: Lobby, now: clock.Now) -> Keyring:
    """Return the keys that sign receipts, the first made if nothing was signed in this store. Raises KeysUnusable."""
    # the store is asked first: another process that starts now makes the file before it signs
    if (published(recorder) or not found.is_empty()) and not config.keys.exists():
        raise KeysUnusable(
            f"{config.keys}: there is no file of keys, and the store has matches or keys that it signed: put back"
            " a copy of it, or declare it lost (./foldtable service rotate-key --lost)"
        )
    keyring = Keyring.open(config.keys, clock.stamp(now()), recorder)
    keyring.check(clock.stamp(now()))
    return keyring


def open_store(config: Config, on_commit: OnCommit | None = None) -> Store:
    """Return the store with the service's own tables, made or migrated. Raises StoreUnusable, by its kinds."""
    name = stores.name_of(config.store_url)
    recorder = stores.open_to_write(config.store_url, on_commit=on_commit)
    try:
        schema.prepare(recorder, name)
        schema.check_whole(recorder, name)
    except BaseException as error:
        recorder.close()
        if isinstance(error, StoreError) and not isinstance(error, StoreUnusable):
            raise StoreUnwritable(f"{name} can't be used: {error}") from error
        raise
    return recorder
