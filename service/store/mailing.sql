-- Queries and statements about what players want by mail: see `service.store.mailing`.

-- name: wishes
SELECT {columns} FROM mailing JOIN players ON players.id = mailing.player AND players.email = mailing.address
    AND players.confirmed IS NOT NULL

-- name: of_player
{wishes} WHERE player = :player

-- name: digests
{wishes} WHERE digest <> '' AND digest <= :now ORDER BY digest LIMIT :most

-- name: is_quiet
SELECT 1 FROM quiet WHERE {the_match} AND player = :player

-- name: quiet
SELECT match FROM quiet WHERE partition = :partition AND player = :player

-- name: change
UPDATE mailing SET lang = :lang, turns = :turns, news = :news, hour = :hour, zone = :zone, digest = :digest,
    stopped = :stopped, bounces = :bounces
WHERE player = :player AND lang = :was_lang AND turns = :was_turns AND news = :was_news AND hour = :was_hour
    AND zone = :was_zone AND digest = :was_digest AND stopped = :was_stopped AND bounces = :was_bounces

-- name: demand_changed
{fail} WHERE NOT EXISTS (SELECT 1 FROM mailing WHERE player = :player AND lang = :lang AND turns = :turns AND news = :news
    AND hour = :hour AND zone = :zone AND digest = :digest AND stopped = :stopped AND bounces = :bounces)

-- name: confirm
INSERT INTO mailing (player, address, lang, turns, news, hour, zone, digest, stopped, bounces, answers, answers_since)
VALUES (:player, :address, :lang, 'each', 1, 7, 'UTC', '', '', 0, 0, '')
ON CONFLICT (player) DO UPDATE SET address = excluded.address, stopped = '', bounces = 0,
    digest = CASE WHEN mailing.turns = 'digest' AND mailing.digest = '' THEN :now ELSE mailing.digest END

-- name: bounce
UPDATE mailing SET bounces = bounces + 1,
    stopped = CASE WHEN bounces + 1 >= :enough AND stopped = '' THEN 'bounced' ELSE stopped END
WHERE player = :player AND address = :address

-- name: heard
UPDATE mailing SET bounces = 0, stopped = CASE WHEN stopped = 'bounced' THEN '' ELSE stopped END
WHERE player = :player AND bounces > 0

-- name: answer
UPDATE mailing SET answers = CASE WHEN answers_since > :horizon THEN answers + 1 ELSE 1 END,
    answers_since = CASE WHEN answers_since > :horizon THEN answers_since ELSE :now END
WHERE player = :player AND (answers_since <= :horizon OR answers < :most)

-- name: hold_mailing
-- of two processes that post the digest at once the second waits here for the first, and then finds it posted
UPDATE mailing SET digest = digest WHERE player = :player

-- name: post_digest
INSERT INTO deliveries ({new})
SELECT :partition, player, :id, '{mail}', '', player, '{digest}', NULL, NULL, :body, :now, '{waiting}', 0, :now, 0
FROM mailing WHERE player = :player AND digest = :digest AND NOT EXISTS (
    SELECT 1 FROM deliveries WHERE partition = :partition AND player = :player AND kind = '{digest}')
ON CONFLICT (partition, id) DO NOTHING
