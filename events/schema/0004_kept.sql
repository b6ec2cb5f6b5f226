-- What is kept by name beside the streams, for whatever processes there are: packs, and the public keys.

CREATE TABLE kept (
    partition INTEGER NOT NULL,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (partition, name)
) STRICT, WITHOUT ROWID;
