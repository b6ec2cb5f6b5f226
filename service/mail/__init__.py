"""Matches by mail: notices and letters go out through an SMTP server, and players reply with their moves."""

from __future__ import annotations

from service.mail.listener import MailListener, MailReceiver
from service.mail.mail import Mail
from service.mail.sending import Unreachable, connected
from service.mail.settings import place_of, settings_of
from service.mail.tokens import MailTokens
from service.mail.wishing import Wishing
from service.mail.words import word
