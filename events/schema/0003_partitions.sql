-- Every key begins with the partition of its match, and all that an append touches has one: a store of many partitions
-- keeps an append within one of them. A command is one of its match.

DROP INDEX events_in_order;
DROP INDEX streams;
ALTER TABLE events RENAME TO events_2;

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

INSERT INTO events
SELECT partition, stream, version, type, schema, at, actor, move, public, secret, commits, hash, position
FROM events_2 ORDER BY stream, version;

DROP TABLE events_2;

CREATE UNIQUE INDEX events_in_order ON events (partition, position);

-- The streams, by their first events.
CREATE INDEX streams ON events (partition, stream) WHERE version = 1;

ALTER TABLE commands RENAME TO commands_2;

CREATE TABLE commands (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- JSON: [[stream, first, last], ...]
    spans BLOB NOT NULL,
    PRIMARY KEY (partition, match, id)
) STRICT, WITHOUT ROWID;

-- The match of a command is that of the streams it wrote to. One that wrote nothing may be repeated.
INSERT INTO commands
SELECT 0, substr(stream, 1, instr(stream || '/', '/') - 1), id, digest, spans
FROM (SELECT *, json_extract(CAST(spans AS TEXT), '$[0][0]') AS stream FROM commands_2) WHERE stream IS NOT NULL;

DROP TABLE commands_2;

DROP INDEX decisions_by_who;
DROP INDEX decisions_by_due;
ALTER TABLE decisions RENAME TO decisions_2;

CREATE TABLE decisions (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    due TEXT NOT NULL,
    who TEXT NOT NULL,
    PRIMARY KEY (partition, match, seat)
) STRICT, WITHOUT ROWID;

INSERT INTO decisions SELECT 0, match, seat, since, due, who FROM decisions_2;

DROP TABLE decisions_2;

CREATE INDEX decisions_by_who ON decisions (partition, who);

CREATE INDEX decisions_by_due ON decisions (partition, due) WHERE due <> '';

ALTER TABLE positions RENAME TO positions_2;

CREATE TABLE positions (
    partition INTEGER NOT NULL,
    follower TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (partition, follower)
) STRICT, WITHOUT ROWID;

INSERT INTO positions SELECT partition, follower, position FROM positions_2;

DROP TABLE positions_2;

ALTER TABLE proofs RENAME TO proofs_2;

CREATE TABLE proofs (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    proof BLOB NOT NULL,
    PRIMARY KEY (partition, match)
) STRICT, WITHOUT ROWID;

INSERT INTO proofs SELECT 0, match, proof FROM proofs_2;

DROP TABLE proofs_2;
