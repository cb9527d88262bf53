-- What is in progress though nobody holds it, which is seldom anything.
CREATE INDEX resources_kept ON resources (kind, priority, seq) WHERE state = 'ready' AND kept;
