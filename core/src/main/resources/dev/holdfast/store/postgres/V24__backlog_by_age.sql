-- The backlog by age, without reading what is closed.
CREATE INDEX work_items_open ON work_items (seq) WHERE status <> 'closed';
CREATE INDEX work_items_seq ON work_items (seq);
