-- What there is to do. Whether an item is free, held, blocked or done its row work:<id> in resources tells; what it is
-- about, and what holds it back, stands here. Times are microseconds since 1970 of the lease clock.
CREATE TABLE work_items (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT    NOT NULL UNIQUE,
    queue          TEXT    NOT NULL,
    title          TEXT    NOT NULL,
    description    TEXT,
    type           TEXT    NOT NULL,
    priority       INTEGER NOT NULL,
    labels         TEXT    NOT NULL,            -- a JSON array of texts
    status         TEXT    NOT NULL CHECK (status IN ('open', 'blocked', 'deferred', 'closed')),  -- as it was set; who holds it, resources tells
    blocked_reason TEXT,
    waits_for      INTEGER NOT NULL DEFAULT 0,  -- dependencies that hold it back now
    importing      INTEGER NOT NULL DEFAULT 0,  -- held back until the rest of its import has come
    assignee       TEXT,
    external_ref   TEXT,
    metadata       TEXT,                        -- a JSON object
    defer_until    INTEGER,
    created_at     INTEGER NOT NULL,
    created_by     TEXT,
    updated_at     INTEGER NOT NULL,
    closed_at      INTEGER,
    closed_by      TEXT,
    close_reason   TEXT,
    children       INTEGER NOT NULL DEFAULT 0,  -- the last number given to a child
    source         TEXT,                        -- the line of JSON that it was imported from
    last_call      TEXT    NOT NULL             -- the call that changed it last: tells a second run from a repeat
);
CREATE INDEX work_items_importing ON work_items (id) WHERE importing;

-- An item depends on another one.
CREATE TABLE work_dependencies (
    item       TEXT    NOT NULL REFERENCES work_items (id),
    depends_on TEXT    NOT NULL,           -- may name something that is not here (yet)
    type       TEXT    NOT NULL,
    orders     INTEGER NOT NULL,           -- says what must be done first; what would close a circle does not
    holds      INTEGER NOT NULL DEFAULT 0, -- holds the item back now; counted in waits_for
    created_at INTEGER NOT NULL,
    created_by TEXT,
    PRIMARY KEY (item, depends_on, type)
) WITHOUT ROWID;
CREATE INDEX work_dependents ON work_dependencies (depends_on, item);

-- Locked by whoever adds a dependency, so that two of them do not close a circle together.
CREATE TABLE work_graph (only_row INTEGER PRIMARY KEY CHECK (only_row = 1));
INSERT INTO work_graph VALUES (1);

-- Lines of an import that are no items, such as memories, kept for the next export.
CREATE TABLE beads_lines (
    key  TEXT NOT NULL PRIMARY KEY,
    line TEXT NOT NULL
);

-- Which paths a claim on reservation:<id> is about.
CREATE TABLE reservations (
    id         TEXT    NOT NULL PRIMARY KEY,
    queue      TEXT    NOT NULL,
    exclusive  INTEGER NOT NULL,
    paths      TEXT    NOT NULL,  -- a JSON array of globs
    created_at INTEGER NOT NULL
);
CREATE INDEX reservations_queue ON reservations (queue);

-- Locked by whoever reserves in a queue, so that two of them do not overlook each other.
CREATE TABLE reservation_queues (queue TEXT NOT NULL PRIMARY KEY);
