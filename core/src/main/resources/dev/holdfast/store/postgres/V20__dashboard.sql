-- What a person keeps while reading a review: what is written and not sent yet, and which round was last looked at.
CREATE TABLE review_desks (
    review_id text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    person    text        COLLATE "C" NOT NULL,
    draft     text,                  -- JSON; null: nothing is written
    before    int,                   -- the round that was looked at before the last one; null: none
    looked    int         NOT NULL,  -- the newest round that was looked at
    at        timestamptz NOT NULL,
    PRIMARY KEY (review_id, person)
);

-- How much waited, minute by minute, for charts; by minutes since 1970.
CREATE TABLE queue_samples (
    minute         bigint NOT NULL,
    kind           text   COLLATE "C" NOT NULL,
    ready          bigint NOT NULL,
    held           bigint NOT NULL,
    oldest_seconds bigint NOT NULL,  -- how long the oldest ready one had waited
    PRIMARY KEY (minute, kind)
);

-- Verdicts of the last hours and days.
CREATE INDEX verdicts_at ON verdicts (at);
