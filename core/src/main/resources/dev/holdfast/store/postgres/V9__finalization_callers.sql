-- For callers that bind a task's id as a uuid, or name the arguments in the predecessor's words.
CREATE FUNCTION claim_task_for_finalization(
    p_task_uuid uuid, p_processor_id text, p_timeout_seconds int DEFAULT 30, p_claim_generation bigint DEFAULT NULL
) RETURNS TABLE (
    claimed boolean, already_claimed_by text, task_state text, message text, claim_generation bigint, requested_seq bigint,
    outcome text
) LANGUAGE sql AS $$
    SELECT * FROM claim_task_for_finalization(p_task_uuid::text, p_processor_id, p_timeout_seconds, p_claim_generation)
$$;

CREATE FUNCTION release_finalization_claim(
    p_task_uuid uuid, p_processor_id text, p_claim_generation bigint DEFAULT NULL, p_handled_seq bigint DEFAULT NULL
) RETURNS boolean LANGUAGE sql AS $$
    SELECT release_finalization_claim(p_task_uuid::text, p_processor_id, p_claim_generation, p_handled_seq)
$$;

CREATE FUNCTION finish_task(
    p_task_uuid uuid, p_processor_id text, p_claim_generation bigint, p_handled_seq bigint DEFAULT NULL,
    p_outcome text DEFAULT NULL
) RETURNS TABLE (
    finished boolean, task_state text, reevaluate boolean, requested_seq bigint, message text, outcome text
) LANGUAGE sql AS $$
    SELECT * FROM finish_task(p_task_uuid::text, p_processor_id, p_claim_generation, p_handled_seq, p_outcome)
$$;

COMMENT ON FUNCTION claim_task_for_finalization(text, text, int, bigint) IS
    'Claims the right to end a task, for one processor at a time; with the generation of a claim, extends that claim.';
COMMENT ON FUNCTION claim_task_for_finalization(uuid, text, int, bigint) IS
    'Claims the right to end a task, for one processor at a time; with the generation of a claim, extends that claim.';
COMMENT ON FUNCTION release_finalization_claim(text, text, bigint, bigint) IS
    'Releases a claim on the end of a task, when done or on error. Only its holder can; returns whether it did.';
COMMENT ON FUNCTION release_finalization_claim(uuid, text, bigint, bigint) IS
    'Releases a claim on the end of a task, when done or on error. Only its holder can; returns whether it did.';
COMMENT ON FUNCTION finish_task(text, text, bigint, bigint, text) IS
    'Ends a task: by its current claim only, when its holder has seen the last change and the policy allows it.';
COMMENT ON FUNCTION finish_task(uuid, text, bigint, bigint, text) IS
    'Ends a task: by its current claim only, when its holder has seen the last change and the policy allows it.';
COMMENT ON FUNCTION task_execution_status(text) IS 'What the steps of a task say about it.';
COMMENT ON FUNCTION task_is_due(text) IS 'Whether the policy of a task lets it end now.';

-- What a processor has been doing.
CREATE INDEX finalization_attempts_processor ON finalization_attempts (processor_id, attempted_at, id);
