-- A job of several steps that is finished once. Whether somebody is finishing it, its row finalization:<id> in resources tells.
-- Times are microseconds since 1970 of the lease clock.
CREATE TABLE tasks (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,  -- age
    id              TEXT    NOT NULL UNIQUE,
    name            TEXT    NOT NULL,
    namespace       TEXT    NOT NULL DEFAULT '',
    context         TEXT,  -- JSON, for everybody who works on it
    policy          TEXT    NOT NULL CHECK (policy IN ('all_succeeded', 'all_settled', 'fail_fast')),
    finalizer       TEXT    NOT NULL CHECK (finalizer IN ('broker', 'external')),
    on_finish       TEXT,  -- JSON: what happens at the end
    idempotency_key TEXT,
    request_hash    TEXT    NOT NULL,  -- of what was asked for; the same key with another is refused
    state           TEXT    NOT NULL CHECK (state IN ('open', 'complete', 'failed', 'cancelled')),
    reason          TEXT,  -- why it was cancelled or failed
    told_seq        INTEGER NOT NULL DEFAULT 0,  -- the sequence that the finalization's holder was told last
    unsettled       INTEGER NOT NULL DEFAULT 0,  -- it has ended, and some of its steps have not
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER
);
CREATE UNIQUE INDEX tasks_idempotency ON tasks (namespace, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX tasks_state     ON tasks (state, seq);
CREATE INDEX tasks_unsettled ON tasks (id) WHERE unsettled;

-- How many steps of a task are in each state. Narrow, and changed by real changes of steps only: fan-in never counts
-- the siblings. It is locked after the steps' rows and before the finalization's.
CREATE TABLE task_counters (
    task_id       TEXT    PRIMARY KEY REFERENCES tasks (id),
    waiting       INTEGER NOT NULL DEFAULT 0,  -- for other steps
    active        INTEGER NOT NULL DEFAULT 0,  -- ready, claimed, or to be tried again
    succeeded     INTEGER NOT NULL DEFAULT 0,
    failed        INTEGER NOT NULL DEFAULT 0,
    skipped       INTEGER NOT NULL DEFAULT 0,
    cancelled     INTEGER NOT NULL DEFAULT 0,
    requested_seq INTEGER NOT NULL DEFAULT 0  -- + 1 with every change that whoever finishes must have seen
);

-- Whether an active step is ready, claimed or put off, its row step:<id> in resources tells.
CREATE TABLE steps (
    id                TEXT    PRIMARY KEY,  -- <task>.<key>
    task_id           TEXT    NOT NULL REFERENCES tasks (id),
    key               TEXT    NOT NULL,
    position          INTEGER NOT NULL,  -- in the order they were given
    state             TEXT    NOT NULL
        CHECK (state IN ('waiting', 'active', 'succeeded', 'failed', 'skipped', 'cancelled')),
    open_dependencies INTEGER NOT NULL DEFAULT 0,
    max_attempts      INTEGER NOT NULL,
    input             TEXT,  -- JSON
    result            TEXT,  -- JSON
    error             TEXT,
    finished_at       INTEGER
);
CREATE INDEX steps_task ON steps (task_id, position);
CREATE INDEX steps_open ON steps (task_id) WHERE state IN ('waiting', 'active');

CREATE TABLE step_dependencies (
    step_id    TEXT    NOT NULL REFERENCES steps (id),
    depends_on TEXT    NOT NULL REFERENCES steps (id),
    PRIMARY KEY (step_id, depends_on)
);
CREATE INDEX step_dependents ON step_dependencies (depends_on, step_id);

-- The ready steps of one task, to tell whether there are any.
CREATE INDEX resources_ready_steps ON resources (key) WHERE kind = 'step' AND state = 'ready';

-- Every attempt to claim, extend, release or finish, in the transaction of the attempt, whoever made it and by which door.
CREATE TABLE finalization_attempts (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id            TEXT    NOT NULL,  -- also of tasks that do not exist
    processor_id       TEXT    NOT NULL,
    operation          TEXT    NOT NULL CHECK (operation IN ('claim', 'extend', 'release', 'finish')),
    outcome            TEXT    NOT NULL,
    claimed            INTEGER NOT NULL,
    already_claimed_by TEXT,
    task_state         TEXT,
    message            TEXT    NOT NULL,
    claim_generation   INTEGER,
    requested_seq      INTEGER,
    seconds            REAL    NOT NULL,
    attempted_at       INTEGER NOT NULL
);
CREATE INDEX finalization_attempts_task ON finalization_attempts (task_id, id);
CREATE INDEX finalization_attempts_age  ON finalization_attempts (attempted_at);

-- What is to be done because a task has ended: written with the end itself, done afterwards, at least once.
CREATE TABLE outbox (
    task_id      TEXT    PRIMARY KEY REFERENCES tasks (id),
    payload      TEXT,  -- JSON: what to do; null: nothing
    due_at       INTEGER,  -- null: done, or given up
    attempts     INTEGER NOT NULL DEFAULT 0,
    last_error   TEXT,
    created_at   INTEGER NOT NULL,
    delivered_at INTEGER
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
