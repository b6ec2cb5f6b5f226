-- What came with imported matches beside their events: keys, receipts, what a fork goes on from.

CREATE TABLE proofs (
    match TEXT NOT NULL PRIMARY KEY,
    proof BLOB NOT NULL
) STRICT, WITHOUT ROWID;
