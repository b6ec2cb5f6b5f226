-- Queries about seats that are offered, and what is demanded of an offer: see `service.store.offers`.

-- name: offers
SELECT offers.match, matches.game, offers.seat, seats.player, sitting.name, sitting.kind,
    offers.player, wanted.name, wanted.kind, offers.bot, offers.accepted, offers.at
FROM offers JOIN matches ON matches.partition = offers.partition AND matches.id = offers.match
JOIN seats ON seats.partition = offers.partition AND seats.match = offers.match AND seats.seat = offers.seat
LEFT JOIN players AS sitting ON sitting.id = seats.player
LEFT JOIN players AS wanted ON wanted.id = offers.player
WHERE offers.partition = :partition

-- name: find
{offers} AND offers.match = :match ORDER BY offers.seat

-- name: find_mine
{offers} AND offers.player = :player ORDER BY offers.at, offers.match, offers.seat LIMIT :limit

-- name: find_asked
{offers} AND offers.match IN (
    SELECT mine.match FROM seats AS mine WHERE mine.partition = :partition AND mine.player = :player
        AND mine.status = 'playing') AND EXISTS (
    SELECT 1 FROM seats AS own WHERE own.partition = offers.partition AND own.match = offers.match
        AND own.player = :player AND own.stand_in IS NULL AND own.resigned = 0
        AND own.seat <> offers.seat AND NOT EXISTS (
        SELECT 1 FROM consents WHERE consents.partition = offers.partition AND consents.match = offers.match
            AND consents.seat = offers.seat AND consents.consenting = own.seat))
ORDER BY offers.at, offers.match, offers.seat LIMIT :limit

-- name: consents
SELECT seat, consenting FROM consents WHERE {the_match} ORDER BY seat, consenting

-- name: demand
INSERT INTO offers (partition, match, seat, player, accepted, at)
SELECT matches.partition, matches.id, NULL, '', 0, '' FROM matches
WHERE matches.partition = :partition AND matches.id = :match AND NOT EXISTS (
    SELECT 1 FROM offers AS made WHERE made.partition = :partition AND made.match = :match AND made.seat = :seat
        AND made.player = :player AND made.bot = :bot AND made.accepted = 1 AND :consents = (
        SELECT count(*) FROM consents WHERE consents.partition = :partition AND consents.match = :match
            AND consents.seat = :seat))
