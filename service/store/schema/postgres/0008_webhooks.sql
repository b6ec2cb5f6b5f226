-- Webhooks and their deliveries.
CREATE TABLE webhooks (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    player text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    url text COLLATE "C" NOT NULL,
    kinds text COLLATE "C" NOT NULL,
    secret text COLLATE "C" NOT NULL,
    former text COLLATE "C",
    former_until text COLLATE "C",
    created text COLLATE "C" NOT NULL,
    failing text COLLATE "C",
    disabled text COLLATE "C",
    reason text COLLATE "C"
);

-- Of two that are made at once one gets the number: so many an account has, and no more.
CREATE UNIQUE INDEX webhooks_by_player ON webhooks (player, number);

CREATE TABLE deliveries (
    partition integer NOT NULL,
    home text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    webhook text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    seat integer,
    decision bigint,
    body text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    asked integer NOT NULL,
    due text COLLATE "C" NOT NULL,
    tries integer NOT NULL,
    tried text COLLATE "C",
    answer integer,
    problem text COLLATE "C",
    PRIMARY KEY (partition, id)
);

CREATE INDEX deliveries_by_due ON deliveries (partition, status, due);

CREATE INDEX deliveries_by_webhook ON deliveries (partition, webhook, at, id);
