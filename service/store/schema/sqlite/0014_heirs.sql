-- Seats are offered to bots too: "" where it is to a player, who is "" where it is to a bot.
ALTER TABLE offers ADD COLUMN bot TEXT NOT NULL DEFAULT '';
