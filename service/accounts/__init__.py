"""Accounts: players, names, tokens, passwords, sessions, mail addresses, passes, and people's bots."""

from __future__ import annotations

from service.accounts import logins, mailboxes, names, passwords
from service.accounts.granted import Revocations
from service.accounts.links import MailedLinks
from service.accounts.mailboxes import Mailboxes
from service.accounts.owned import OwnedBots
from service.accounts.passes import Passes, Signing, SignUps
from service.accounts.players import GRANTED, Accounts
from service.accounts.sessions import Sessions
from service.deeds import (
    ACCOUNT,
    ADMIN,
    BOT,
    CREATE,
    PLAY,
    READ,
    SCOPES,
    STRANGER,
    WEBHOOK,
    Asker,
    HouseTokens,
)
