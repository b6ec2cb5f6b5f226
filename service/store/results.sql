-- Queries and counts of finished matches: see `service.store.results`.

-- name: end
-- the event that breaks a match off is no move
UPDATE matches SET ended = :at, how = :how, moves = :moves, moved = coalesce(:moved, (
    SELECT events.at FROM events WHERE events.partition = :partition AND events.stream = :match
    AND events.{is_move} ORDER BY events.version DESC LIMIT 1))
WHERE partition = :partition AND id = :match

-- name: score
UPDATE seats SET points = :points, place = :place, has_quit = :has_quit, by_clock = :by_clock, handed = :handed
WHERE {the_seat}

-- name: untold
SELECT id FROM matches WHERE partition = :partition AND status IN ('finished', 'aborted') AND ended IS NULL

-- name: page
SELECT match, created, seat FROM history WHERE partition = :partition AND player = :player
    AND (created, match) < (:moment, :after)
ORDER BY created DESC, match DESC LIMIT :limit

-- name: against
WITH page AS (
    SELECT partition, created, match, seat FROM history WHERE partition = :partition AND player = :player
    ORDER BY created DESC, match DESC LIMIT :limit
)
SELECT page.created, page.match, others.player, others.bot, players.name, players.kind
FROM page JOIN seats AS others ON others.partition = :partition AND others.match = page.match
    AND others.seat <> page.seat
LEFT JOIN players ON players.id = others.player

-- name: beside
-- the other players of the player's newest matches that are running
SELECT DISTINCT others.player, players.name, players.kind FROM (
    SELECT match FROM seats WHERE partition = :partition AND player = :player AND status = 'playing'
    ORDER BY created DESC, match DESC LIMIT :limit) AS mine
JOIN seats AS others ON others.partition = :partition AND others.match = mine.match AND others.player <> :player
JOIN players ON players.id = others.player

-- name: played
SELECT seats, matches, moves, least, most FROM played WHERE partition = :partition AND game = :game

-- name: results
SELECT who, game, seats, matches, won, shared, points FROM results WHERE partition = :partition

-- name: results_in_game
{results} AND who >= :first AND who < :end AND game = :game

-- name: own_results
{results} AND who = :who

-- name: credit
INSERT INTO results (partition, who, game, seats, matches, won, shared, points)
VALUES (:partition, :who, :game, :seats, 1, :won, :shared, :points)
ON CONFLICT (partition, who, game, seats) DO UPDATE SET matches = results.matches + 1,
    won = results.won + excluded.won, shared = results.shared + excluded.shared,
    points = results.points + excluded.points

-- name: count
INSERT INTO played (partition, game, seats, matches, moves, least, most)
VALUES (:partition, :game, :seats, 1, :moves, :moves, :moves)
ON CONFLICT (partition, game, seats) DO UPDATE SET matches = played.matches + 1,
    moves = played.moves + excluded.moves,
    least = CASE WHEN excluded.least < played.least THEN excluded.least ELSE played.least END,
    most = CASE WHEN excluded.most > played.most THEN excluded.most ELSE played.most END
