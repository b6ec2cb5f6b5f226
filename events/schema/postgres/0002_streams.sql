-- The store of one service: streams of events, and what is written in the same transactions.
-- Bytes are the canonical ones, stored as they were hashed. Texts are ordered by their code points.
-- Every key begins with the partition, and no foreign key reaches across two. Version 1 was never released.

CREATE TABLE store (
    -- fixed when the store is made
    partitions integer NOT NULL,
    -- the number of the script that was run last
    schema integer NOT NULL
);

CREATE TABLE events (
    partition integer NOT NULL,
    stream text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    type text COLLATE "C" NOT NULL,
    schema integer NOT NULL,
    at text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    move integer NOT NULL,
    public bytea NOT NULL,
    secret bytea NOT NULL,
    commits bytea NOT NULL,
    hash bytea NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (partition, stream, version)
);

CREATE UNIQUE INDEX events_in_order ON events (partition, position);

-- The streams, by their first events.
CREATE INDEX streams ON events (partition, stream) WHERE version = 1;

CREATE TABLE commands (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    -- JSON: [[stream, first, last], ...]
    spans bytea NOT NULL,
    PRIMARY KEY (partition, match, id)
);

CREATE TABLE decisions (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    since integer NOT NULL,
    due text COLLATE "C" NOT NULL,
    who text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, seat)
);

CREATE INDEX decisions_by_who ON decisions (partition, who);

CREATE INDEX decisions_by_due ON decisions (partition, due) WHERE due <> '';

CREATE TABLE positions (
    partition integer NOT NULL,
    follower text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (partition, follower)
);

-- What came with imported matches beside their events: keys, receipts, what a fork goes on from.
CREATE TABLE proofs (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    proof bytea NOT NULL,
    PRIMARY KEY (partition, match)
);

-- What is kept by name beside the streams, for whatever processes there are: packs, and the public keys.
CREATE TABLE kept (
    partition integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (partition, name)
);
