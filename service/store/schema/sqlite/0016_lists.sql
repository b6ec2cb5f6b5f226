-- In which lists a match stands (`service.store.lists`): filled by the code that keeps them, after the scripts.
CREATE TABLE listed (
    partition INTEGER NOT NULL,
    list TEXT NOT NULL,
    moment TEXT NOT NULL,
    match TEXT NOT NULL,
    PRIMARY KEY (partition, list, moment, match)
) STRICT, WITHOUT ROWID;

-- Pages are read from lists now.
DROP INDEX matches_by_moment;

DROP INDEX matches_by_status;

DROP INDEX matches_by_game;

DROP INDEX matches_by_end;

DROP INDEX matches_by_creator_end;

DROP INDEX matches_of_creator;

DROP INDEX seats_by_player;

DROP INDEX seats_by_end;

DROP INDEX seats_by_reserved;

DROP INDEX seats_by_reserved_end;

ALTER TABLE seats DROP COLUMN ended
