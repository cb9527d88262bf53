-- What there is to do. Whether an item is free, held, blocked or done its row work:<id> in resources tells; what it is
-- about, and what holds it back, stands here.
CREATE TABLE work_items (
    seq            bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    id             text        COLLATE "C" PRIMARY KEY,
    queue          text        NOT NULL,
    title          text        NOT NULL,
    description    text,
    type           text        NOT NULL,
    priority       smallint    NOT NULL,
    labels         text        NOT NULL,            -- a JSON array of texts
    status         text        NOT NULL CHECK (status IN ('open', 'blocked', 'deferred', 'closed')),  -- as it was set; who holds it, resources tells
    blocked_reason text,
    waits_for      int         NOT NULL DEFAULT 0,  -- dependencies that hold it back now
    importing      boolean     NOT NULL DEFAULT false,  -- held back until the rest of its import has come
    assignee       text,
    external_ref   text,
    metadata       text,                        -- a JSON object
    defer_until    timestamptz,
    created_at     timestamptz NOT NULL,
    created_by     text,
    updated_at     timestamptz NOT NULL,
    closed_at      timestamptz,
    closed_by      text,
    close_reason   text,
    children       int         NOT NULL DEFAULT 0,  -- the last number given to a child
    source         text,                        -- the line of JSON that it was imported from
    last_call      text        NOT NULL             -- the call that changed it last: tells a second run from a repeat
);
CREATE INDEX work_items_importing ON work_items (id) WHERE importing;

-- An item depends on another one.
CREATE TABLE work_dependencies (
    item       text        COLLATE "C" NOT NULL REFERENCES work_items (id),
    depends_on text        COLLATE "C" NOT NULL,           -- may name something that is not here (yet)
    type       text        NOT NULL,
    orders     boolean     NOT NULL,           -- says what must be done first; what would close a circle does not
    holds      boolean     NOT NULL DEFAULT false, -- holds the item back now; counted in waits_for
    created_at timestamptz NOT NULL,
    created_by text,
    PRIMARY KEY (item, depends_on, type)
);
CREATE INDEX work_dependents ON work_dependencies (depends_on, item);

-- Locked by whoever adds a dependency, so that two of them do not close a circle together.
CREATE TABLE work_graph (only_row int PRIMARY KEY CHECK (only_row = 1));
INSERT INTO work_graph VALUES (1);

-- Lines of an import that are no items, such as memories, kept for the next export.
CREATE TABLE beads_lines (
    key  text COLLATE "C" PRIMARY KEY,
    line text NOT NULL
);

-- Which paths a claim on reservation:<id> is about.
CREATE TABLE reservations (
    id         text        COLLATE "C" PRIMARY KEY,
    queue      text        NOT NULL,
    exclusive  boolean     NOT NULL,
    paths      text        NOT NULL,  -- a JSON array of globs
    created_at timestamptz NOT NULL
);
CREATE INDEX reservations_queue ON reservations (queue);

-- Locked by whoever reserves in a queue, so that two of them do not overlook each other.
CREATE TABLE reservation_queues (queue text PRIMARY KEY);
