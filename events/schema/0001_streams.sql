-- The store of one service: streams of events, and what is written in the same transactions.
-- Bytes are the canonical ones, stored as they were hashed.

CREATE TABLE store (
    -- 1 on SQLite: one process writes
    partitions INTEGER NOT NULL
) STRICT;

INSERT INTO store (partitions) VALUES (1);

-- Clustered by stream: a stream is read in one run of pages.
CREATE TABLE events (
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    schema INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    move INTEGER NOT NULL,
    public BLOB NOT NULL,
    secret BLOB NOT NULL,
    commits BLOB NOT NULL,
    hash BLOB NOT NULL,
    partition INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX events_in_order ON events (partition, position);

-- The streams, by their first events.
CREATE INDEX streams ON events (stream) WHERE version = 1;

CREATE TABLE commands (
    id TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    -- JSON: [[stream, first, last], ...]
    spans BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    due TEXT NOT NULL,
    who TEXT NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX decisions_by_who ON decisions (who);

CREATE INDEX decisions_by_due ON decisions (due) WHERE due <> '';

CREATE TABLE positions (
    follower TEXT NOT NULL,
    partition INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (follower, partition)
) STRICT, WITHOUT ROWID;
