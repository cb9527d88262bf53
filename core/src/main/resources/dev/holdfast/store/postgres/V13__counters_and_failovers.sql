-- What fails again and again is counted without end; a counter that is full stays as it is.
ALTER TABLE resources ALTER COLUMN attempts TYPE int, ALTER COLUMN most_attempts TYPE int;

-- The server that the last change was made on. If it is another one now (a standby was promoted, a backup restored), then
-- changes that somebody was told of may be missing here, grants among them.
CREATE TABLE known_server (
    only_row         int    PRIMARY KEY CHECK (only_row = 1),
    server           text,            -- as current_server() calls it
    least_generation bigint NOT NULL, -- no grant has less: whatever was granted before and is missing here had less
    noticed_at       timestamptz      -- when it was last found to be another one
);

-- Which server and which copy this is. The system that its files are of, and their time line, which is another after every
-- promotion and every recovery from an archive; the database, which is another after a copy, and this table, which is another
-- after a dump was restored. Null: the server does not tell us.
CREATE FUNCTION current_server() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
        || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || 'known_server'::regclass::oid;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;

INSERT INTO known_server VALUES (1, current_server(), 0, NULL);

-- The least generation of a grant; null: the server is not the one that is known, and notice_failover() comes first.
CREATE FUNCTION least_generation() RETURNS bigint LANGUAGE sql AS $$
    SELECT k.least_generation FROM known_server k, current_server() AS c (server)
    WHERE k.server = c.server OR c.server IS NULL
$$;

-- Fences out everybody: takes back all that is held, lets all later grants start a million above any that is known here, and
-- all later events too. Brokers are left their own names, which nobody else can be given. Returns what was taken back.
--
-- Why everything: a claim that is held here may have been taken back before and given to another, whose claim is missing.
-- Why a million: what is missing had generations above those that are here, by one for each grant or reclaim.
CREATE FUNCTION fence_out_everybody(p_reason text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_now   timestamptz;
    v_least bigint;
    v_held  bigint;
    v_ids   text := pg_get_serial_sequence('events', 'id');
BEGIN
    PERFORM FROM known_server FOR UPDATE;
    PERFORM FROM resources WHERE state = 'held' ORDER BY key FOR UPDATE;
    v_now := lease_clock();
    v_least := 1000000 + greatest((SELECT max(generation) FROM resources), (SELECT generation FROM generation_floor),
        (SELECT least_generation FROM known_server));
    PERFORM setval(v_ids, nextval(v_ids) + 1000000);
    WITH held AS MATERIALIZED (
        SELECT * FROM resources WHERE state = 'held' AND kind <> 'broker'
    ), displaced AS (
        INSERT INTO displacements (holder, resource, generation, reason, at)
        SELECT holder, key, coalesce(outer_generation, generation), p_reason, v_now FROM held
        ON CONFLICT DO NOTHING
    ), freed AS (
        UPDATE resources r SET state = CASE WHEN r.barred THEN 'blocked' ELSE 'ready' END, holder = NULL, generation = v_least,
            acquired_at = NULL, renewed_at = NULL, expires_at = NULL, lease = NULL, confirmed = false, request_id = NULL,
            outer_key = NULL, outer_generation = NULL, barred = false,
            ready_since = CASE WHEN NOT r.barred THEN v_now END
        FROM held h WHERE r.key = h.key
    ), told AS (
        INSERT INTO events (at, type, resource, generation, detail, origin)
        SELECT v_now, 'reclaimed', key, v_least,
            json_build_object('attempts', attempts, 'displaced', holder, 'reason', p_reason)::text, 0
        FROM held ORDER BY key
    )
    SELECT count(*) INTO v_held FROM held;
    INSERT INTO events (at, type, resource, generation, detail, origin)
    SELECT v_now, 'failover_detected', 'store:postgresql', v_least,
        json_build_object('before', server, 'now', current_server(), 'held', v_held, 'reason', p_reason)::text, 0
    FROM known_server;
    UPDATE known_server SET server = current_server(), least_generation = v_least, noticed_at = v_now;
    RETURN v_held;
END $$;

-- To be called in every new session before anything else. Fences out everybody if the server is another one, once, whoever
-- notices it first; returns what was taken back, null when there was nothing to notice.
CREATE FUNCTION notice_failover() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_known text;
BEGIN
    IF least_generation() IS NOT NULL THEN
        RETURN NULL;
    END IF;
    SELECT server INTO v_known FROM known_server FOR UPDATE;
    IF v_known = current_server() THEN
        RETURN NULL; -- another was faster
    END IF;
    IF v_known IS NULL THEN
        UPDATE known_server SET server = current_server(); -- it did not tell before
        RETURN NULL;
    END IF;
    RETURN fence_out_everybody('failover');
END $$;

-- What the finalization functions do first: refuse what would be judged by an old snapshot, for the answers must be those of
-- this moment; and notice a failover, in case no broker has done so.
CREATE OR REPLACE FUNCTION refuse_old_snapshots() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'finalization functions need READ COMMITTED, not %', upper(current_setting('transaction_isolation'))
            USING ERRCODE = 'feature_not_supported', HINT = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';
    END IF;
    PERFORM notice_failover();
END $$;

-- Claims a task in order to finish it; with the generation of a claim, extends that one. One row, whatever the answer;
-- outcome is the word for programs, as in the log. New: the counter does not overflow, and the generation is above all that
-- may be missing.
CREATE OR REPLACE FUNCTION claim_task_for_finalization(
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
        claim_generation := greatest(v_row.generation + 1, (SELECT k.least_generation FROM known_server k));
        IF v_row.state = 'held' AND v_row.holder <> p_processor THEN
            INSERT INTO displacements (holder, resource, generation, reason, at)
            VALUES (v_row.holder, v_key, v_row.generation, 'expired', v_now) ON CONFLICT DO NOTHING;
        END IF;
        UPDATE resources SET state = 'held', holder = p_processor, generation = claim_generation,
            acquired_at = v_now, renewed_at = v_now, expires_at = v_now + v_lease,
            lease = extract(epoch FROM v_lease) * 1000000, confirmed = false, request_id = NULL, kept = false,
            attempts = least(attempts + CASE WHEN v_row.state = 'held' AND confirmed THEN 1::bigint ELSE 0 END, 2147483647),
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
