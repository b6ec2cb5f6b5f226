-- Queries about messages at tables and reports, and what changes them: see `service.store.talk`.

-- name: messages
SELECT talk.change, talk.number, talk.seat, talk.player, players.name, players.kind, talk.text, talk.at FROM talk
LEFT JOIN players ON players.id = talk.player WHERE talk.partition = :partition AND talk.match = :match

-- name: since
{messages} AND talk.change > :since ORDER BY talk.change LIMIT :limit

-- name: before
{messages} AND talk.number < :before ORDER BY talk.number DESC LIMIT :limit

-- name: message
{messages} AND talk.number = :number

-- name: last
SELECT coalesce(max(change), 0) FROM talk WHERE {the_match}

-- name: count
SELECT count(*) FROM talk WHERE {the_match} AND player = :player

-- name: reports
SELECT reports.at, reports.match, reports.number, reports.reporter, reporting.name, reporting.kind, reports.author,
    talking.name, talking.kind, reports.seat, reports.text, reports.reason
FROM reports LEFT JOIN players AS reporting ON reporting.id = reports.reporter
LEFT JOIN players AS talking ON talking.id = reports.author
WHERE reports.partition = :partition
    AND (reports.at > :at OR (reports.at = :at AND (reports.match, reports.number, reports.reporter)
        > (:match, :number, :reporter)))
ORDER BY reports.at, reports.match, reports.number, reports.reporter LIMIT :limit

-- name: mutes
SELECT mutes.muted, players.name, players.kind, mutes.at FROM mutes LEFT JOIN players ON players.id = mutes.muted
WHERE mutes.player = :player ORDER BY mutes.at, mutes.muted

-- name: demand_mute
{fail} WHERE (SELECT count(*) FROM mutes WHERE player = :player AND muted <> :muted) >= :most

-- name: the_message
{the_match} AND number = :number

-- name: erase
UPDATE talk SET text = NULL, change = (
    SELECT max(said.change) + 1 FROM talk AS said WHERE said.partition = :partition AND said.match = :match)
WHERE {the_message} AND text IS NOT NULL

-- name: report
INSERT INTO reports (partition, match, number, reporter, author, seat, text, reason, at)
SELECT partition, match, number, :reporter, player, seat, text, :reason, :at FROM talk
WHERE {the_message} AND text IS NOT NULL ON CONFLICT DO NOTHING

-- name: settle
DELETE FROM reports WHERE {the_message}
