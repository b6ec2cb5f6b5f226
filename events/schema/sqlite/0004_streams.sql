-- The store of one service: streams of events, and what is written in the same transactions.
-- Bytes are the canonical ones, stored as they were hashed. Versions 1 to 3 were never released.
-- Every key begins with the partition of its match, so that an append keeps within one.

CREATE TABLE store (
    -- 1 on SQLite: one process writes
    partitions INTEGER NOT NULL
) STRICT;

INSERT INTO store (partitions) VALUES (1);

-- Clustered by stream: a stream is read in one run of pages.
CREATE TABLE events (
    partition INTEGER NOT NULL,
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
    position INTEGER NOT NULL,
    PRIMARY KEY (partition, stream, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX events_in_order ON events (partition, position);

-- The streams, by their first events.
CREATE INDEX streams ON events (partition, stream) WHERE version = 1;

CREATE TABLE commands (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- JSON: [[stream, first, last], ...]
    spans BLOB NOT NULL,
    PRIMARY KEY (partition, match, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    due TEXT NOT NULL,
    who TEXT NOT NULL,
    PRIMARY KEY (partition, match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX decisions_by_who ON decisions (partition, who);

CREATE INDEX decisions_by_due ON decisions (partition, due) WHERE due <> '';

CREATE TABLE positions (
    partition INTEGER NOT NULL,
    follower TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (partition, follower)
) STRICT, WITHOUT ROWID;

-- What came with imported matches beside their events: keys, receipts, what a fork goes on from.
CREATE TABLE proofs (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    proof BLOB NOT NULL,
    PRIMARY KEY (partition, match)
) STRICT, WITHOUT ROWID;

-- What is kept by name beside the streams, for whatever processes there are: packs, and the public keys.
CREATE TABLE kept (
    partition INTEGER NOT NULL,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (partition, name)
) STRICT, WITHOUT ROWID;
