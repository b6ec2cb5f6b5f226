-- Queries about deliveries, and what stores and deletes them: see `service.store.deliveries`.

-- name: new
partition, home, id, channel, target, player, kind, seat, decision, body, at, status, asked, due, tries

-- name: about
:kind, CAST(:seat AS integer), CAST(:decision AS bigint), :body, :at

-- name: once
ON CONFLICT (partition, id) DO NOTHING

-- name: or_again
-- one that was dropped before it was told, and is true again
ON CONFLICT (partition, id) DO UPDATE
SET status = excluded.status, at = excluded.at, due = excluded.due, asked = 0, tries = 0
WHERE deliveries.status = '{dropped}'

-- name: to_subscriptions
-- who subscribes without an address fetches
INSERT INTO deliveries ({new})
SELECT :partition, :home, id || '_' || :key, channel, id, player, {about},
    CASE WHEN address = '' THEN '{held}' ELSE '{waiting}' END, 0, :due, 0
FROM subscriptions WHERE player = :player AND disabled IS NULL AND (created <= :at OR created > :now)
    AND kinds LIKE :wanted
{or_again}

-- name: row_by_mail
INSERT INTO deliveries ({new})
SELECT :partition, :home, '{mail}:' || player || '_' || :key, '{mail}', player, player, {about}

-- name: to_player
0, :due, 0 FROM mailing WHERE player = :player AND stopped = '' AND turns

-- name: turn_by_mail
{row_by_mail}, '{waiting}', {to_player} = 'each' {once}

-- name: reminder_by_mail
{row_by_mail}, '{waiting}', {to_player} <> 'none' {once}

-- name: as_news
CASE turns WHEN 'digest' THEN '{held}' ELSE '{waiting}' END, {to_player} <> '' AND news = 1

-- name: news_by_mail
{row_by_mail}, {as_news} {once}

-- name: asked_by_mail
{row_by_mail}, {as_news} {or_again}

-- name: page
SELECT {all} FROM deliveries WHERE partition = :partition AND target = :target
    AND (at, id) < (:moment, :after) ORDER BY at DESC, id DESC LIMIT :limit

-- name: find
SELECT {all} FROM deliveries WHERE partition = :partition AND id = :id

-- name: held_for
SELECT {all} FROM deliveries WHERE partition = :partition AND player = :player AND status = '{held}'
    AND target = :target
    AND (decision IS NULL OR EXISTS (SELECT 1 FROM decisions WHERE decisions.partition = :partition
        AND decisions.match = deliveries.home AND decisions.seat = deliveries.seat
        AND decisions.since = deliveries.decision AND decisions.who = 'player:' || deliveries.player))

-- name: is_due
partition = :partition AND channel = :channel AND status = '{waiting}' AND due <= :now

-- name: who_is_due
SELECT player, min(due) FROM deliveries WHERE {is_due} GROUP BY player ORDER BY min(due) LIMIT :most

-- name: is_to_failing
EXISTS (SELECT 1 FROM subscriptions WHERE subscriptions.id = deliveries.target AND failing IS NOT NULL)

-- name: in_turn
-- letters first: the answer to a player's mail tells their next turn as well
ORDER BY target <> '', due, kind <> 'match.started', id LIMIT :limit

-- name: due
SELECT {all} FROM deliveries WHERE {is_due} AND player = :player AND NOT {is_to_failing} {in_turn}

-- name: due_to_failing
SELECT {all} FROM deliveries WHERE {is_due} AND player = :player AND {is_to_failing} {in_turn}

-- name: is_open
SELECT due FROM decisions WHERE {the_seat} AND since = :decision AND who = :who

-- name: change
UPDATE deliveries SET status = :status, due = :due, tries = :tries, tried = :tried, answer = :answer,
    problem = :problem
WHERE partition = :partition AND id = :id AND status = :was AND due = :before

-- name: tell
UPDATE deliveries SET status = :status
WHERE partition = :partition AND id = :id AND status IN ('{held}', '{waiting}')

-- name: again
UPDATE deliveries SET status = '{waiting}', asked = 1, due = :now, tries = 0
WHERE partition = :partition AND id = :id AND (status <> '{waiting}' OR due > :soon)

-- name: release
UPDATE deliveries SET status = '{waiting}', due = :now
WHERE partition = :partition AND player = :player AND target = :player AND status = '{held}'

-- name: forget
-- A notice that is still true would be noted again, and sent again. Notices for mail that wait for so long are old: no
-- mail is sent there.
DELETE FROM deliveries WHERE partition = :partition AND due <= :horizon AND status <> '{noted}'
    AND (status <> '{waiting}' OR target = player)
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE decisions.partition = :partition
        AND decisions.match = deliveries.home AND decisions.seat = deliveries.seat
        AND decisions.since = deliveries.decision)
    AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.partition = :partition AND matches.id = deliveries.home
        AND matches.status = 'open')
