-- Standing orders: which seats have some. What they say stands in the seats' private logs.
CREATE TABLE orders (
    partition integer NOT NULL,
    match text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    judged bigint NOT NULL,
    PRIMARY KEY (partition, match, seat)
);
