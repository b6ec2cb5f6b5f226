-- The lists and moments of matches, from the present `matches` and `seats`. See `service.store.listing`, which fills in
-- the shapes of lists, how fast a match is, and the one match that is asked about.

WITH shapes (kind, sort, stage, game, speed, seats, result) AS (VALUES {shapes}),
theirs (match, who) AS (
    SELECT matches.id, creator FROM matches WHERE partition = :partition{matches} AND creator IS NOT NULL
    UNION SELECT seats.match, player FROM seats WHERE partition = :partition{seats} AND player IS NOT NULL
    UNION SELECT seats.match, reserved FROM seats WHERE partition = :partition{seats} AND reserved IS NOT NULL
),
known (match, who, is_shown) AS (
    SELECT theirs.match, theirs.who, CASE WHEN matches.visibility = 'public' AND EXISTS (
        SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = theirs.match
        AND seats.player = theirs.who) THEN 1 ELSE 0 END
    FROM theirs CROSS JOIN matches WHERE matches.partition = :partition AND matches.id = theirs.match
),
scopes (match, kind, name, viewer, place) AS (
    SELECT matches.id, 'public', 'public', '', NULL FROM matches
    WHERE partition = :partition{matches} AND visibility = 'public'
    UNION ALL SELECT seats.match, 'player', 'player=' || player, '', place FROM seats
    JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match
    WHERE seats.partition = :partition{seats} AND visibility = 'public' AND player IS NOT NULL
    UNION ALL SELECT match, 'mine', 'mine=' || who, who, NULL FROM known WHERE is_shown = 0
    UNION ALL SELECT seats.match, CASE WHEN is_shown = 1 THEN 'both' ELSE 'player' END,
        'mine=' || who || '&player=' || player, who, place
    FROM known CROSS JOIN seats WHERE seats.partition = :partition AND seats.match = known.match
    AND player IS NOT NULL AND NOT (is_shown = 1 AND player = who)
),
staged AS (
    SELECT scopes.match, kind, name, place, game, size, created, ended, {speed} AS pace,
        '&status=' || status AS first_stage,
        CASE WHEN status = 'aborted' THEN '&how=' || how
            WHEN status = 'open' AND EXISTS (
                SELECT 1 FROM seats WHERE seats.partition = :partition AND seats.match = scopes.match
                AND seats.player IS NULL AND seats.bot IS NULL
                AND (seats.reserved IS NULL OR seats.reserved = viewer)) THEN '&free' END AS second_stage
    FROM scopes CROSS JOIN matches WHERE matches.partition = :partition AND matches.id = scopes.match
),
named (list, moment, match) AS (
    SELECT name || CASE shapes.stage WHEN 0 THEN '' WHEN 1 THEN first_stage ELSE second_stage END
        || CASE shapes.game WHEN 0 THEN '' ELSE '&game=' || staged.game END
        || CASE shapes.speed WHEN 0 THEN '' ELSE '&speed=' || pace END
        || CASE shapes.seats WHEN 0 THEN '' ELSE '&seats=' || size END
        || CASE WHEN shapes.result = 0 THEN '' WHEN place = 1 THEN '&result=won' WHEN place > 1 THEN '&result=lost' END
        || CASE sort WHEN 1 THEN '' ELSE '&ended' END,
        CASE sort WHEN 1 THEN created ELSE ended END, match
    FROM staged CROSS JOIN shapes WHERE shapes.kind = staged.kind
)
SELECT list, moment, match FROM named WHERE list IS NOT NULL AND moment IS NOT NULL
