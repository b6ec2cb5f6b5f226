-- Matches as tables for analysis: docs/tables.md says what each column means.

CREATE TABLE matches (
    match TEXT PRIMARY KEY NOT NULL,
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    pack TEXT NOT NULL,
    pack_hash TEXT NOT NULL,
    seats INTEGER NOT NULL,
    options TEXT NOT NULL,
    status TEXT NOT NULL,
    viewer TEXT NOT NULL,
    parent TEXT,
    parent_version INTEGER,
    opened TEXT NOT NULL,
    ended TEXT,
    events INTEGER NOT NULL,
    moves INTEGER NOT NULL
) STRICT;

CREATE TABLE seats (
    match TEXT NOT NULL REFERENCES matches (match),
    seat INTEGER NOT NULL,
    place INTEGER,
    points INTEGER,
    PRIMARY KEY (match, seat)
) STRICT;

CREATE TABLE events (
    id INTEGER PRIMARY KEY NOT NULL,
    match TEXT NOT NULL REFERENCES matches (match),
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    move INTEGER NOT NULL,
    text_en TEXT NOT NULL,
    text_ja TEXT NOT NULL,
    fields TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_by_stream ON events (stream, version);

CREATE INDEX events_by_match ON events (match);

CREATE TABLE moves (
    event INTEGER PRIMARY KEY NOT NULL REFERENCES events (id),
    match TEXT NOT NULL REFERENCES matches (match),
    move INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    type TEXT NOT NULL,
    cause TEXT NOT NULL,
    sealed INTEGER NOT NULL,
    asked INTEGER,
    asked_at TEXT,
    at TEXT NOT NULL,
    thought_ms INTEGER
) STRICT;

CREATE INDEX moves_by_match ON moves (match, move);

CREATE TABLE points (
    match TEXT NOT NULL REFERENCES matches (match),
    move INTEGER NOT NULL,
    version INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    points INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (match, move, seat)
) STRICT;

-- An index of every three characters, since Japanese has no spaces between words.
CREATE VIRTUAL TABLE events_fts USING fts5 (text_en, text_ja, tokenize = 'trigram', content = 'events');
