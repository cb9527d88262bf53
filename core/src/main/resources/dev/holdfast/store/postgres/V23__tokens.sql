-- Who of a team may call. Only the hash of a token is kept; its id is the part that anybody may see.
CREATE TABLE tokens (
    id           text    NOT NULL PRIMARY KEY,
    name         text    NOT NULL,
    hash         text    NOT NULL UNIQUE,   -- SHA-256 of the whole token
    former_hash  text,                      -- of the secret that it had before it was rotated
    former_until timestamptz,                   -- how long that one stays good
    roles        text    NOT NULL,          -- words, separated by commas
    projects     text    NOT NULL,          -- a JSON array of the keys it is good for; empty: all
    created_at   timestamptz NOT NULL,
    created_by   text,
    expires_at   timestamptz,
    last_used_at timestamptz,                   -- to the minute
    revoked_at   timestamptz,
    revoked_by   text
);
CREATE UNIQUE INDEX tokens_name ON tokens (name) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX tokens_former ON tokens (former_hash) WHERE former_hash IS NOT NULL;
