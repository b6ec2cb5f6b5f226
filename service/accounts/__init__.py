"""Accounts: players, names, tokens, passwords, sessions, mail addresses, passes, and people's bots."""

from service.accounts import mailboxes, names, passwords
from service.accounts.mailboxes import Mailboxes
from service.accounts.names import GUEST, GUESTS, Unsuitable, called, guest_name
from service.accounts.passes import OwnedBots, Passes, Signing, SignUps
from service.accounts.players import GRANTED, Accounts, Revocations
from service.accounts.sessions import Sessions
from service.deeds import ACCOUNT, ADMIN, BOT, CREATE, PLAY, READ, SCOPES, STRANGER, WEBHOOK, Asker
