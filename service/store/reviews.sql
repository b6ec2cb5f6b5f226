-- Queries about reviews of matches and about hints, and what changes them: see `service.store.reviews`.

-- name: review
SELECT player, state, total, account FROM reviews WHERE {the_seat}

-- name: found
SELECT found FROM judged WHERE {the_seat} ORDER BY number

-- name: wanted
SELECT seat, (SELECT count(*) FROM judged WHERE judged.partition = reviews.partition AND judged.match = reviews.match
    AND judged.seat = reviews.seat)
FROM reviews WHERE {the_match} AND state = 'wanted' ORDER BY at, seat

-- name: due
SELECT at, match FROM reviews WHERE partition = :partition AND state = 'wanted' ORDER BY at, match LIMIT :most

-- name: want
INSERT INTO reviews (partition, match, seat, player, at, state)
VALUES (:partition, :match, :seat, :player, :at, 'wanted')
ON CONFLICT (partition, match, seat) DO UPDATE SET state = 'wanted', player = excluded.player, at = excluded.at
WHERE reviews.state IN ('stopped', 'failed')

-- name: count
UPDATE reviews SET total = :total WHERE {the_seat}

-- name: end
UPDATE reviews SET state = :state, account = :account WHERE {the_seat} AND state = 'wanted'

-- name: hints
SELECT seat, decision, state, found FROM hints WHERE {the_match} ORDER BY decision, seat

-- name: due_hints
SELECT at, match FROM hints WHERE partition = :partition AND state = 'wanted' ORDER BY at, match LIMIT :most

-- name: want_hint
INSERT INTO hints (partition, match, seat, decision, at, state)
VALUES (:partition, :match, :seat, :decision, :at, 'wanted') ON CONFLICT DO NOTHING

-- name: end_hint
UPDATE hints SET state = :state, found = :found WHERE {the_seat} AND decision = :decision AND state = 'wanted'

-- name: of_player
SELECT at, match, seat FROM reviews WHERE partition = :partition AND player = :player AND state = 'done'
ORDER BY at DESC, match DESC LIMIT :most
