-- What a processor has been doing.
CREATE INDEX finalization_attempts_processor ON finalization_attempts (processor_id, attempted_at, id);
