-- Everything that can be claimed, one narrow row each. Times are microseconds since 1970 of the lease clock.
CREATE TABLE resources (
    seq              INTEGER PRIMARY KEY AUTOINCREMENT,  -- age: what was made first comes first
    key              TEXT    NOT NULL UNIQUE,            -- kind:id
    kind             TEXT    NOT NULL,
    queue            TEXT    NOT NULL DEFAULT '',
    priority         INTEGER NOT NULL DEFAULT 2,         -- 0 is the most urgent
    labels           TEXT    NOT NULL DEFAULT '[]',      -- a JSON array of texts
    not_before       INTEGER,                            -- ready, but not before this time
    state            TEXT    NOT NULL CHECK (state IN ('ready', 'blocked', 'held', 'done')),
    kept             INTEGER NOT NULL DEFAULT 0,         -- free, but kept out of claim-next until its status changes
    barred           INTEGER NOT NULL DEFAULT 0,         -- held, but blocked as soon as nobody holds it any more
    holder           TEXT,
    generation       INTEGER NOT NULL DEFAULT 0,         -- + 1 on every grant and reclaim, never less
    acquired_at      INTEGER,
    renewed_at       INTEGER,
    expires_at       INTEGER,
    lease            INTEGER,                            -- microseconds that each renewal gives
    confirmed        INTEGER NOT NULL DEFAULT 0,         -- the holder has shown that it knows of its grant
    request_id       TEXT,                               -- of the current grant
    outer_key        TEXT,                               -- a soft claim lives under this claim
    outer_generation INTEGER,
    ended_generation INTEGER,                            -- the last grant that ended: which, whose and how
    ended_by         TEXT,
    ended_as         TEXT,
    attempts         INTEGER NOT NULL DEFAULT 0,         -- grants that failed or ran out since the last success
    most_attempts    INTEGER,                            -- parked as blocked when reached; null: never
    ready_since      INTEGER,                            -- when it last became ready
    note             TEXT,                               -- from the last holder to the next
    CHECK ((state = 'held') = (holder IS NOT NULL)),
    CHECK (state <> 'held' OR outer_key IS NOT NULL OR expires_at IS NOT NULL)
);
CREATE INDEX resources_ready ON resources (kind, queue, priority, seq) WHERE state = 'ready' AND NOT kept AND not_before IS NULL;
CREATE INDEX resources_due   ON resources (not_before) WHERE state = 'ready' AND not_before IS NOT NULL;
CREATE INDEX resources_held  ON resources (holder) WHERE state = 'held';
CREATE INDEX resources_idle  ON resources (ready_since) WHERE state = 'ready' AND kind IN ('path', 'key', 'reservation', 'broker');

-- Dropped rows of free-standing keys leave their highest generation here, so that later grants stay above it.
CREATE TABLE generation_floor (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), generation INTEGER NOT NULL);
INSERT INTO generation_floor VALUES (1, 0);

-- What happened, in the order it happened; written in the same transaction as the change it tells of.
CREATE TABLE events (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    at         INTEGER NOT NULL,
    type       TEXT    NOT NULL,
    resource   TEXT    NOT NULL,
    actor      TEXT,
    generation INTEGER,
    detail     TEXT,
    origin     INTEGER NOT NULL
);
CREATE INDEX events_resource ON events (resource, id);

-- Claims that were taken from somebody who has not been told yet.
CREATE TABLE displacements (
    holder     TEXT    NOT NULL,
    resource   TEXT    NOT NULL,
    generation INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (holder, resource, generation)
) WITHOUT ROWID;

CREATE TABLE agents (
    id           TEXT    PRIMARY KEY,          -- what claims name as their holder
    session_id   TEXT    NOT NULL UNIQUE,
    kind         TEXT    NOT NULL,
    name         TEXT,
    parent       TEXT,
    host         TEXT,
    pid          INTEGER,
    project      TEXT,
    branch       TEXT,
    started_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    ended_at     INTEGER,
    process_started_at INTEGER,                -- with host and pid: which process it is, whoever has that pid later
    in_flight_at INTEGER                       -- a long call of a tool was seen running
);
CREATE INDEX agents_live ON agents (id) WHERE ended_at IS NULL;
