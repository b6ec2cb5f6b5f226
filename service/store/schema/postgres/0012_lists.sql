-- How far a seat's match is, and when it was over, so that a player's are found by it without a look at each.
ALTER TABLE seats ADD COLUMN status text COLLATE "C";
ALTER TABLE seats ADD COLUMN ended text COLLATE "C";

UPDATE seats SET status = matches.status, ended = matches.ended FROM matches
WHERE matches.partition = seats.partition AND matches.id = seats.match;
CREATE INDEX seats_by_status ON seats (partition, player, status, created, match) WHERE player IS NOT NULL;
CREATE INDEX seats_by_end ON seats (partition, player, ended, match, status) WHERE player IS NOT NULL;
CREATE INDEX seats_by_reserved_status ON seats (partition, reserved, status, created, match)
    WHERE reserved IS NOT NULL;
CREATE INDEX seats_by_reserved_end ON seats (partition, reserved, ended, match, status) WHERE reserved IS NOT NULL;
DROP INDEX matches_by_creator;
CREATE INDEX matches_by_creator ON matches (partition, creator, status, created, id);
CREATE INDEX matches_by_creator_end ON matches (partition, creator, ended, id, status);

-- What lists are narrowed by stands in the indexes too: those that don't fit are passed over there.
DROP INDEX matches_by_moment;
DROP INDEX matches_by_status;
DROP INDEX matches_by_game;
DROP INDEX matches_by_end;
CREATE INDEX matches_by_moment ON matches (partition, visibility, created, id, status, game, allowance);
CREATE INDEX matches_by_status ON matches (partition, visibility, status, created, id, game, allowance);
CREATE INDEX matches_by_game ON matches (partition, visibility, game, created, id, status, allowance);
CREATE INDEX matches_by_end ON matches (partition, visibility, ended, id, status, game, allowance);
