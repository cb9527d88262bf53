-- What of a content was shown to whoever judges it: one row for each grant and content, its ranges merged.
CREATE TABLE receipts (
    review_id  text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    round      int         NOT NULL,  -- the content, as in revisions
    number     int         NOT NULL,
    generation bigint      NOT NULL,  -- the grant
    reviewer   text        COLLATE "C" NOT NULL,
    ranges     text        NOT NULL,  -- from-to, from-to, ... in characters; to is the first that was not shown
    characters int         NOT NULL,  -- of the whole content
    at         timestamptz NOT NULL,  -- when something new was last shown
    PRIMARY KEY (review_id, round, number, generation, reviewer)
) WITH (fillfactor = 80);

-- Whether whoever gave a verdict had been shown all of the content. Null: nobody knows, it is older than receipts, or imported.
ALTER TABLE verdicts ADD COLUMN read_all boolean;
