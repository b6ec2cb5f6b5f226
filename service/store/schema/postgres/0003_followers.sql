-- Logs that a follower passes over, from the event that it could not take.
CREATE TABLE set_aside (
    partition integer NOT NULL,
    follower text COLLATE "C" NOT NULL,
    match text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    error text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    again integer NOT NULL,
    PRIMARY KEY (partition, follower, match)
);

-- Finished matches of a game with so many seats.
CREATE TABLE played (
    partition integer NOT NULL,
    game text COLLATE "C" NOT NULL,
    seats integer NOT NULL,
    matches bigint NOT NULL,
    moves bigint NOT NULL,
    least integer NOT NULL,
    most integer NOT NULL,
    PRIMARY KEY (partition, game, seats)
);

-- What a seat, a bot or a player has reached in them.
CREATE TABLE results (
    partition integer NOT NULL,
    who text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    seats integer NOT NULL,
    matches bigint NOT NULL,
    won bigint NOT NULL,
    shared bigint NOT NULL,
    points bigint NOT NULL,
    PRIMARY KEY (partition, who, game, seats)
);
