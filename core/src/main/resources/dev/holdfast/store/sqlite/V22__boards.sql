-- What the dashboard shows of the backlog without reading what is done.
CREATE INDEX resources_blocked ON resources (kind, priority, seq) WHERE state = 'blocked';
CREATE INDEX work_items_closed ON work_items (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX work_items_epics ON work_items (priority, id) WHERE type = 'epic' AND status <> 'closed';
