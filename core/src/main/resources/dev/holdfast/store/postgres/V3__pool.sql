-- The reviewers that brokers run, and those that they ran.
CREATE TABLE reviewers (
    id                 text        PRIMARY KEY,         -- what claims name as their holder: <engine>-r<n>-<session>
    display_name       text        NOT NULL,
    session_token      text        NOT NULL,            -- of the run of the broker; no secret
    broker             text        NOT NULL,            -- holder of the broker's claim on its identity
    machine            text        NOT NULL,            -- where it runs; pids count only there
    broker_pid         bigint      NOT NULL,
    broker_started     bigint      NOT NULL,            -- milliseconds, as the machine counts them; so is started
    project            text,                            -- the only one it reviews; null: any
    project_key        text        NOT NULL DEFAULT '',
    workspace          text        NOT NULL,
    token_hash         text        UNIQUE,              -- null as soon as the token is worth nothing any more
    state              text        NOT NULL CHECK (state IN ('active', 'draining', 'terminated')),
    pid                bigint,
    started            bigint,
    spawned_at         timestamptz NOT NULL,
    contact_at         timestamptz,                     -- when it was first heard of
    last_active_at     timestamptz NOT NULL,            -- when it last did something; waiting is nothing
    draining_at        timestamptz,
    drain_reason       text,
    terminated_at      timestamptz,
    end_reason         text,
    exit_code          bigint,
    last_output        text,
    claims             bigint      NOT NULL DEFAULT 0,
    reviews_completed  bigint      NOT NULL DEFAULT 0,
    review_micros      bigint      NOT NULL DEFAULT 0,
    approvals          bigint      NOT NULL DEFAULT 0,
    rejections         bigint      NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX reviewers_live    ON reviewers (id) WHERE state <> 'terminated';
CREATE INDEX reviewers_spawned ON reviewers (spawned_at);
CREATE INDEX reviewers_session ON reviewers (session_token, spawned_at);

-- How many reviews pool reviewers took, by minutes since 1970: what a limit per hour is judged by.
CREATE TABLE pool_minutes (minute bigint PRIMARY KEY, reviews bigint NOT NULL);

-- Who decides whether to start reviewers locks this row, so that brokers do not decide the same at the same time.
CREATE TABLE pool_turn (only_row int PRIMARY KEY CHECK (only_row = 1));
INSERT INTO pool_turn VALUES (1);
