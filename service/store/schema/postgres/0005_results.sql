-- The lobby: how matches ended, rematches, seats that are offered.

-- Of a match for who has its link: the link's number, the earlier ones are void.
ALTER TABLE matches ADD COLUMN link integer;

-- The match whose rematch it is.
ALTER TABLE matches ADD COLUMN origin text COLLATE "C";

ALTER TABLE matches ADD COLUMN size integer;

-- The clock, as the log tells it.
ALTER TABLE matches ADD COLUMN allowance integer;

ALTER TABLE matches ADD COLUMN claims integer;

ALTER TABLE matches ADD COLUMN bank integer;

ALTER TABLE matches ADD COLUMN defaults integer;

-- Once it is over: when that was, how it came about, and the moves.
ALTER TABLE matches ADD COLUMN ended text COLLATE "C";

ALTER TABLE matches ADD COLUMN how text COLLATE "C";

ALTER TABLE matches ADD COLUMN moves integer;

ALTER TABLE matches ADD COLUMN moved text COLLATE "C";

-- When the match was opened, so that a player's are found by it.
ALTER TABLE seats ADD COLUMN created text COLLATE "C";

-- Once the match is over: what the seat has reached, and what became of it on the way.
ALTER TABLE seats ADD COLUMN points integer;

ALTER TABLE seats ADD COLUMN place integer;

ALTER TABLE seats ADD COLUMN has_quit integer;

ALTER TABLE seats ADD COLUMN by_clock integer;

ALTER TABLE seats ADD COLUMN handed text COLLATE "C";

UPDATE matches SET size = (
    SELECT count(*) FROM seats WHERE seats.partition = matches.partition AND seats.match = matches.id
);

UPDATE seats SET created = (
    SELECT created FROM matches WHERE matches.partition = seats.partition AND matches.id = seats.match
);

DROP INDEX matches_by_moment;

DROP INDEX seats_by_player;

DROP INDEX seats_by_reserved;

CREATE INDEX matches_by_moment ON matches (partition, visibility, created, id);

CREATE INDEX matches_by_status ON matches (partition, visibility, status, created, id);

CREATE INDEX matches_by_game ON matches (partition, visibility, game, created, id);

CREATE INDEX matches_by_end ON matches (partition, visibility, ended, id);

CREATE INDEX matches_of_creator ON matches (partition, creator, created, id);

CREATE INDEX seats_by_player ON seats (partition, player, created, match);

CREATE INDEX seats_by_reserved ON seats (partition, reserved, created, match);

-- A match has one rematch.
CREATE TABLE rematches (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    next text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

-- Seats whose players want to give them to somebody else, during play.
CREATE TABLE offers (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    player text COLLATE "C" NOT NULL,
    accepted integer NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, seat),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

CREATE INDEX offers_by_player ON offers (partition, player);

-- Seats that agree to such an offer.
CREATE TABLE consents (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    consenting integer NOT NULL,
    PRIMARY KEY (partition, match, seat, consenting),
    FOREIGN KEY (partition, match, seat) REFERENCES offers (partition, match, seat)
);
