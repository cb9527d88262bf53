-- Who handed in each round, as far as it was known. All of them are proposers of the review, and none may judge it.
CREATE TABLE proposers (
    review_id TEXT    NOT NULL REFERENCES reviews (id),
    round     INTEGER NOT NULL,
    agent     TEXT,             -- who it was; null: not known, or one of several in kin
    known_by  TEXT    NOT NULL CHECK (known_by IN ('token', 'session', 'name', 'nothing')),
    engine    TEXT,             -- what it was: claude, codex, person, ...
    kin       TEXT    NOT NULL, -- a JSON array: the agents that count as this one
    process   TEXT,
    at        INTEGER NOT NULL,
    PRIMARY KEY (review_id, round)
) WITHOUT ROWID;

-- What was known of whoever gave a verdict or opened the gate.
ALTER TABLE verdicts ADD COLUMN agent    TEXT;  -- who it was, whatever name it reviewed under
ALTER TABLE verdicts ADD COLUMN known_by TEXT;
ALTER TABLE verdicts ADD COLUMN engine   TEXT;
ALTER TABLE overrides ADD COLUMN known_by TEXT;
