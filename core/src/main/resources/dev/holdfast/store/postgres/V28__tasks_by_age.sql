-- The newest tasks, without reading all that are over.
CREATE INDEX tasks_seq ON tasks (seq);
