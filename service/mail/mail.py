"""Makes the objects that send and receive mail."""

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
    """The arguments that sending and answering share."""

    store: Store
    views: Views
    lobby: Lobby
    tokens: MailTokens
    now: clock.Now


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """The objects that send and receive mail."""

    settings: MailSettings
    loop: DeliveryLoop
    """The loop that sends mails."""
    answering: Answering
    """The use case for mails that come in."""

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
        """Return all of it; None if no mail server is configured. `link`: see `service.mail.desk.Link`."""
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
