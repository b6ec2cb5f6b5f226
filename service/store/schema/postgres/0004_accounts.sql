-- Accounts: passwords, confirmed addresses, who made a bot account, sessions beside tokens, and the day of their last use.
ALTER TABLE players ADD COLUMN owner text COLLATE "C";

ALTER TABLE players ADD COLUMN login text COLLATE "C";

ALTER TABLE players ADD COLUMN password text COLLATE "C";

ALTER TABLE players ADD COLUMN confirmed text COLLATE "C";

ALTER TABLE players ADD COLUMN mailbox text COLLATE "C";

ALTER TABLE players ADD COLUMN email_next text COLLATE "C";

CREATE UNIQUE INDEX players_by_login ON players (login);

CREATE UNIQUE INDEX players_by_mailbox ON players (mailbox);

CREATE INDEX players_by_owner ON players (owner);

ALTER TABLE tokens ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'token';

ALTER TABLE tokens ADD COLUMN used text COLLATE "C";

UPDATE tokens SET scopes = replace(scopes, ' account', ' webhook:write account') WHERE scopes LIKE '% account';

-- For which addresses a link was lately asked for, to set a new password by: as digests, whether anybody has them or not.
CREATE TABLE recoveries (
    hash text COLLATE "C" NOT NULL PRIMARY KEY,
    at text COLLATE "C" NOT NULL
);

CREATE INDEX recoveries_by_age ON recoveries (at);

-- What lets somebody sign up where not everybody may.
CREATE TABLE passes (
    hash text COLLATE "C" NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    maker text COLLATE "C" NOT NULL,
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C" NOT NULL,
    player text COLLATE "C"
);

CREATE INDEX passes_by_maker ON passes (maker, created);

-- The finished matches of a player that everybody may look at, so that a page of them is found by index.
CREATE TABLE history (
    partition integer NOT NULL,
    player text COLLATE "C" NOT NULL,
    created text COLLATE "C" NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    PRIMARY KEY (partition, player, created, match)
);

INSERT INTO history SELECT matches.partition, seats.player, matches.created, matches.id, seats.seat
FROM matches JOIN seats ON seats.partition = matches.partition AND seats.match = matches.id
WHERE matches.status = 'finished' AND matches.visibility = 'public' AND matches.creator IS NOT NULL
    AND seats.player IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events WHERE events.partition = matches.partition
        AND events.stream = matches.id AND events.version = 2 AND events.type = 'match/Forked');
