-- Accounts: passwords, confirmed addresses, who made a bot account, sessions beside tokens, and the day of their last use.
ALTER TABLE players ADD COLUMN owner TEXT;

ALTER TABLE players ADD COLUMN login TEXT;

ALTER TABLE players ADD COLUMN password TEXT;

ALTER TABLE players ADD COLUMN confirmed TEXT;

ALTER TABLE players ADD COLUMN mailbox TEXT;

ALTER TABLE players ADD COLUMN email_next TEXT;

CREATE UNIQUE INDEX players_by_login ON players (login);

CREATE UNIQUE INDEX players_by_mailbox ON players (mailbox);

CREATE INDEX players_by_owner ON players (owner);

ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'token';

ALTER TABLE tokens ADD COLUMN used TEXT;

UPDATE tokens SET scopes = replace(scopes, ' account', ' webhook:write account') WHERE scopes LIKE '% account';

-- For which addresses a link was lately asked for, to set a new password by: as digests, whether anybody has them or not.
CREATE TABLE recoveries (
    hash TEXT PRIMARY KEY,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX recoveries_by_age ON recoveries (at);

-- What lets somebody sign up where not everybody may.
CREATE TABLE passes (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    maker TEXT NOT NULL,
    created TEXT NOT NULL,
    expires TEXT NOT NULL,
    player TEXT
) STRICT;

CREATE INDEX passes_by_maker ON passes (maker, created);

-- The finished matches of a player that everybody may look at, so that a page of them is found by index.
CREATE TABLE history (
    partition INTEGER NOT NULL,
    player TEXT NOT NULL,
    created TEXT NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (partition, player, created, match)
) STRICT;

INSERT INTO history SELECT matches.partition, seats.player, matches.created, matches.id, seats.seat
FROM matches JOIN seats ON seats.partition = matches.partition AND seats.match = matches.id
WHERE matches.status = 'finished' AND matches.visibility = 'public' AND matches.creator IS NOT NULL
    AND seats.player IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events WHERE events.partition = matches.partition
        AND events.stream = matches.id AND events.version = 2 AND events.type = 'match/Forked');
