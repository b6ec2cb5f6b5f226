-- Standing orders: which seats have some. What they say stands in the seats' private logs.
CREATE TABLE orders (
    partition INTEGER NOT NULL,
    match TEXT NOT NULL,
    seat INTEGER NOT NULL,
    judged INTEGER NOT NULL,
    PRIMARY KEY (partition, match, seat)
) STRICT;
