-- A job of several steps that is finished once. Whether somebody is finishing it, its row finalization:<id> in resources tells.
CREATE TABLE tasks (
    id              text        COLLATE "C" PRIMARY KEY,
    seq             bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,  -- age
    name            text        NOT NULL,
    namespace       text        NOT NULL DEFAULT '',
    context         text,                              -- JSON, for everybody who works on it
    policy          text        NOT NULL CHECK (policy IN ('all_succeeded', 'all_settled', 'fail_fast')),
    finalizer       text        NOT NULL CHECK (finalizer IN ('broker', 'external')),
    on_finish       text,                              -- JSON: what happens at the end
    idempotency_key text,
    request_hash    text        NOT NULL,              -- of what was asked for; the same key with another is refused
    state           text        NOT NULL CHECK (state IN ('open', 'complete', 'failed', 'cancelled')),
    reason          text,                              -- why it was cancelled or failed
    told_seq        bigint      NOT NULL DEFAULT 0,    -- the sequence that the finalization's holder was told last
    unsettled       boolean     NOT NULL DEFAULT false, -- it has ended, and some of its steps have not
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX tasks_idempotency ON tasks (namespace, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX tasks_state     ON tasks (state, seq);
CREATE INDEX tasks_unsettled ON tasks (id) WHERE unsettled;

-- How many steps of a task are in each state. Narrow, and changed by real changes of steps only: fan-in never counts
-- the siblings. It is locked after the steps' rows and before the finalization's.
CREATE TABLE task_counters (
    task_id       text   COLLATE "C" PRIMARY KEY REFERENCES tasks (id),
    waiting       int    NOT NULL DEFAULT 0,           -- for other steps
    active        int    NOT NULL DEFAULT 0,           -- ready, claimed, or to be tried again
    succeeded     int    NOT NULL DEFAULT 0,
    failed        int    NOT NULL DEFAULT 0,
    skipped       int    NOT NULL DEFAULT 0,
    cancelled     int    NOT NULL DEFAULT 0,
    requested_seq bigint NOT NULL DEFAULT 0            -- + 1 with every change that whoever finishes must have seen
) WITH (fillfactor = 50);

-- Whether an active step is ready, claimed or put off, its row step:<id> in resources tells.
CREATE TABLE steps (
    id                text        COLLATE "C" PRIMARY KEY,  -- <task>.<key>
    task_id           text        COLLATE "C" NOT NULL REFERENCES tasks (id),
    key               text        NOT NULL,
    position          int         NOT NULL,            -- in the order they were given
    state             text        NOT NULL
        CHECK (state IN ('waiting', 'active', 'succeeded', 'failed', 'skipped', 'cancelled')),
    open_dependencies int         NOT NULL DEFAULT 0,
    max_attempts      int         NOT NULL,
    input             text,                            -- JSON
    result            text,                            -- JSON
    error             text,
    finished_at       timestamptz
) WITH (fillfactor = 80);
CREATE INDEX steps_task ON steps (task_id, position);
CREATE INDEX steps_open ON steps (task_id) WHERE state IN ('waiting', 'active');

CREATE TABLE step_dependencies (
    step_id    text COLLATE "C" NOT NULL REFERENCES steps (id),
    depends_on text COLLATE "C" NOT NULL REFERENCES steps (id),
    PRIMARY KEY (step_id, depends_on)
);
CREATE INDEX step_dependents ON step_dependencies (depends_on, step_id);

-- The ready steps of one task, to tell whether there are any.
CREATE INDEX resources_ready_steps ON resources (key) WHERE kind = 'step' AND state = 'ready';

-- Every attempt to claim, extend, release or finish, in the transaction of the attempt, whoever made it and by which door.
CREATE TABLE finalization_attempts (
    id                 bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    task_id            text             COLLATE "C" NOT NULL,     -- also of tasks that do not exist
    processor_id       text             NOT NULL,
    operation          text             NOT NULL CHECK (operation IN ('claim', 'extend', 'release', 'finish')),
    outcome            text             NOT NULL,
    claimed            boolean          NOT NULL,
    already_claimed_by text,
    task_state         text,
    message            text             NOT NULL,
    claim_generation   bigint,
    requested_seq      bigint,
    seconds            double precision NOT NULL,
    attempted_at       timestamptz      NOT NULL
);
CREATE INDEX finalization_attempts_task ON finalization_attempts (task_id, id);
CREATE INDEX finalization_attempts_age  ON finalization_attempts (attempted_at);

-- What is to be done because a task has ended: written with the end itself, done afterwards, at least once.
CREATE TABLE outbox (
    task_id      text        COLLATE "C" PRIMARY KEY REFERENCES tasks (id),
    payload      text,                                 -- JSON: what to do; null: nothing
    due_at       timestamptz,                          -- null: done, or given up
    attempts     int         NOT NULL DEFAULT 0,
    last_error   text,
    created_at   timestamptz NOT NULL,
    delivered_at timestamptz
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;

-- What the steps of a task say about it, in the words of the predecessors' execution status.
CREATE FUNCTION task_execution_status(p_task text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN c.failed > 0 THEN 'blocked_by_failures'
        WHEN EXISTS (SELECT FROM resources r WHERE r.kind = 'step' AND r.state = 'ready'
            AND r.key COLLATE "C" >= 'step:' || p_task || '.' AND r.key COLLATE "C" < 'step:' || p_task || '/'
            AND r.not_before IS NULL) THEN 'has_ready_steps'
        WHEN c.active > 0 THEN 'processing'
        WHEN c.waiting = 0 THEN 'all_complete'
        ELSE 'waiting_for_dependencies' END
    FROM task_counters c WHERE c.task_id = p_task
$$;

-- Whether the policy lets the task end now.
CREATE FUNCTION task_is_due(p_task text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT t.state = 'open' AND ((c.waiting = 0 AND c.active = 0) OR (t.policy = 'fail_fast' AND c.failed > 0))
    FROM tasks t JOIN task_counters c ON c.task_id = t.id WHERE t.id = p_task
$$;

-- Refuses what would be judged by an old snapshot: the answers below must be those of this moment.
CREATE FUNCTION refuse_old_snapshots() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'finalization functions need READ COMMITTED, not %', upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'feature_not_supported', HINT = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';
    END IF;
END $$;

CREATE FUNCTION log_finalization_attempt(
    p_task text, p_processor text, p_operation text, p_outcome text, p_claimed boolean, p_already_claimed_by text,
    p_task_state text, p_message text, p_claim_generation bigint, p_requested_seq bigint, p_began timestamptz
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO finalization_attempts (task_id, processor_id, operation, outcome, claimed, already_claimed_by,
        task_state, message, claim_generation, requested_seq, seconds, attempted_at)
    VALUES (left(coalesce(p_task, ''), 200), left(p_processor, 200), p_operation, p_outcome, p_claimed, p_already_claimed_by,
        p_task_state, p_message, p_claim_generation, p_requested_seq,
        extract(epoch FROM clock_timestamp() - p_began), lease_clock())
$$;

-- Claims a task in order to finish it; with the generation of a claim, extends that one. One row, whatever the answer;
-- outcome is the word for programs, as in the log.
CREATE FUNCTION claim_task_for_finalization(
    p_task text, p_processor text, p_timeout_seconds int DEFAULT 30, p_claim_generation bigint DEFAULT NULL
) RETURNS TABLE (
    claimed boolean, already_claimed_by text, task_state text, message text, claim_generation bigint, requested_seq bigint,
    outcome text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_began     timestamptz := clock_timestamp();
    v_key       text := 'finalization:' || coalesce(p_task, '');
    v_operation text := CASE WHEN p_claim_generation IS NULL THEN 'claim' ELSE 'extend' END;
    v_lease     interval := make_interval(secs => coalesce(p_timeout_seconds, 30));
    v_row       resources;
    v_now       timestamptz;
    v_task      tasks;
    v_counters  task_counters;
BEGIN
    PERFORM refuse_old_snapshots();
    IF coalesce(btrim(p_processor), '') IN ('', 'unknown') OR length(p_processor) > 200 THEN
        RAISE EXCEPTION 'processor must be 1 to 200 characters, and not "unknown"' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF p_timeout_seconds NOT BETWEEN 1 AND 86400 THEN
        RAISE EXCEPTION 'timeout must be 1 to 86400 seconds, not %', p_timeout_seconds USING ERRCODE = 'invalid_parameter_value';
    END IF;
    BEGIN
        SELECT * INTO v_row FROM resources WHERE key = v_key FOR UPDATE;
    EXCEPTION WHEN lock_not_available THEN
        outcome := 'race_condition';
    END;
    v_now := lease_clock();
    SELECT * INTO v_task FROM tasks WHERE id = p_task;
    SELECT * INTO v_counters FROM task_counters WHERE task_id = p_task;
    requested_seq := v_counters.requested_seq;
    claimed := false;

    IF outcome = 'race_condition' THEN
        task_state := task_execution_status(p_task);
        message := 'Failed to claim - race condition';
    ELSIF v_row.key IS NULL THEN
        outcome := 'not_found';
        task_state := 'not_found';
        message := 'Task not found';
    ELSIF v_task.state <> 'open' THEN
        outcome := 'already_complete';
        task_state := 'complete';
        message := 'Task already complete';
    ELSIF v_counters.succeeded = 0 AND v_counters.failed = 0 AND NOT task_is_due(p_task) THEN
        outcome := 'not_ready';
        task_state := task_execution_status(p_task);
        message := 'Task has no completed or failed steps';
    ELSIF v_row.state = 'held' AND v_row.holder = p_processor
            AND (p_claim_generation = v_row.generation OR (p_claim_generation IS NULL AND v_row.expires_at > v_now)) THEN
        outcome := 'extended';
        claimed := true;
        already_claimed_by := p_processor;
        task_state := task_execution_status(p_task);
        message := 'Claim extended';
        claim_generation := v_row.generation;
        UPDATE resources SET renewed_at = v_now, expires_at = greatest(expires_at, v_now + v_lease),
            lease = extract(epoch FROM v_lease) * 1000000, confirmed = confirmed OR p_claim_generation IS NOT NULL
        WHERE key = v_key;
    ELSIF p_claim_generation IS NOT NULL OR (v_row.state = 'held' AND v_row.expires_at > v_now) THEN
        outcome := CASE WHEN p_claim_generation IS NULL THEN 'already_claimed' ELSE 'lost' END;
        already_claimed_by := v_row.holder;
        task_state := task_execution_status(p_task);
        message := 'Task already claimed for finalization';
    ELSE
        outcome := 'granted';
        claimed := true;
        already_claimed_by := p_processor;
        task_state := task_execution_status(p_task);
        message := 'Successfully claimed for finalization';
        claim_generation := v_row.generation + 1;
        IF v_row.state = 'held' AND v_row.holder <> p_processor THEN
            INSERT INTO displacements (holder, resource, generation, reason, at)
            VALUES (v_row.holder, v_key, v_row.generation, 'expired', v_now) ON CONFLICT DO NOTHING;
        END IF;
        UPDATE resources SET state = 'held', holder = p_processor, generation = claim_generation,
            acquired_at = v_now, renewed_at = v_now, expires_at = v_now + v_lease,
            lease = extract(epoch FROM v_lease) * 1000000, confirmed = false, request_id = NULL, kept = false,
            attempts = attempts + CASE WHEN v_row.state = 'held' AND confirmed THEN 1 ELSE 0 END,
            not_before = NULL, ready_since = NULL
        WHERE key = v_key;
        INSERT INTO events (at, type, resource, actor, generation, detail, origin)
        VALUES (v_now, CASE WHEN v_row.state = 'held' THEN 'taken_over' ELSE 'claimed' END, v_key, p_processor, claim_generation,
            CASE WHEN v_row.state = 'held' THEN
                json_build_object('displaced', v_row.holder, 'displaced_generation', v_row.generation)::text END, 0);
    END IF;
    IF claimed THEN
        UPDATE tasks SET told_seq = requested_seq WHERE id = p_task;
    END IF;
    PERFORM log_finalization_attempt(p_task, p_processor, v_operation, outcome, claimed, already_claimed_by, task_state,
        message, claim_generation, requested_seq, v_began);
    RETURN NEXT;
END $$;

-- Lets go of a claim; with its generation, of that one only. What is still due, or has changed since, is offered again.
CREATE FUNCTION release_finalization_claim(
    p_task text, p_processor text, p_claim_generation bigint DEFAULT NULL, p_handled_seq bigint DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_began    timestamptz := clock_timestamp();
    v_key      text := 'finalization:' || coalesce(p_task, '');
    v_counters task_counters;
    v_row      resources;
    v_now      timestamptz;
    v_handled  bigint;
    v_released boolean;
BEGIN
    PERFORM refuse_old_snapshots();
    SELECT * INTO v_counters FROM task_counters WHERE task_id = p_task FOR UPDATE;
    SELECT * INTO v_row FROM resources WHERE key = v_key FOR UPDATE;
    v_now := lease_clock();
    v_released := v_row.state = 'held' AND v_row.holder = p_processor
        AND (p_claim_generation IS NULL OR p_claim_generation = v_row.generation);
    v_released := coalesce(v_released, false);
    IF v_released THEN
        SELECT coalesce(p_handled_seq, told_seq) INTO v_handled FROM tasks WHERE id = p_task;
        UPDATE resources SET state = 'ready', kept = NOT task_is_due(p_task) AND v_handled >= v_counters.requested_seq,
            holder = NULL, acquired_at = NULL, renewed_at = NULL, expires_at = NULL, lease = NULL, confirmed = false,
            request_id = NULL, ended_generation = v_row.generation, ended_by = p_processor, ended_as = 'released#',
            ready_since = v_now
        WHERE key = v_key;
        INSERT INTO events (at, type, resource, actor, generation, origin)
        VALUES (v_now, 'released', v_key, p_processor, v_row.generation, 0);
    END IF;
    PERFORM log_finalization_attempt(p_task, coalesce(p_processor, ''), 'release',
        CASE WHEN v_released THEN 'released' ELSE 'not_owned' END, false, v_row.holder,
        coalesce(task_execution_status(p_task), 'not_found'),
        CASE WHEN v_released THEN 'Claim released' ELSE 'Claim is not this processor''s' END,
        coalesce(p_claim_generation, CASE WHEN v_released THEN v_row.generation END), v_counters.requested_seq, v_began);
    RETURN v_released;
END $$;

-- Ends a task: only by the current grant, only when the steps' changes have all been seen, only when the policy lets it.
CREATE FUNCTION finish_task(
    p_task text, p_processor text, p_claim_generation bigint, p_handled_seq bigint DEFAULT NULL, p_outcome text DEFAULT NULL
) RETURNS TABLE (
    finished boolean, task_state text, reevaluate boolean, requested_seq bigint, message text, outcome text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_began    timestamptz := clock_timestamp();
    v_key      text := 'finalization:' || coalesce(p_task, '');
    v_counters task_counters;
    v_row      resources;
    v_task     tasks;
    v_now      timestamptz;
    v_end      text;
BEGIN
    PERFORM refuse_old_snapshots();
    IF p_outcome NOT IN ('complete', 'failed') THEN
        RAISE EXCEPTION 'outcome must be complete or failed, not %', p_outcome USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT * INTO v_counters FROM task_counters WHERE task_id = p_task FOR UPDATE;
    SELECT * INTO v_row FROM resources WHERE key = v_key FOR UPDATE;
    SELECT * INTO v_task FROM tasks WHERE id = p_task;
    v_now := lease_clock();
    v_end := CASE WHEN p_outcome = 'failed' OR (v_task.policy <> 'all_settled' AND v_counters.failed > 0) THEN 'failed'
        ELSE 'complete' END;
    requested_seq := v_counters.requested_seq;
    finished := false;
    reevaluate := false;

    IF v_row.key IS NULL THEN
        outcome := 'not_found';
        task_state := 'not_found';
        message := 'Task not found';
    ELSIF v_task.state <> 'open' THEN
        finished := coalesce(v_row.ended_generation = p_claim_generation AND v_row.ended_by = p_processor
            AND v_task.state = coalesce(p_outcome, v_task.state), false);
        outcome := CASE WHEN finished THEN 'replayed' ELSE 'already_complete' END;
        task_state := 'complete';
        message := CASE WHEN finished THEN 'Task finished' ELSE 'Task already complete' END;
    ELSIF NOT coalesce(v_row.state = 'held' AND v_row.holder = p_processor AND v_row.generation = p_claim_generation, false) THEN
        outcome := 'lost';
        task_state := task_execution_status(p_task);
        message := CASE WHEN v_row.state = 'held' THEN 'Claim lost to ' || v_row.holder ELSE 'Claim lost: nobody holds it' END;
    ELSIF coalesce(p_handled_seq, v_task.told_seq) <> v_counters.requested_seq THEN
        outcome := 'reevaluate';
        task_state := task_execution_status(p_task);
        reevaluate := true;
        message := 'Steps have changed since; look again';
        UPDATE tasks SET told_seq = v_counters.requested_seq WHERE id = p_task;
    ELSIF NOT task_is_due(p_task) THEN
        outcome := 'not_fulfilled';
        task_state := task_execution_status(p_task);
        message := format('Policy %s is not fulfilled: %s steps are waiting, %s active', v_task.policy, v_counters.waiting,
            v_counters.active);
    ELSIF v_end <> coalesce(p_outcome, v_end) THEN
        outcome := 'not_fulfilled';
        task_state := task_execution_status(p_task);
        message := format('Policy %s does not let a task with %s failed steps end as complete', v_task.policy, v_counters.failed);
    ELSE
        outcome := 'finished';
        finished := true;
        task_state := 'complete';
        message := 'Task finished';
        UPDATE tasks SET state = v_end, finished_at = v_now, unsettled = v_counters.waiting + v_counters.active > 0
        WHERE id = p_task;
        UPDATE resources SET state = 'done', kept = false, holder = NULL, acquired_at = NULL, renewed_at = NULL,
            expires_at = NULL, lease = NULL, confirmed = false, request_id = NULL, ended_generation = v_row.generation,
            ended_by = p_processor, ended_as = 'completed as ' || v_end || '#', attempts = 0, note = NULL, ready_since = NULL
        WHERE key = v_key;
        INSERT INTO events (at, type, resource, actor, generation, detail, origin)
        VALUES (v_now, 'task_finished', v_key, p_processor, v_row.generation, json_build_object('state', v_end)::text, 0);
        INSERT INTO outbox (task_id, payload, due_at, created_at)
        VALUES (p_task, v_task.on_finish, CASE WHEN v_task.on_finish IS NOT NULL THEN v_now END, v_now);
    END IF;
    PERFORM log_finalization_attempt(p_task, coalesce(p_processor, ''), 'finish', outcome, finished, v_row.holder, task_state,
        message, p_claim_generation, requested_seq, v_began);
    RETURN NEXT;
END $$;
