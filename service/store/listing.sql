-- Conditions and queries for pages of the lobby: see `service.store.listing`.

-- name: has_room
matches.status = 'open' AND EXISTS (
    SELECT 1 FROM seats AS free WHERE free.partition = matches.partition AND free.match = matches.id
    AND free.player IS NULL AND free.bot IS NULL AND (free.reserved IS NULL OR free.reserved = :me))

-- name: demand_known
{fail} WHERE EXISTS (SELECT 1 FROM listed WHERE listed.partition = :partition
    AND listed.list IN (:shown_open, :shown_playing, :own_open, :own_playing)
    AND replace(:known, ' ' || listed.match || ' ', '') = :known)

-- name: place
-- coalesce keeps the store from searching by the player, who may have many seats
SELECT 1 FROM seats AS theirs WHERE theirs.partition = matches.partition
    AND theirs.match = matches.id AND coalesce(theirs.player, '') = :player AND theirs.place

-- name: has_won
EXISTS ({place} = 1)

-- name: has_lost
EXISTS ({place} > 1)

-- name: last_moves
-- number and moment of each match's last move; before the first move those of an earlier event
SELECT matches.id, events.move, events.at FROM matches
JOIN events ON events.partition = matches.partition AND events.stream = matches.id AND events.version = (
    SELECT last.version FROM events AS last WHERE last.partition = :partition AND last.stream = matches.id
    AND (last.{is_move} OR last.move = 0) ORDER BY last.version DESC LIMIT 1)
WHERE matches.partition = :partition
