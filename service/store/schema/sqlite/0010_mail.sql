-- Mail: what is to be sent, to whom, and what came back. A due moment of '' is never.
CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    player TEXT,
    address TEXT NOT NULL,
    lang TEXT NOT NULL,
    about TEXT NOT NULL,
    at TEXT NOT NULL,
    due TEXT NOT NULL,
    tries INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_by_due ON outbox (due);

-- What a player wants by mail, and whether their address takes it.
CREATE TABLE mailing (
    player TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    lang TEXT NOT NULL,
    turns TEXT NOT NULL,
    news INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    zone TEXT NOT NULL,
    digest TEXT NOT NULL,
    stopped TEXT NOT NULL,
    bounces INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    answers_since TEXT NOT NULL
) STRICT;

CREATE INDEX mailing_by_digest ON mailing (digest);

-- Matches of which a player wants no mail.
CREATE TABLE quiet (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (partition, match, player)
) STRICT;

-- What is to be told of a match to whoever sits on a seat: at most one of a kind, the newest.
CREATE TABLE tidings (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    since INTEGER NOT NULL,
    at TEXT NOT NULL,
    due TEXT NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (partition, match, kind, seat)
) STRICT;

CREATE INDEX tidings_by_due ON tidings (partition, due);
