-- The service's own tables. Texts are ordered by their code points.
-- Every key of a table that belongs to matches begins with the partition, as the log's do, and so does that of requests.

CREATE TABLE players (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    email text COLLATE "C",
    created text COLLATE "C" NOT NULL
);

CREATE TABLE tokens (
    hash text COLLATE "C" NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL REFERENCES players (id),
    name text COLLATE "C" NOT NULL,
    scopes text COLLATE "C" NOT NULL,
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C",
    number integer
);

CREATE INDEX tokens_by_player ON tokens (player);

CREATE TABLE matches (
    partition integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    visibility text COLLATE "C" NOT NULL,
    creator text COLLATE "C",
    created text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, id)
);

CREATE INDEX matches_by_moment ON matches (partition, created, id);

CREATE TABLE seats (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    player text COLLATE "C",
    bot text COLLATE "C",
    reserved text COLLATE "C",
    PRIMARY KEY (partition, match, seat),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

CREATE INDEX seats_by_player ON seats (partition, player);

CREATE INDEX seats_by_reserved ON seats (partition, reserved);

CREATE TABLE agreements (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    PRIMARY KEY (partition, match, seat),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

CREATE TABLE sittings (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    times integer NOT NULL,
    PRIMARY KEY (partition, match, player),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

CREATE TABLE declined (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, player),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

CREATE TABLE requests (
    partition integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    answer text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, id)
);

CREATE INDEX requests_by_age ON requests (partition, at);
