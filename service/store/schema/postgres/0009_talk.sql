-- Talk at a table.

-- Who reads what is said there, NULL is those who sit there.
ALTER TABLE matches ADD COLUMN talk text COLLATE "C";

-- A message keeps its number, and its change is counted on in the match with it, so that who reads on learns of both
-- what is new and what was erased.
CREATE TABLE talk (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    change integer NOT NULL,
    seat integer NOT NULL,
    player text COLLATE "C",
    text text COLLATE "C",
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, number),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
);

CREATE UNIQUE INDEX talk_by_change ON talk (partition, match, change);

CREATE INDEX talk_by_player ON talk (partition, player, match);

-- Messages that somebody wants the operator to look at, as they were.
CREATE TABLE reports (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    reporter text COLLATE "C" NOT NULL,
    author text COLLATE "C",
    seat integer NOT NULL,
    text text COLLATE "C",
    reason text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, number, reporter),
    FOREIGN KEY (partition, match, number) REFERENCES talk (partition, match, number)
);

CREATE INDEX reports_by_moment ON reports (partition, at);

CREATE INDEX reports_by_author ON reports (partition, author);

CREATE INDEX reports_by_reporter ON reports (partition, reporter);

-- Whom somebody wants to hear nothing of.
CREATE TABLE mutes (
    player text COLLATE "C" NOT NULL,
    muted text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (player, muted)
);

CREATE INDEX mutes_of ON mutes (muted);
