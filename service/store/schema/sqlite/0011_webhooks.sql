-- Webhooks and their deliveries.
CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    kinds TEXT NOT NULL,
    secret TEXT NOT NULL,
    former TEXT,
    former_until TEXT,
    created TEXT NOT NULL,
    failing TEXT,
    disabled TEXT,
    reason TEXT
) STRICT;

-- Of two that are made at once one gets the number: so many an account has, and no more.
CREATE UNIQUE INDEX webhooks_by_player ON webhooks (player, number);

CREATE TABLE deliveries (
    partition INTEGER NOT NULL,
    home TEXT NOT NULL,
    id TEXT NOT NULL,
    webhook TEXT NOT NULL,
    player TEXT NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER,
    decision INTEGER,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    status TEXT NOT NULL,
    asked INTEGER NOT NULL,
    due TEXT NOT NULL,
    tries INTEGER NOT NULL,
    tried TEXT,
    answer INTEGER,
    problem TEXT,
    PRIMARY KEY (partition, id)
) STRICT;

CREATE INDEX deliveries_by_due ON deliveries (partition, status, due);

CREATE INDEX deliveries_by_webhook ON deliveries (partition, webhook, at, id);
