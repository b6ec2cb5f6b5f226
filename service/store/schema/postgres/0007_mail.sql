-- Mail: what is to be sent, to whom, and what came back. A due moment of '' is never.
CREATE TABLE outbox (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    player text COLLATE "C",
    address text COLLATE "C" NOT NULL,
    lang text COLLATE "C" NOT NULL,
    about text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    due text COLLATE "C" NOT NULL,
    tries integer NOT NULL
);

CREATE INDEX outbox_by_due ON outbox (due);

-- What a player wants by mail, and whether their address takes it.
CREATE TABLE mailing (
    player text COLLATE "C" NOT NULL PRIMARY KEY,
    address text COLLATE "C" NOT NULL,
    lang text COLLATE "C" NOT NULL,
    turns text COLLATE "C" NOT NULL,
    news integer NOT NULL,
    hour integer NOT NULL,
    zone text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    stopped text COLLATE "C" NOT NULL,
    bounces integer NOT NULL,
    answers integer NOT NULL,
    answers_since text COLLATE "C" NOT NULL
);

CREATE INDEX mailing_by_digest ON mailing (digest);

-- Matches of which a player wants no mail.
CREATE TABLE quiet (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, player)
);

-- What is to be told of a match to whoever sits on a seat: at most one of a kind, the newest.
CREATE TABLE tidings (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    player text COLLATE "C" NOT NULL,
    since integer NOT NULL,
    at text COLLATE "C" NOT NULL,
    due text COLLATE "C" NOT NULL,
    tries integer NOT NULL,
    PRIMARY KEY (partition, match, kind, seat)
);

CREATE INDEX tidings_by_due ON tidings (partition, due);
