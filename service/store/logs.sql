-- Queries on the logs in the store: see `service.store.logs`.

-- name: strangers
-- Ids come from an index and are compared before any event is read, so a start reads no event of a known match.
WITH unknown (stream) AS (
    SELECT stream FROM events WHERE partition = :partition AND version = 1 AND stream NOT LIKE '%/%'
    EXCEPT SELECT id FROM matches WHERE partition = :partition
)
SELECT events.stream, events.type, events.at, events.public FROM unknown
JOIN events ON events.partition = :partition AND events.stream = unknown.stream AND events.version = 1

-- name: asked
SELECT events.stream, events.public FROM events WHERE events.partition = :partition AND events.version = 1
    AND events.stream IN (SELECT match FROM decisions WHERE partition = :partition)

-- name: played
SELECT matches.id, events.public FROM matches
JOIN events ON events.partition = matches.partition AND events.stream = matches.id AND events.version = 1
WHERE matches.partition = :partition AND matches.status = 'playing'

-- name: idle
{played}
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE decisions.partition = :partition AND decisions.match = matches.id)
    AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = matches.id
        AND seats.player IS NULL AND seats.bot IS NULL)

-- name: counts
SELECT (SELECT count(*) FROM events WHERE partition = :partition AND version = 1 AND stream NOT LIKE '%/%'),
    (SELECT count(*) FROM events WHERE partition = :partition)

-- name: seats
SELECT seats.match, seats.seat, coalesce((
    SELECT events.position FROM events WHERE events.partition = :partition AND events.stream = seats.match
    ORDER BY events.version DESC LIMIT 1), 0), coalesce((
    SELECT events.position FROM events WHERE events.partition = :partition
        AND events.stream = seats.match || '/seat:' || seats.seat ORDER BY events.version DESC LIMIT 1), 0)
FROM seats WHERE seats.partition = :partition AND seats.player = :me

-- name: live
{seats} AND seats.status IN ('open', 'playing')

-- name: seat_in_match
{seats} AND seats.match = :match

-- name: ends
SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition

-- name: between
SELECT position, version FROM events WHERE partition = :partition AND stream = :stream AND version > :known
    AND position > :after AND position <= :end ORDER BY version LIMIT :most

-- name: event_at
SELECT stream, version FROM events WHERE partition = :partition AND position = :position

-- name: came
SELECT coalesce(max(position), 0) FROM events WHERE partition = :partition AND stream = :match AND version > :known
    AND actor = :seat AND (type = 'match/SeatPassedOn' OR (type = 'match/SeatTaken' AND :private = 0))

-- name: grown
SELECT DISTINCT stream FROM events WHERE partition = :partition AND position > :after AND position <= :end
