-- The reviewers that brokers run, and those that they ran. Times are microseconds since 1970 of the lease clock.
CREATE TABLE reviewers (
    id                 TEXT    PRIMARY KEY,             -- what claims name as their holder: <engine>-r<n>-<session>
    display_name       TEXT    NOT NULL,
    session_token      TEXT    NOT NULL,                -- of the run of the broker; no secret
    broker             TEXT    NOT NULL,                -- holder of the broker's claim on its identity
    machine            TEXT    NOT NULL,                -- where it runs; pids count only there
    broker_pid         INTEGER NOT NULL,
    broker_started     INTEGER NOT NULL,                -- milliseconds, as the machine counts them; so is started
    project            TEXT,                            -- the only one it reviews; null: any
    project_key        TEXT    NOT NULL DEFAULT '',
    workspace          TEXT    NOT NULL,
    token_hash         TEXT    UNIQUE,                  -- null as soon as the token is worth nothing any more
    state              TEXT    NOT NULL CHECK (state IN ('active', 'draining', 'terminated')),
    pid                INTEGER,
    started            INTEGER,
    spawned_at         INTEGER NOT NULL,
    contact_at         INTEGER,                         -- when it was first heard of
    last_active_at     INTEGER NOT NULL,                -- when it last did something; waiting is nothing
    draining_at        INTEGER,
    drain_reason       TEXT,
    terminated_at      INTEGER,
    end_reason         TEXT,
    exit_code          INTEGER,
    last_output        TEXT,
    claims             INTEGER NOT NULL DEFAULT 0,
    reviews_completed  INTEGER NOT NULL DEFAULT 0,
    review_micros      INTEGER NOT NULL DEFAULT 0,
    approvals          INTEGER NOT NULL DEFAULT 0,
    rejections         INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX reviewers_live    ON reviewers (id) WHERE state <> 'terminated';
CREATE INDEX reviewers_spawned ON reviewers (spawned_at);
CREATE INDEX reviewers_session ON reviewers (session_token, spawned_at);

-- How many reviews pool reviewers took, by minutes since 1970: what a limit per hour is judged by.
CREATE TABLE pool_minutes (minute INTEGER PRIMARY KEY, reviews INTEGER NOT NULL);

-- Who decides whether to start reviewers locks this row, so that brokers do not decide the same at the same time.
CREATE TABLE pool_turn (only_row INTEGER PRIMARY KEY CHECK (only_row = 1));
INSERT INTO pool_turn VALUES (1);
