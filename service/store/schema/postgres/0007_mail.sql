-- Mail: what is to be sent, to whom, and what came back.
CREATE TABLE outbox (
    id text PRIMARY KEY,
    kind text NOT NULL,
    player text,
    address text NOT NULL,
    lang text NOT NULL,
    about text NOT NULL,
    at text NOT NULL,
    due text NOT NULL,
    tries integer NOT NULL
);

CREATE INDEX outbox_by_due ON outbox (due);
