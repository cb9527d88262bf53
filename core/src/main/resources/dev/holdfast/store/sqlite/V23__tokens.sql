-- Who of a team may call. Only the hash of a token is kept; its id is the part that anybody may see.
CREATE TABLE tokens (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL,
    hash         TEXT    NOT NULL UNIQUE,   -- SHA-256 of the whole token
    former_hash  TEXT,                      -- of the secret that it had before it was rotated
    former_until INTEGER,                   -- how long that one stays good
    roles        TEXT    NOT NULL,          -- words, separated by commas
    projects     TEXT    NOT NULL,          -- a JSON array of the keys it is good for; empty: all
    created_at   INTEGER NOT NULL,
    created_by   TEXT,
    expires_at   INTEGER,
    last_used_at INTEGER,                   -- to the minute
    revoked_at   INTEGER,
    revoked_by   TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tokens_name ON tokens (name) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX tokens_former ON tokens (former_hash) WHERE former_hash IS NOT NULL;
