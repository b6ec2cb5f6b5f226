-- Queries about accounts, and statements that change them: see `service.store.people`.

-- name: players
SELECT id, name, kind, email, created, owner, login, confirmed, email_next, password IS NOT NULL FROM players

-- name: player
{players} WHERE id = :id

-- name: owned
{players} WHERE owner = :owner ORDER BY created, id

-- name: learnt
SELECT game FROM learnt WHERE player = :player ORDER BY game

-- name: is_recovery_asked
SELECT 1 FROM recoveries WHERE hash = :hash AND at > :since

-- name: passes
SELECT id, created, expires, player IS NOT NULL FROM passes WHERE maker = :maker ORDER BY created, id

-- name: is_good_pass
SELECT 1 FROM passes WHERE hash = :hash AND player IS NULL AND expires > :at

-- name: tokens
SELECT id, name, scopes, created, expires, kind, used FROM tokens WHERE player = :player ORDER BY number

-- name: hand_out
INSERT INTO tokens (hash, id, player, name, scopes, created, expires, kind, used, number)
SELECT :hash, :id, :player, :name, :scopes, :created, :expires, :kind, :used, coalesce(max(number), 0) + 1
FROM tokens WHERE player = :player

-- name: is_erased
EXISTS (SELECT 1 FROM players WHERE id = :maker AND kind = 'erased')

-- name: demand_account
{fail} WHERE {is_erased}

-- name: demand_no_bots
{fail} WHERE EXISTS (SELECT 1 FROM players WHERE owner = :maker)

-- name: demand_room
{fail} WHERE (SELECT count(*) FROM players WHERE owner = :maker) >= :most OR {is_erased}

-- name: opened
SELECT count(*) FROM matches WHERE partition = :partition AND creator = :maker AND status IN ('open', 'playing')

-- name: demand_opened
{fail} WHERE ({opened}) > :most

-- name: invited
SELECT count(*) FROM seats JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
WHERE matches.partition = :partition AND matches.status = 'open' AND matches.creator = :maker
    AND seats.reserved <> matches.creator AND seats.player IS NULL

-- name: demand_invited
{fail} WHERE ({invited}) > :most

-- name: demand_made
{fail} WHERE NOT EXISTS (SELECT 1 FROM passes WHERE hash = :hash)

-- name: demand_password
{fail} WHERE {is_erased} OR NOT EXISTS (SELECT 1 FROM players WHERE id = :maker AND coalesce(password, '') = :known)

-- name: demand_way_in
-- the player is there already
INSERT INTO players SELECT * FROM players WHERE id = :player
    AND password IS NOT NULL AND login IS NULL AND confirmed IS NULL

-- name: forget_unconfirmed
UPDATE players SET email_next = NULL, email = CASE WHEN confirmed IS NULL THEN NULL ELSE email END WHERE id = :player

-- name: end_all_tokens
DELETE FROM tokens WHERE player = :player OR player IN (SELECT id FROM players WHERE owner = :player)

-- name: say_first_address
UPDATE players SET email = :email WHERE id = :player AND confirmed IS NULL

-- name: say_next_address
UPDATE players SET email_next = CASE WHEN email = :email THEN NULL ELSE :email END
WHERE id = :player AND confirmed IS NOT NULL

-- name: confirm_address
UPDATE players SET email = :email, email_next = NULL, confirmed = :at, mailbox = :mailbox
WHERE id = :player AND (email_next = :email OR (confirmed IS NULL AND email = :email))

-- name: demand_address
{fail} WHERE NOT EXISTS (SELECT 1 FROM players WHERE id = :player AND email = :email AND confirmed = :at)

-- name: forget_address
UPDATE players SET email = NULL, email_next = NULL, confirmed = NULL, mailbox = NULL WHERE id = :player

-- name: forget_passes
DELETE FROM passes WHERE maker = :maker AND created <= :since AND (expires <= :created OR player IS NOT NULL)

-- name: make_pass
INSERT INTO passes (hash, id, maker, created, expires, player)
SELECT :hash, :id, :maker, :created, :expires, NULL
WHERE (SELECT count(*) FROM passes WHERE maker = :maker AND created > :since) < :most AND NOT {is_erased}

-- name: take_pass
UPDATE passes SET player = :player WHERE hash = :hash AND player IS NULL AND expires > :at

-- name: demand_pass
{fail} WHERE NOT EXISTS (SELECT 1 FROM passes WHERE hash = :hash AND player = :player)
