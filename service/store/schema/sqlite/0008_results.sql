-- The lobby: how matches ended, rematches, seats that are offered.

-- Of a match for who has its link: the link's number, the earlier ones are void.
ALTER TABLE matches ADD COLUMN link INTEGER;

-- The match whose rematch it is.
ALTER TABLE matches ADD COLUMN origin TEXT;

ALTER TABLE matches ADD COLUMN size INTEGER;

-- The clock, as the log tells it.
ALTER TABLE matches ADD COLUMN allowance INTEGER;

ALTER TABLE matches ADD COLUMN claims INTEGER;

ALTER TABLE matches ADD COLUMN bank INTEGER;

ALTER TABLE matches ADD COLUMN defaults INTEGER;

-- Once it is over: when that was, how it came about, and the moves.
ALTER TABLE matches ADD COLUMN ended TEXT;

ALTER TABLE matches ADD COLUMN how TEXT;

ALTER TABLE matches ADD COLUMN moves INTEGER;

ALTER TABLE matches ADD COLUMN moved TEXT;

-- When the match was opened, so that a player's are found by it.
ALTER TABLE seats ADD COLUMN created TEXT;

-- Once the match is over: what the seat has reached, and what became of it on the way.
ALTER TABLE seats ADD COLUMN points INTEGER;

ALTER TABLE seats ADD COLUMN place INTEGER;

ALTER TABLE seats ADD COLUMN has_quit INTEGER;

ALTER TABLE seats ADD COLUMN by_clock INTEGER;

ALTER TABLE seats ADD COLUMN handed TEXT;

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
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    next TEXT NOT NULL,
    PRIMARY KEY (partition, match),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

-- Seats whose players want to give them to somebody else, during play.
CREATE TABLE offers (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (partition, match, seat),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

CREATE INDEX offers_by_player ON offers (partition, player);

-- Seats that agree to such an offer.
CREATE TABLE consents (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    consenting INTEGER NOT NULL,
    PRIMARY KEY (partition, match, seat, consenting),
    FOREIGN KEY (partition, match, seat) REFERENCES offers (partition, match, seat)
) STRICT;
