-- Queries about subscriptions, and how one is made: see `service.store.notices`.

-- name: of_player
SELECT {all} FROM subscriptions WHERE player = :player AND channel = :channel ORDER BY number

-- name: find
SELECT {all} FROM subscriptions WHERE id = :id

-- name: by_secret
SELECT {all} FROM subscriptions WHERE channel = :channel AND secret = :secret

-- name: subscribe
INSERT INTO subscriptions (id, channel, player, number, name, address, kinds, secret, created)
SELECT :id, :channel, :player, coalesce(max(number), 0) + 1, :name, :address, :kinds, :secret, :created
FROM subscriptions WHERE player = :player AND channel = :channel HAVING count(*) < :most

-- name: demand_subscribed
{fail} WHERE NOT EXISTS (SELECT 1 FROM subscriptions WHERE id = :id)

-- name: in_place
ON CONFLICT (player, channel, number) DO UPDATE SET id = excluded.id, name = excluded.name, address = excluded.address,
    kinds = excluded.kinds, secret = excluded.secret, created = excluded.created, failing = NULL, disabled = NULL,
    reason = NULL

-- name: listens
SELECT 1 FROM subscriptions WHERE player = :player AND disabled IS NULL
UNION ALL SELECT 1 FROM mailing WHERE player = :player AND stopped = '' LIMIT 1

-- name: of_account
(player = :player OR player IN (SELECT id FROM players WHERE owner = :player))

-- name: end_fetched
DELETE FROM subscriptions WHERE address = '' AND {of_account}

-- name: end_sent
UPDATE subscriptions SET disabled = :at, reason = 'owner' WHERE address <> '' AND disabled IS NULL AND {of_account}
