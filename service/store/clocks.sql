-- Queries about the clocks of matches: see `service.store.clocks`.

-- name: terms
SELECT preset, bot, resignation, outage FROM clocks WHERE {the_match}

-- name: played
SELECT clocks.match FROM clocks JOIN matches ON matches.partition = clocks.partition AND matches.id = clocks.match
WHERE clocks.partition = :partition AND clocks.match > :after AND matches.status = 'playing'
    AND matches.allowance IS NOT NULL
ORDER BY clocks.match LIMIT :most

-- name: pause
SELECT reason, since, due FROM pauses WHERE {the_match}

-- name: demand_wishes
{fail} WHERE EXISTS (SELECT 1 FROM seats WHERE {the_match} AND seat <> :seat
    AND {is_asked_itself} AND pausing = 0)

-- name: reminders
SELECT seat, since FROM reminders WHERE {the_match} AND at <= :now

-- name: is_reminded
SELECT 1 FROM reminded WHERE {the_seat} AND since = :since

-- name: vacations
SELECT id, since, until, days FROM vacations WHERE player = :player AND until > :after ORDER BY since

-- name: due
SELECT match, due FROM (SELECT match, due FROM decisions
    WHERE decisions.partition = :partition AND due <> '' AND due <= :now ORDER BY due LIMIT :most) AS late
UNION ALL SELECT match, at FROM (SELECT match, at FROM reminders
    WHERE reminders.partition = :partition AND at <= :now ORDER BY at LIMIT :most) AS slow
UNION ALL SELECT match, due FROM (SELECT match, due FROM pauses
    WHERE pauses.partition = :partition AND due <= :now ORDER BY due LIMIT :most) AS paused

-- name: pulse
SELECT at FROM pulse WHERE name = 'clocks'

-- name: outages
SELECT id, began, ended FROM outages WHERE id > :after AND ended > :asked ORDER BY id

-- name: latest_outage
SELECT coalesce(max(id), 0) FROM outages
