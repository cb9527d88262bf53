-- Where a session's process runs: a host name alone says too little, as containers and machines share names. Sessions from
-- before have none of these, and nobody takes their processes for dead: their leases run out.
ALTER TABLE agents ADD COLUMN machine      text;  -- host name, boot and space of process numbers
ALTER TABLE agents ADD COLUMN started_by   text;  -- the process that called start_session
ALTER TABLE agents ADD COLUMN key_hash     text;  -- of the key that ends the session; null: from before there were keys
ALTER TABLE agents ADD COLUMN in_flight_on text;  -- the machine whose broker saw the long call of a tool

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
ALTER TABLE verdicts ADD COLUMN known_by text;
ALTER TABLE verdicts ADD COLUMN engine   text;
ALTER TABLE overrides ADD COLUMN known_by text;
ALTER TABLE overrides ADD COLUMN engine   text;
