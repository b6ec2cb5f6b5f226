-- Clocks: who plays for a seat, how silence and resignation end, pauses, vacation, reminders, when nobody was there.
ALTER TABLE seats ADD COLUMN stand_in text COLLATE "C";

ALTER TABLE seats ADD COLUMN resigned integer NOT NULL DEFAULT 0;

ALTER TABLE seats ADD COLUMN pausing integer NOT NULL DEFAULT 0;

-- What a match was opened with beside what its log says, and the last outage that it was extended by.
CREATE TABLE clocks (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    preset text COLLATE "C",
    bot text COLLATE "C" NOT NULL,
    resignation text COLLATE "C" NOT NULL,
    outage integer NOT NULL,
    PRIMARY KEY (partition, match)
);

CREATE TABLE pauses (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    since text COLLATE "C" NOT NULL,
    due text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match)
);

CREATE INDEX pauses_by_due ON pauses (partition, due);

-- When each seat is to be reminded of its latest decision.
CREATE TABLE reminders (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    since integer NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, seat)
);

CREATE INDEX reminders_by_moment ON reminders (partition, at);

-- Who was reminded.
CREATE TABLE reminded (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    since integer NOT NULL,
    player text COLLATE "C" NOT NULL,
    due text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (partition, match, seat, since)
);

CREATE TABLE vacations (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    player text COLLATE "C" NOT NULL,
    since text COLLATE "C" NOT NULL,
    until text COLLATE "C" NOT NULL,
    days integer NOT NULL
);

CREATE INDEX vacations_by_player ON vacations (player, until);

-- The moment at which the clocks were last looked after.
CREATE TABLE pulse (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    at text COLLATE "C" NOT NULL
);

CREATE TABLE outages (
    id integer NOT NULL PRIMARY KEY,
    began text COLLATE "C" NOT NULL,
    ended text COLLATE "C" NOT NULL
);

CREATE INDEX outages_by_end ON outages (ended);
