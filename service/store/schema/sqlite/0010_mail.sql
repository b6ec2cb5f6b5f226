-- Mail: what is to be sent, to whom, and what came back.
CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    player TEXT,
    address TEXT NOT NULL,
    lang TEXT NOT NULL,
    about TEXT NOT NULL,
    at TEXT NOT NULL,
    due TEXT NOT NULL,
    tries INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_by_due ON outbox (due);
