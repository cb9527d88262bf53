-- Repositories, each known by itself: what its clones and working trees share is one key.
CREATE TABLE repositories (
    key        text        COLLATE "C" PRIMARY KEY,  -- its name, normalised; with the beginning of its first commit where another had the name
    name       text        COLLATE "C" NOT NULL,     -- normalised
    first_seen timestamptz NOT NULL,
    last_seen  timestamptz NOT NULL
);
CREATE INDEX repositories_name ON repositories (name);

-- Where clients have been in them.
CREATE TABLE repository_folders (
    machine   text        NOT NULL,
    folder    text        NOT NULL,  -- of the main working tree
    key       text        COLLATE "C" NOT NULL REFERENCES repositories (key),
    root      text        NOT NULL,  -- its first commit; empty: not known
    last_seen timestamptz NOT NULL,
    PRIMARY KEY (machine, folder)
);
CREATE INDEX repository_folders_key ON repository_folders (key, machine);

-- The commit that a diff was made from.
ALTER TABLE revisions ADD COLUMN base text;

-- Queues are named as projects are: lower case, letters and digits.
UPDATE work_items SET queue = regexp_replace(lower(queue), '[^a-z0-9]', '', 'g')
WHERE queue ~ '[^a-z0-9]' AND lower(queue) ~ '[a-z0-9]';

UPDATE resources SET queue = regexp_replace(lower(queue), '[^a-z0-9]', '', 'g')
WHERE kind = 'work' AND queue ~ '[^a-z0-9]' AND lower(queue) ~ '[a-z0-9]';

UPDATE reservations SET queue = regexp_replace(lower(queue), '[^a-z0-9]', '', 'g')
WHERE queue ~ '[^a-z0-9]' AND lower(queue) ~ '[a-z0-9]';
