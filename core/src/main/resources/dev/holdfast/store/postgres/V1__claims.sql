-- The one clock that leases are judged by: every broker and every client, whatever its own clock or time zone, by this.
CREATE FUNCTION lease_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

-- Everything that can be claimed, one narrow row each.
CREATE TABLE resources (
    key              text COLLATE "C" PRIMARY KEY,       -- kind:id
    kind             text        NOT NULL,
    queue            text        NOT NULL DEFAULT '',
    priority         smallint    NOT NULL DEFAULT 2,     -- 0 is the most urgent
    seq              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,  -- age: what was made first comes first
    labels           text        NOT NULL DEFAULT '[]',  -- a JSON array of texts
    not_before       timestamptz,                        -- ready, but not before this time
    state            text        NOT NULL CHECK (state IN ('ready', 'blocked', 'held', 'done')),
    kept             boolean     NOT NULL DEFAULT false, -- free, but kept out of claim-next until its status changes
    barred           boolean     NOT NULL DEFAULT false, -- held, but blocked as soon as nobody holds it any more
    holder           text,
    generation       bigint      NOT NULL DEFAULT 0,     -- + 1 on every grant and reclaim, never less
    acquired_at      timestamptz,
    renewed_at       timestamptz,
    expires_at       timestamptz,
    lease            bigint,                             -- microseconds that each renewal gives
    confirmed        boolean     NOT NULL DEFAULT false, -- the holder has shown that it knows of its grant
    request_id       text,                               -- of the current grant
    outer_key        text,                               -- a soft claim lives under this claim
    outer_generation bigint,
    ended_generation bigint,                             -- the last grant that ended: which, whose and how
    ended_by         text,
    ended_as         text,
    attempts         smallint    NOT NULL DEFAULT 0,     -- grants that failed or ran out since the last success
    most_attempts    smallint,                           -- parked as blocked when reached; null: never
    ready_since      timestamptz,                        -- when it last became ready
    note             text,                               -- from the last holder to the next
    CHECK ((state = 'held') = (holder IS NOT NULL)),
    CHECK (state <> 'held' OR outer_key IS NOT NULL OR expires_at IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX resources_ready ON resources (kind, queue, priority, seq) WHERE state = 'ready' AND NOT kept AND not_before IS NULL;
CREATE INDEX resources_due   ON resources (not_before) WHERE state = 'ready' AND not_before IS NOT NULL;
CREATE INDEX resources_held  ON resources (holder) WHERE state = 'held';
CREATE INDEX resources_idle  ON resources (ready_since) WHERE state = 'ready' AND kind IN ('path', 'key', 'reservation', 'broker');

-- Dropped rows of free-standing keys leave their highest generation here, so that later grants stay above it.
CREATE TABLE generation_floor (only_row int PRIMARY KEY CHECK (only_row = 1), generation bigint NOT NULL);
INSERT INTO generation_floor VALUES (1, 0);

-- What happened; written in the same transaction as the change it tells of. Ids are in the order of the changes of
-- each resource, not in the order of commits.
CREATE TABLE events (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL,
    type       text        NOT NULL,
    resource   text        COLLATE "C" NOT NULL,
    actor      text,
    generation bigint,
    detail     text,
    origin     int         NOT NULL
);
CREATE INDEX events_resource ON events (resource, id);

-- Claims that were taken from somebody who has not been told yet.
CREATE TABLE displacements (
    holder     text        NOT NULL,
    resource   text        NOT NULL,
    generation bigint      NOT NULL,
    reason     text        NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (holder, resource, generation)
);

CREATE TABLE agents (
    id           text        PRIMARY KEY,          -- what claims name as their holder
    session_id   text        NOT NULL UNIQUE,
    kind         text        NOT NULL,
    name         text,
    parent       text,
    host         text,
    pid          bigint,
    project      text,
    branch       text,
    started_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    ended_at     timestamptz,
    process_started_at timestamptz,                -- with host and pid: which process it is, whoever has that pid later
    in_flight_at timestamptz                       -- a long call of a tool was seen running
);
CREATE INDEX agents_live ON agents (id) WHERE ended_at IS NULL;
