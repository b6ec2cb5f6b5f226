-- Queries about matches in the lobby: see `service.store.lobby`.

-- name: columns
matches.id, matches.game, matches.status, matches.visibility, matches.creator, matches.created,
matches.allowance, matches.claims, matches.bank, matches.defaults,
matches.link, matches.origin, rematches.next, matches.ended, matches.how, matches.moves, matches.moved, matches.talk

-- name: in_match
SELECT {columns},
    seats.seat, seats.player, seats.bot, seats.reserved, sitting.name, awaited.name, sitting.kind, awaited.kind,
    agreements.seat IS NOT NULL, seats.stand_in, seats.resigned, seats.pausing,
    seats.points, seats.place, coalesce(seats.has_quit, 0), coalesce(seats.by_clock, 0), coalesce(seats.handed, '')
FROM matches JOIN seats ON seats.partition = matches.partition AND seats.match = matches.id
LEFT JOIN rematches ON rematches.partition = matches.partition AND rematches.match = matches.id
LEFT JOIN players AS sitting ON sitting.id = seats.player
LEFT JOIN players AS awaited ON awaited.id = seats.reserved
LEFT JOIN agreements ON agreements.partition = seats.partition AND agreements.match = seats.match
    AND agreements.seat = seats.seat
WHERE matches.partition = :partition

-- name: find
{in_match} AND matches.id = :match ORDER BY seats.seat

-- name: any
SELECT 1 FROM matches WHERE partition = :partition LIMIT 1

-- name: sittings
SELECT player, times FROM sittings WHERE {the_match}

-- name: declined
SELECT 1 FROM declined WHERE {the_match} AND player = :player

-- name: standing
SELECT count(*) FROM seats JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
WHERE matches.partition = :partition AND matches.status = 'open' AND matches.creator = :me
    AND seats.reserved <> matches.creator AND seats.player IS NULL

-- name: opened
SELECT count(*) FROM matches WHERE partition = :partition AND creator = :me AND status IN ('open', 'playing')

-- name: kept
SELECT matches.id, matches.game, seats.seat, matches.creator, players.name, players.kind, matches.visibility,
    matches.created
FROM seats JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
LEFT JOIN players ON players.id = matches.creator
WHERE seats.partition = :partition AND seats.reserved = :me AND seats.player IS NULL AND seats.status = 'open'
    AND (seats.created, seats.match) < (:moment, :after)
ORDER BY seats.created DESC, seats.match DESC LIMIT :limit

-- name: demand_agreement
INSERT INTO agreements (partition, match, seat) SELECT seats.partition, seats.match, NULL FROM seats
LEFT JOIN agreements ON agreements.partition = seats.partition AND agreements.match = seats.match
    AND agreements.seat = seats.seat
WHERE seats.partition = :partition AND seats.match = :match AND seats.seat <> :seat
    AND seats.player IS NOT NULL AND seats.stand_in IS NULL AND seats.resigned = 0 AND agreements.seat IS NULL
