-- Logs that a follower passes over, from the event that it could not take.
CREATE TABLE set_aside (
    partition INTEGER NOT NULL,
    follower TEXT NOT NULL,
    match TEXT NOT NULL,
    position INTEGER NOT NULL,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    error TEXT NOT NULL,
    at TEXT NOT NULL,
    again INTEGER NOT NULL,
    PRIMARY KEY (partition, follower, match)
) STRICT;

-- Finished matches of a game with so many seats.
CREATE TABLE played (
    partition INTEGER NOT NULL,
    game TEXT NOT NULL,
    seats INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    least INTEGER NOT NULL,
    most INTEGER NOT NULL,
    PRIMARY KEY (partition, game, seats)
) STRICT;

-- What a seat, a bot or a player has reached in them.
CREATE TABLE results (
    partition INTEGER NOT NULL,
    who TEXT NOT NULL,
    game TEXT NOT NULL,
    seats INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    won INTEGER NOT NULL,
    shared INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (partition, who, game, seats)
) STRICT;
