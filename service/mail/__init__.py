"""Matches by mail: notices and letters go out through an SMTP server, and players reply with their moves."""

from __future__ import annotations

from service.mail.answering import MailReceiver
from service.mail.incoming import MailListener
from service.mail.sending import Mail, Unreachable, connected
from service.mail.settings import Wishing, place_of, relay_of
from service.mail.situation import MailTokens
from service.mail.words import title_of, word
