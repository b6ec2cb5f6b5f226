-- What is kept by name beside the streams, for whatever processes there are: packs, and the public keys.

CREATE TABLE kept (
    partition integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (partition, name)
);
