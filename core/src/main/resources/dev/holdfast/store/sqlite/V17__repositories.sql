-- Repositories, each known by itself: what its clones and working trees share is one key.
CREATE TABLE repositories (
    key        TEXT    NOT NULL PRIMARY KEY,  -- its name, normalised; with the beginning of its first commit where another had the name
    name       TEXT    NOT NULL,              -- normalised
    first_seen INTEGER NOT NULL,
    last_seen  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX repositories_name ON repositories (name);

-- Where clients have been in them.
CREATE TABLE repository_folders (
    machine   TEXT    NOT NULL,
    folder    TEXT    NOT NULL,  -- of the main working tree
    key       TEXT    NOT NULL REFERENCES repositories (key),
    root      TEXT    NOT NULL,  -- its first commit; empty: not known
    last_seen INTEGER NOT NULL,
    PRIMARY KEY (machine, folder)
) STRICT, WITHOUT ROWID;
CREATE INDEX repository_folders_key ON repository_folders (key, machine);

-- The commit that a diff was made from.
ALTER TABLE revisions ADD COLUMN base TEXT;

-- Queues are named as projects are: lower case, letters and digits.
UPDATE work_items SET queue = (
    WITH RECURSIVE kept (at, text) AS (
        SELECT 1, ''
        UNION ALL
        SELECT at + 1, text || CASE WHEN substr(lower(work_items.queue), at, 1) GLOB '[a-z0-9]'
            THEN substr(lower(work_items.queue), at, 1) ELSE '' END
        FROM kept WHERE at <= length(work_items.queue))
    SELECT text FROM kept ORDER BY at DESC LIMIT 1)
WHERE queue GLOB '*[^a-z0-9]*' AND lower(queue) GLOB '*[a-z0-9]*';

UPDATE resources SET queue = (SELECT w.queue FROM work_items w WHERE 'work:' || w.id = resources.key)
WHERE kind = 'work' AND queue GLOB '*[^a-z0-9]*' AND EXISTS (SELECT 1 FROM work_items w WHERE 'work:' || w.id = resources.key);

UPDATE reservations SET queue = (
    WITH RECURSIVE kept (at, text) AS (
        SELECT 1, ''
        UNION ALL
        SELECT at + 1, text || CASE WHEN substr(lower(reservations.queue), at, 1) GLOB '[a-z0-9]'
            THEN substr(lower(reservations.queue), at, 1) ELSE '' END
        FROM kept WHERE at <= length(reservations.queue))
    SELECT text FROM kept ORDER BY at DESC LIMIT 1)
WHERE queue GLOB '*[^a-z0-9]*' AND lower(queue) GLOB '*[a-z0-9]*';
