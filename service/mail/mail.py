"""All of mail, made of the service's parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from domain.catalogue import Catalogue
from domain.game import Lang
from events.store import Store
from service import clock
from service.config import Config
from service.limits import Limits
from service.mail.answering import Answering
from service.mail.channel import MailChannel
from service.mail.desk import Desk, Link
from service.mail.settings import MailSettings, settings_of
from service.mail.tokens import MailTokens
from service.mail.wishing import Wishing
from service.matches import Invitations, Lobby, Playing, Seats, Views
from service.outbox import DeliveryLoop
from service.signing import Signer


class _Shared(TypedDict):
    """What both directions need."""

    store: Store
    views: Views
    lobby: Lobby
    tokens: MailTokens
    now: clock.Now


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """Mails that go out, and those that come in."""

    settings: MailSettings
    loop: DeliveryLoop
    """Sends."""
    answering: Answering

    @classmethod
    def of(
        cls,
        config: Config,
        *,
        store: Store,
        catalogue: Catalogue,
        lobby: Lobby,
        playing: Playing,
        views: Views,
        seats: Seats,
        invitations: Invitations,
        wishing: Wishing,
        signer: Signer,
        limits: Limits,
        link: Link = lambda letter: None,
        now: clock.Now = clock.now,
    ) -> Mail | None:
        """All of it; None where no server is named that takes mails. `link`: see `service.mail.desk.Link`."""
        settings = settings_of(config)
        if settings is None:
            return None
        tokens = MailTokens(signer)

        def title(game: str, lang: Lang) -> str:
            return catalogue.game(game).title[lang]

        shared = _Shared(store=store, views=views, lobby=lobby, tokens=tokens, now=now)
        desk = Desk(**shared, limits=limits, settings=settings, titles=title, link=link)
        answering = Answering(
            **shared,
            playing=playing,
            seats=seats,
            invitations=invitations,
            wishing=wishing,
            domain=settings.domain,
        )
        loop = DeliveryLoop(store, MailChannel(store, desk, settings, now), now)
        return cls(settings=settings, loop=loop, answering=answering)
