-- Queries about decisions of bots and of seats with orders: see `service.store.turns`.

-- name: owed
SELECT decisions.match, coalesce(matches.creator, ''), decisions.who, decisions.seat FROM decisions
LEFT JOIN matches ON matches.partition = decisions.partition AND matches.id = decisions.match
WHERE decisions.partition = :partition AND decisions.who >= 'bot:' AND decisions.who < 'bot;'

-- name: of_match
{owed} AND decisions.match = :match LIMIT 1

-- name: page
{owed} AND (decisions.who, decisions.match, decisions.seat) > (:who, :match, :seat)
ORDER BY decisions.who, decisions.match, decisions.seat LIMIT :most

-- name: asked_of_orders
FROM orders JOIN decisions ON decisions.partition = orders.partition AND decisions.match = orders.match
    AND decisions.seat = orders.seat AND decisions.since > orders.judged
    AND decisions.who >= 'player:' AND decisions.who < 'player;'
WHERE orders.partition = :partition

-- name: asked_in_match
SELECT orders.seat {asked_of_orders} AND orders.match = :match

-- name: due
SELECT DISTINCT orders.match {asked_of_orders} AND orders.match > :after
ORDER BY orders.match LIMIT :most
