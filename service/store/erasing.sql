-- What erases a person: see `service.store.people`.

-- name: in_matches
-- both kinds of reports at once: two who reported each other are perhaps erased at once, and take them in one order
UPDATE reports SET text = CASE WHEN author = :player THEN NULL ELSE text END, author = nullif(author, :player)
WHERE partition = :partition AND (reporter = :player OR author = :player);
DELETE FROM reports WHERE partition = :partition AND reporter = :player;
-- each message gets a change number of its own, greater than all before, also where a row sees those that are changed
UPDATE talk SET text = NULL, player = NULL, change = (
    SELECT max(said.change) FROM talk AS said WHERE said.partition = :partition AND said.match = talk.match
) + (
    SELECT count(*) FROM talk AS own WHERE own.partition = :partition AND own.match = talk.match
    AND own.player = :player AND own.number <= talk.number)
WHERE partition = :partition AND player = :player;
DELETE FROM consents WHERE partition = :partition AND EXISTS (
    SELECT 1 FROM offers WHERE offers.partition = :partition AND offers.match = consents.match
    AND offers.seat = consents.seat AND offers.player = :player);
DELETE FROM offers WHERE partition = :partition AND player = :player;
DELETE FROM deliveries WHERE partition = :partition AND player = :player;
DELETE FROM quiet WHERE partition = :partition AND player = :player;
DELETE FROM review_wishes WHERE partition = :partition AND player = :player

-- name: everywhere
UPDATE players SET name = '', kind = 'erased', email = NULL, owner = NULL, login = NULL, password = NULL,
    confirmed = NULL, mailbox = NULL, email_next = NULL
WHERE id = :player;
DELETE FROM mutes WHERE player = :player OR muted = :player;
DELETE FROM tokens WHERE player = :player;
DELETE FROM mailing WHERE player = :player;
DELETE FROM vacations WHERE player = :player;
DELETE FROM learnt WHERE player = :player;
DELETE FROM subscriptions WHERE player = :player;
DELETE FROM passes WHERE maker = :player OR player = :player
