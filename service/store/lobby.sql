-- Queries about matches in the lobby: see `service.store.lobby`.

-- name: columns
matches.id, matches.game, matches.status, matches.visibility, matches.creator, matches.created,
matches.allowance, matches.claims, matches.bank, matches.defaults,
matches.link, matches.origin, rematches.next, matches.ended, matches.how, matches.moves, matches.moved, matches.talk,
clocks.resignation

-- name: in_match
SELECT {columns},
    seats.seat, seats.player, seats.bot, seats.reserved, sitting.name, awaited.name, sitting.kind, awaited.kind,
    agreements.seat IS NOT NULL, seats.stand_in, seats.resigned, seats.pausing,
    seats.points, seats.place, coalesce(seats.has_quit, 0), coalesce(seats.by_clock, 0), coalesce(seats.handed, '')
FROM matches JOIN seats ON seats.partition = matches.partition AND seats.match = matches.id
LEFT JOIN rematches ON rematches.partition = matches.partition AND rematches.match = matches.id
LEFT JOIN clocks ON clocks.partition = matches.partition AND clocks.match = matches.id
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
SELECT player FROM declined WHERE {the_match}

-- name: is_move
type IN ('match/MoveMade', 'match/AnswersClosed')

-- name: last_move
-- number and moment; before the first move those of an earlier event
SELECT events.move, events.at FROM events WHERE events.partition = :partition AND events.stream = :match
    AND events.version <= :version AND (events.{is_move} OR events.move = 0)
ORDER BY events.version DESC LIMIT 1

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
    AND {is_asked_itself} AND agreements.seat IS NULL

-- name: decline_offer
DELETE FROM offers WHERE {the_seat} AND player = :player AND bot = ''

-- name: decline_consents
DELETE FROM consents WHERE {the_seat} AND EXISTS (SELECT 1 FROM offers WHERE offers.partition = consents.partition
    AND offers.match = consents.match AND offers.seat = consents.seat AND offers.player = :player AND offers.bot = '')

-- name: offers
SELECT offers.match, matches.game, offers.seat, seats.player, sitting.name, sitting.kind,
    offers.player, wanted.name, wanted.kind, offers.bot, offers.accepted, offers.at
FROM offers JOIN matches ON matches.partition = offers.partition AND matches.id = offers.match
JOIN seats ON seats.partition = offers.partition AND seats.match = offers.match AND seats.seat = offers.seat
LEFT JOIN players AS sitting ON sitting.id = seats.player
LEFT JOIN players AS wanted ON wanted.id = offers.player
WHERE offers.partition = :partition

-- name: offers_of
{offers} AND offers.match = :match ORDER BY offers.seat

-- name: offers_to
{offers} AND offers.player = :player ORDER BY offers.at, offers.match, offers.seat LIMIT :limit

-- name: offers_before
{offers} AND offers.match IN (
    SELECT mine.match FROM seats AS mine WHERE mine.partition = :partition AND mine.player = :player
        AND mine.status = 'playing') AND EXISTS (
    SELECT 1 FROM seats AS own WHERE own.partition = offers.partition AND own.match = offers.match
        AND own.player = :player AND {is_asked_itself} AND own.seat <> offers.seat AND NOT EXISTS (
        SELECT 1 FROM consents WHERE consents.partition = offers.partition AND consents.match = offers.match
            AND consents.seat = offers.seat AND consents.consenting = own.seat))
ORDER BY offers.at, offers.match, offers.seat LIMIT :limit

-- name: consents
SELECT seat, consenting FROM consents WHERE {the_match} ORDER BY seat, consenting

-- name: demand_offer
INSERT INTO offers (partition, match, seat, player, accepted, at)
SELECT matches.partition, matches.id, NULL, '', 0, '' FROM matches
WHERE matches.partition = :partition AND matches.id = :match AND NOT EXISTS (
    SELECT 1 FROM offers AS made WHERE made.partition = :partition AND made.match = :match AND made.seat = :seat
        AND made.player = :player AND made.bot = :bot AND made.accepted = 1 AND :consents = (
        SELECT count(*) FROM consents WHERE consents.partition = :partition AND consents.match = :match
            AND consents.seat = :seat))
