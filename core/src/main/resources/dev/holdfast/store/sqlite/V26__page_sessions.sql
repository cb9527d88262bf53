-- Browsers that have signed in. Only hashes are kept: of what the browser shows, and of the token that it was given for.
CREATE TABLE page_sessions (
    hash       TEXT NOT NULL PRIMARY KEY,
    token_hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL
);
CREATE INDEX page_sessions_end ON page_sessions (expires_at);
