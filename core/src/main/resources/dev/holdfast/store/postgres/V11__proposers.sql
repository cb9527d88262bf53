-- Who handed in each round, as far as it was known. All of them are proposers of the review, and none may judge it.
CREATE TABLE proposers (
    review_id text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    round     int         NOT NULL,
    agent     text,                 -- who it was; null: not known, or one of several in kin
    known_by  text        NOT NULL CHECK (known_by IN ('token', 'session', 'name', 'nothing')),
    engine    text,                 -- what it was: claude, codex, person, ...
    kin       text        NOT NULL, -- a JSON array: the agents that count as this one
    process   text,
    at        timestamptz NOT NULL,
    PRIMARY KEY (review_id, round)
);

-- What was known of whoever gave a verdict or opened the gate.
ALTER TABLE verdicts ADD COLUMN agent    text;  -- who it was, whatever name it reviewed under
ALTER TABLE verdicts ADD COLUMN known_by text;
ALTER TABLE verdicts ADD COLUMN engine   text;
ALTER TABLE overrides ADD COLUMN known_by text;
