-- Talk at a table.

-- Who reads what is said there, NULL is those who sit there.
ALTER TABLE matches ADD COLUMN talk TEXT;

-- A message keeps its number, and its change is counted on in the match with it, so that who reads on learns of both
-- what is new and what was erased.
CREATE TABLE talk (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    number INTEGER NOT NULL,
    change INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT,
    text TEXT,
    at TEXT NOT NULL,
    PRIMARY KEY (partition, match, number),
    FOREIGN KEY (partition, match) REFERENCES matches (partition, id)
) STRICT;

CREATE UNIQUE INDEX talk_by_change ON talk (partition, match, change);

CREATE INDEX talk_by_player ON talk (partition, player, match);

-- Messages that somebody wants the operator to look at, as they were.
CREATE TABLE reports (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    number INTEGER NOT NULL,
    reporter TEXT NOT NULL,
    author TEXT,
    seat INTEGER NOT NULL,
    text TEXT,
    reason TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (partition, match, number, reporter),
    FOREIGN KEY (partition, match, number) REFERENCES talk (partition, match, number)
) STRICT;

CREATE INDEX reports_by_moment ON reports (partition, at);

CREATE INDEX reports_by_author ON reports (partition, author);

CREATE INDEX reports_by_reporter ON reports (partition, reporter);

-- Whom somebody wants to hear nothing of.
CREATE TABLE mutes (
    player TEXT NOT NULL,
    muted TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (player, muted)
) STRICT;

CREATE INDEX mutes_of ON mutes (muted);
