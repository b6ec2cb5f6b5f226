-- How many matches somebody has opened that are not over.
CREATE INDEX matches_by_creator ON matches (partition, creator, status);
