-- Clocks: who plays for a seat, how silence and resignation end, pauses, vacation, reminders, when nobody was there.
ALTER TABLE seats ADD COLUMN stand_in TEXT;

ALTER TABLE seats ADD COLUMN resigned INTEGER NOT NULL DEFAULT 0;

ALTER TABLE seats ADD COLUMN pausing INTEGER NOT NULL DEFAULT 0;

-- What a match was opened with beside what its log says, and the last outage that it was extended by.
CREATE TABLE clocks (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    preset TEXT,
    bot TEXT NOT NULL,
    resignation TEXT NOT NULL,
    outage INTEGER NOT NULL,
    PRIMARY KEY (partition, match)
) STRICT;

CREATE TABLE pauses (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    reason TEXT NOT NULL,
    since TEXT NOT NULL,
    due TEXT NOT NULL,
    PRIMARY KEY (partition, match)
) STRICT;

CREATE INDEX pauses_by_due ON pauses (partition, due);

-- When each seat is to be reminded of its latest decision.
CREATE TABLE reminders (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (partition, match, seat)
) STRICT;

CREATE INDEX reminders_by_moment ON reminders (partition, at);

-- Who was reminded.
CREATE TABLE reminded (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    since INTEGER NOT NULL,
    player TEXT NOT NULL,
    due TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (partition, match, seat, since)
) STRICT;

CREATE TABLE vacations (
    id TEXT PRIMARY KEY,
    player TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    days INTEGER NOT NULL
) STRICT;

CREATE INDEX vacations_by_player ON vacations (player, until);

-- The moment at which the clocks were last looked after.
CREATE TABLE pulse (
    name TEXT PRIMARY KEY,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE outages (
    id INTEGER PRIMARY KEY,
    began TEXT NOT NULL,
    ended TEXT NOT NULL
) STRICT;

CREATE INDEX outages_by_end ON outages (ended)
