-- A proposal and what has become of it. Whether it is claimed, and by whom, its row review:<id> in resources tells.
-- Times are microseconds since 1970 of the lease clock.
CREATE TABLE reviews (
    seq                  INTEGER PRIMARY KEY AUTOINCREMENT,  -- age: what was made first comes first
    id                   TEXT    NOT NULL UNIQUE,
    project              TEXT,  -- as the proposer wrote it
    project_key          TEXT    NOT NULL DEFAULT '',  -- lower case, letters and digits only
    category             TEXT,
    intent               TEXT    NOT NULL,
    agent_type           TEXT    NOT NULL,
    agent_role           TEXT    NOT NULL,
    phase                TEXT    NOT NULL,
    plan                 TEXT,
    task                 TEXT,
    priority             INTEGER NOT NULL,  -- as in resources: 0 critical, 2 normal, 4 low
    status               TEXT    NOT NULL
        CHECK (status IN ('pending', 'in_review', 'approved', 'changes_requested', 'closed', 'withdrawn')),
    round                INTEGER NOT NULL DEFAULT 1,
    revision             TEXT    NOT NULL,  -- hash of the current content
    revision_number      INTEGER NOT NULL DEFAULT 1,  -- of the current content within its round
    reserved_for         TEXT,  -- the reviewer who knows it; others leave it alone
    unserved_generation  INTEGER,  -- the grant that has not been shown the current content
    skip_diff_validation INTEGER NOT NULL DEFAULT 0,
    verdict_reason       TEXT,
    verdict_by           TEXT,  -- who gave the last verdict
    last_call            TEXT    NOT NULL,  -- the call that changed it last: tells a second run from a repeat
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL
);
CREATE INDEX reviews_queue    ON reviews (status, priority, seq);
CREATE INDEX reviews_age      ON reviews (priority, seq);
CREATE INDEX reviews_recent   ON reviews (updated_at, seq);
CREATE INDEX reviews_newest   ON reviews (project_key, seq);
CREATE INDEX reviews_project  ON reviews (project_key, status, priority, seq);
CREATE INDEX reviews_recent_of_project ON reviews (project_key, updated_at, seq);
CREATE INDEX reviews_recent_of_status  ON reviews (status, updated_at, seq);
CREATE INDEX reviews_reserved ON reviews (reserved_for) WHERE reserved_for IS NOT NULL;

-- Every content that was ever up for review; nothing is overwritten.
CREATE TABLE revisions (
    review_id      TEXT    NOT NULL REFERENCES reviews (id),
    round          INTEGER NOT NULL,
    number         INTEGER NOT NULL,  -- within the round; a counter-patch that was accepted is the next
    revision       TEXT    NOT NULL,
    intent         TEXT    NOT NULL,
    description    TEXT,
    diff           TEXT,
    affected_files TEXT,  -- a JSON array; null: there is no diff
    source         TEXT    NOT NULL CHECK (source IN ('proposal', 'counter_patch')),
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (review_id, round, number)
);
CREATE INDEX revisions_content ON revisions (revision);

-- Every verdict and comment, and the counter-patches that came with them.
CREATE TABLE verdicts (
    id                           INTEGER PRIMARY KEY AUTOINCREMENT,
    review_id                    TEXT    NOT NULL REFERENCES reviews (id),
    round                        INTEGER NOT NULL,
    revision                     TEXT    NOT NULL,
    verdict                      TEXT    NOT NULL CHECK (verdict IN ('approved', 'changes_requested', 'comment')),
    reason                       TEXT,
    reviewer                     TEXT,
    generation                   INTEGER,
    counter_patch                TEXT,
    counter_patch_revision       TEXT,
    counter_patch_affected_files TEXT,
    counter_patch_status         TEXT    CHECK (counter_patch_status IN ('pending', 'accepted', 'rejected', 'superseded')),
    at                           INTEGER NOT NULL
);
CREATE INDEX verdicts_review ON verdicts (review_id, id);

CREATE TABLE messages (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    review_id   TEXT    NOT NULL REFERENCES reviews (id),
    sender_role TEXT    NOT NULL CHECK (sender_role IN ('proposer', 'reviewer')),
    round       INTEGER NOT NULL,
    body        TEXT    NOT NULL,
    metadata    TEXT,
    at          INTEGER NOT NULL
);
CREATE INDEX messages_review ON messages (review_id, seq);

-- What reviewers found at a line of a proposal. Where it is now is worked out whenever the content changes.
CREATE TABLE findings (
    review_id       TEXT    NOT NULL REFERENCES reviews (id),
    number          INTEGER NOT NULL,  -- within the review; people see f1, f2, ...
    round           INTEGER NOT NULL,  -- the content that it was raised on, with the place in it
    revision_number INTEGER NOT NULL,
    path            TEXT    NOT NULL,
    side            TEXT    NOT NULL CHECK (side IN ('old', 'new')),
    line            INTEGER NOT NULL,
    excerpt         TEXT    NOT NULL,  -- the line itself, if it is long its beginning
    severity        TEXT    NOT NULL CHECK (severity IN ('must_fix', 'should_fix', 'note')),
    message         TEXT    NOT NULL,
    suggestion      TEXT,
    raised_by       TEXT,
    raised_at       INTEGER NOT NULL,
    place           TEXT    NOT NULL DEFAULT 'there' CHECK (place IN ('there', 'outdated', 'gone')),
    path_now        TEXT,  -- in the current content; null: it is not there
    line_now        INTEGER,
    settled         TEXT    CHECK (settled IN ('resolved', 'waived')),
    settled_by      TEXT,
    settled_reason  TEXT,
    settled_at      INTEGER,
    PRIMARY KEY (review_id, number)
);
CREATE INDEX findings_open ON findings (review_id, severity) WHERE settled IS NULL;

-- A content that the gate lets pass without an approval, because somebody said so and why. Never changed.
CREATE TABLE overrides (
    project_key   TEXT    NOT NULL,
    revision      TEXT    NOT NULL,
    overridden_by TEXT    NOT NULL,
    reason        TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (project_key, revision)
);
-- Pages of what happened to any review or pool reviewer, without walking past everybody else's events.
CREATE INDEX events_of_reviews ON events (id) WHERE resource >= 'review:' AND resource < 'reviewer;';

-- What the figures are made of, added up event by event: how far that has come, where each review was then, the sums.
CREATE TABLE review_tally (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), counted_until INTEGER NOT NULL);
INSERT INTO review_tally VALUES (1, 0);

CREATE TABLE tallied_reviews (
    review_id   TEXT    PRIMARY KEY,
    project_key TEXT    NOT NULL,
    category    TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    since       INTEGER NOT NULL,            -- when it came into that status
    created_at  INTEGER NOT NULL,
    judged      INTEGER NOT NULL DEFAULT 0,  -- a reviewer has given a verdict
    approved    INTEGER NOT NULL DEFAULT 0   -- has ever been approved
) WITHOUT ROWID;

CREATE TABLE review_figures (
    project_key TEXT    NOT NULL,
    figure      TEXT    NOT NULL,            -- now:<status>, category:<name>, stay:<status>, judged, approved, verdict, closed
    number      INTEGER NOT NULL,            -- how many
    micros      INTEGER NOT NULL,            -- how long they took together
    PRIMARY KEY (project_key, figure)
) WITHOUT ROWID;

-- Reviews that were taken over from another broker's file, and how far: a second run takes over only what is new there.
CREATE TABLE imported_reviews (
    review_id   TEXT    PRIMARY KEY REFERENCES reviews (id),
    fingerprint TEXT    NOT NULL,  -- of everything the file said about it
    last_event  INTEGER NOT NULL,  -- the file's number of the last event taken over
    generation  INTEGER NOT NULL   -- of the claim here right after it was taken over
);
