-- What a person keeps while reading a review: what is written and not sent yet, and which round was last looked at.
CREATE TABLE review_desks (
    review_id TEXT    NOT NULL REFERENCES reviews (id),
    person    TEXT    NOT NULL,
    draft     TEXT,               -- JSON; null: nothing is written
    before    INTEGER,            -- the round that was looked at before the last one; null: none
    looked    INTEGER NOT NULL,   -- the newest round that was looked at
    at        INTEGER NOT NULL,
    PRIMARY KEY (review_id, person)
) WITHOUT ROWID;

-- How much waited, minute by minute, for charts; by minutes since 1970.
CREATE TABLE queue_samples (
    minute       INTEGER NOT NULL,
    kind         TEXT    NOT NULL,
    ready        INTEGER NOT NULL,
    held         INTEGER NOT NULL,
    oldest_seconds INTEGER NOT NULL,  -- how long the oldest ready one had waited
    PRIMARY KEY (minute, kind)
) WITHOUT ROWID;

-- Verdicts of the last hours and days.
CREATE INDEX verdicts_at ON verdicts (at);
