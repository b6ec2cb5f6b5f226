-- The statements of `one_outbox.py`, where text is {text}. None contains a semicolon but at its end.
ALTER TABLE webhooks RENAME TO subscriptions;
ALTER TABLE subscriptions RENAME COLUMN url TO address;
ALTER TABLE deliveries RENAME COLUMN webhook TO target;
ALTER TABLE subscriptions ADD COLUMN channel {text} DEFAULT 'webhook' NOT NULL;
ALTER TABLE deliveries ADD COLUMN channel {text} DEFAULT 'webhook' NOT NULL;
DROP INDEX webhooks_by_player;
DROP INDEX deliveries_by_due;
DROP INDEX deliveries_by_webhook;
CREATE UNIQUE INDEX subscriptions_by_player ON subscriptions (player, channel, number);
CREATE UNIQUE INDEX subscriptions_by_secret ON subscriptions (channel, secret);
CREATE INDEX deliveries_by_due ON deliveries (partition, channel, status, due);
CREATE INDEX deliveries_by_player ON deliveries (partition, player, status);
CREATE INDEX deliveries_by_target ON deliveries (partition, target, at, id);

-- once the rows are carried over:

-- The follower of webhooks continues as `notices`, from the position of the follower of mail if that was behind. What it
-- stores again is there already, if it is not older than {horizon}, a few days ago: mail may have been switched off long
-- before.
UPDATE positions SET position = coalesce((SELECT min(events.position) - 1 FROM events, positions AS mail
    WHERE mail.partition = positions.partition AND mail.follower = 'mail'
    AND events.partition = positions.partition AND events.position > mail.position
    AND events.position <= positions.position AND events.at >= '{horizon}'), positions.position)
    WHERE follower = 'webhooks';
DELETE FROM positions WHERE follower = 'mail';
UPDATE positions SET follower = 'notices' WHERE follower = 'webhooks';
DELETE FROM set_aside WHERE follower IN ('mail', 'webhooks') AND EXISTS (SELECT 1 FROM set_aside AS other
    WHERE other.partition = set_aside.partition AND other.match = set_aside.match
    AND other.follower IN ('mail', 'webhooks') AND (other.position < set_aside.position
    OR other.position = set_aside.position AND other.follower < set_aside.follower));
UPDATE set_aside SET follower = 'notices', again = 1 WHERE follower IN ('mail', 'webhooks');
DROP TABLE outbox;
DROP TABLE tidings;
