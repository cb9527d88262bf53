-- Where a session's process runs: a host name alone says too little, as containers and machines share names. Sessions from
-- before have none of these, and nobody takes their processes for dead: their leases run out.
ALTER TABLE agents ADD COLUMN machine      TEXT;  -- host name, boot and space of process numbers
ALTER TABLE agents ADD COLUMN started_by   TEXT;  -- the process that called start_session
ALTER TABLE agents ADD COLUMN key_hash     TEXT;  -- of the key that ends the session; null: from before there were keys
ALTER TABLE agents ADD COLUMN in_flight_on TEXT;  -- the machine whose broker saw the long call of a tool

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
ALTER TABLE verdicts ADD COLUMN known_by TEXT;
ALTER TABLE verdicts ADD COLUMN engine   TEXT;
ALTER TABLE overrides ADD COLUMN known_by TEXT;
ALTER TABLE overrides ADD COLUMN engine   TEXT;
