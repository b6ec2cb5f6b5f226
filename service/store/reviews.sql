-- Queries about reviews of matches and about hints, and what changes them: see `service.store.reviews`.

-- name: review
SELECT state, total, account FROM reviews WHERE {the_seat}

-- name: found
SELECT found FROM judged WHERE {the_seat} ORDER BY number

-- name: wanted
SELECT seat, (SELECT count(*) FROM judged WHERE judged.partition = reviews.partition AND judged.match = reviews.match
    AND judged.seat = reviews.seat)
FROM reviews WHERE {the_match} AND state = 'wanted' ORDER BY at, seat

-- name: due
SELECT at, match FROM reviews WHERE partition = :partition AND state = 'wanted' ORDER BY at, match LIMIT :most

-- name: want
INSERT INTO reviews (partition, match, seat, at, state) VALUES (:partition, :match, :seat, :at, 'wanted')
ON CONFLICT (partition, match, seat) DO UPDATE SET state = 'wanted', at = excluded.at
WHERE reviews.state IN ('stopped', 'failed')

-- name: wish
INSERT INTO review_wishes (partition, match, seat, player, at) VALUES (:partition, :match, :seat, :player, :at)
ON CONFLICT (partition, match, seat, player) DO UPDATE SET at = excluded.at

-- name: has_wish
SELECT 1 FROM review_wishes WHERE {the_seat} AND player = :player

-- name: hold
-- of two transactions that change who wants a review, the second waits here for the first
UPDATE reviews SET state = state WHERE {the_seat}

-- name: wish_no_more
DELETE FROM review_wishes WHERE {the_seat} AND player = :player
AND EXISTS (SELECT 1 FROM reviews WHERE {the_seat} AND state = 'wanted')

-- name: stop
UPDATE reviews SET state = 'stopped' WHERE {the_seat} AND state = 'wanted'
AND NOT EXISTS (SELECT 1 FROM review_wishes WHERE {the_seat})

-- name: count
UPDATE reviews SET total = :total WHERE {the_seat}

-- name: end
UPDATE reviews SET state = :state, account = :account WHERE {the_seat} AND state = 'wanted'

-- name: hints
SELECT seat, decision, state, found FROM hints WHERE {the_match} ORDER BY decision, seat

-- name: due_hints
SELECT at, match FROM hints WHERE partition = :partition AND state = 'wanted' ORDER BY at DESC, match DESC LIMIT :most

-- name: want_hint
INSERT INTO hints (partition, match, seat, decision, at, state)
VALUES (:partition, :match, :seat, :decision, :at, 'wanted') ON CONFLICT DO NOTHING

-- name: end_hint
UPDATE hints SET state = :state, found = :found WHERE {the_seat} AND decision = :decision AND state = 'wanted'

-- name: of_player
SELECT wishes.at, wishes.match, wishes.seat FROM review_wishes AS wishes
JOIN reviews ON reviews.partition = wishes.partition AND reviews.match = wishes.match AND reviews.seat = wishes.seat
WHERE wishes.partition = :partition AND wishes.player = :player AND reviews.state = 'done'
ORDER BY wishes.at DESC, wishes.match DESC LIMIT :most
