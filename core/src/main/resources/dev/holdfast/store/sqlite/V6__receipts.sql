-- What of a content was shown to whoever judges it: one row for each grant and content, its ranges merged.
-- Times are microseconds since 1970 of the lease clock.
CREATE TABLE receipts (
    review_id  TEXT    NOT NULL REFERENCES reviews (id),
    round      INTEGER NOT NULL,  -- the content, as in revisions
    number     INTEGER NOT NULL,
    generation INTEGER NOT NULL,  -- the grant
    reviewer   TEXT    NOT NULL,
    ranges     TEXT    NOT NULL,  -- from-to, from-to, ... in characters; to is the first that was not shown
    characters INTEGER NOT NULL,  -- of the whole content
    at         INTEGER NOT NULL,  -- when something new was last shown
    PRIMARY KEY (review_id, round, number, generation, reviewer)
) WITHOUT ROWID;

-- Whether whoever gave a verdict had been shown all of the content. Null: nobody knows, it is older than receipts, or imported.
ALTER TABLE verdicts ADD COLUMN read_all INTEGER;
