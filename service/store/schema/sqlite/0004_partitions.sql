-- Every key of a table that belongs to matches begins with the partition, as the log's do, and so does that of requests.
-- Tokens are numbered in their order.

ALTER TABLE matches RENAME TO matches_3;

CREATE TABLE matches (
    partition INTEGER NOT NULL,
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    visibility TEXT NOT NULL,
    creator TEXT,
    created TEXT NOT NULL,
    PRIMARY KEY (partition, id)
) STRICT;

INSERT INTO matches SELECT 0, id, game, status, visibility, creator, created FROM matches_3;

CREATE INDEX matches_by_moment ON matches (partition, created, id);

ALTER TABLE seats RENAME TO seats_3;

CREATE TABLE seats (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT,
    bot TEXT,
    reserved TEXT,
    PRIMARY KEY (partition, match, seat),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

INSERT INTO seats SELECT 0, match, seat, player, bot, reserved FROM seats_3;

DROP TABLE seats_3;

CREATE INDEX seats_by_player ON seats (partition, player);

CREATE INDEX seats_by_reserved ON seats (partition, reserved);

ALTER TABLE agreements RENAME TO agreements_3;

CREATE TABLE agreements (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (partition, match, seat),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

INSERT INTO agreements SELECT 0, match, seat FROM agreements_3;

DROP TABLE agreements_3;

ALTER TABLE sittings RENAME TO sittings_3;

CREATE TABLE sittings (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    player TEXT NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (partition, match, player),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

INSERT INTO sittings SELECT 0, match, player, times FROM sittings_3;

DROP TABLE sittings_3;

ALTER TABLE declined RENAME TO declined_3;

CREATE TABLE declined (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (partition, match, player),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

INSERT INTO declined SELECT 0, match, player FROM declined_3;

DROP TABLE declined_3;

DROP TABLE matches_3;

ALTER TABLE requests RENAME TO requests_3;

CREATE TABLE requests (
    partition INTEGER NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    answer TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (partition, id)
) STRICT;

INSERT INTO requests SELECT 0, id, digest, answer, at FROM requests_3;

DROP TABLE requests_3;

CREATE INDEX requests_by_age ON requests (partition, at);

ALTER TABLE tokens ADD COLUMN number INTEGER;

UPDATE tokens SET number = rowid;
