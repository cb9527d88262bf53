-- A proposal and what has become of it. Whether it is claimed, and by whom, its row review:<id> in resources tells.
CREATE TABLE reviews (
    id                   text        COLLATE "C" PRIMARY KEY,
    seq                  bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,  -- age: what was made first comes first
    project              text,                              -- as the proposer wrote it
    project_key          text        NOT NULL DEFAULT '',   -- lower case, letters and digits only
    category             text,
    intent               text        NOT NULL,
    agent_type           text        NOT NULL,
    agent_role           text        NOT NULL,
    phase                text        NOT NULL,
    plan                 text,
    task                 text,
    priority             smallint    NOT NULL,              -- as in resources: 0 critical, 2 normal, 4 low
    status               text        NOT NULL
        CHECK (status IN ('pending', 'in_review', 'approved', 'changes_requested', 'closed', 'withdrawn')),
    round                int         NOT NULL DEFAULT 1,
    revision             text        NOT NULL,              -- hash of the current content
    revision_number      int         NOT NULL DEFAULT 1,    -- of the current content within its round
    reserved_for         text,                              -- the reviewer who knows it; others leave it alone
    unserved_generation  bigint,                            -- the grant that has not been shown the current content
    skip_diff_validation boolean     NOT NULL DEFAULT false,
    verdict_reason       text,
    verdict_by           text,                              -- who gave the last verdict
    last_call            text        NOT NULL,              -- the call that changed it last: tells a second run from a repeat
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL
) WITH (fillfactor = 80);
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
    review_id      text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    round          int         NOT NULL,
    number         int         NOT NULL,                    -- within the round; a counter-patch that was accepted is the next
    revision       text        NOT NULL,
    intent         text        NOT NULL,
    description    text,
    diff           text,
    affected_files text,                                    -- a JSON array; null: there is no diff
    source         text        NOT NULL CHECK (source IN ('proposal', 'counter_patch')),
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (review_id, round, number)
);
CREATE INDEX revisions_content ON revisions (revision);

-- Every verdict and comment, and the counter-patches that came with them.
CREATE TABLE verdicts (
    id                           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    review_id                    text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    round                        int         NOT NULL,
    revision                     text        NOT NULL,
    verdict                      text        NOT NULL CHECK (verdict IN ('approved', 'changes_requested', 'comment')),
    reason                       text,
    reviewer                     text,
    generation                   bigint,
    counter_patch                text,
    counter_patch_revision       text,
    counter_patch_affected_files text,
    counter_patch_status         text        CHECK (counter_patch_status IN ('pending', 'accepted', 'rejected', 'superseded')),
    at                           timestamptz NOT NULL
);
CREATE INDEX verdicts_review ON verdicts (review_id, id);

CREATE TABLE messages (
    id          text        PRIMARY KEY,
    seq         bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    review_id   text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    sender_role text        NOT NULL CHECK (sender_role IN ('proposer', 'reviewer')),
    round       int         NOT NULL,
    body        text        NOT NULL,
    metadata    text,
    at          timestamptz NOT NULL
);
CREATE INDEX messages_review ON messages (review_id, seq);

-- What reviewers found at a line of a proposal. Where it is now is worked out whenever the content changes.
CREATE TABLE findings (
    review_id       text        COLLATE "C" NOT NULL REFERENCES reviews (id),
    number          int         NOT NULL,  -- within the review; people see f1, f2, ...
    round           int         NOT NULL,  -- the content that it was raised on, with the place in it
    revision_number int         NOT NULL,
    path            text        NOT NULL,
    side            text        NOT NULL CHECK (side IN ('old', 'new')),
    line            int         NOT NULL,
    excerpt         text        NOT NULL,  -- the line itself, if it is long its beginning
    severity        text        NOT NULL CHECK (severity IN ('must_fix', 'should_fix', 'note')),
    message         text        NOT NULL,
    suggestion      text,
    raised_by       text,
    raised_at       timestamptz NOT NULL,
    place           text        NOT NULL DEFAULT 'there' CHECK (place IN ('there', 'outdated', 'gone')),
    path_now        text,  -- in the current content; null: it is not there
    line_now        int,
    settled         text        CHECK (settled IN ('resolved', 'waived')),
    settled_by      text,
    settled_reason  text,
    settled_at      timestamptz,
    PRIMARY KEY (review_id, number)
);
CREATE INDEX findings_open ON findings (review_id, severity) WHERE settled IS NULL;

-- A content that the gate lets pass without an approval, because somebody said so and why. Never changed.
CREATE TABLE overrides (
    project_key   text        NOT NULL,
    revision      text        NOT NULL,
    overridden_by text        NOT NULL,
    reason        text        NOT NULL,
    at            timestamptz NOT NULL,
    PRIMARY KEY (project_key, revision)
);
-- Pages of what happened to any review or pool reviewer, without walking past everybody else's events.
CREATE INDEX events_of_reviews ON events (id) WHERE resource >= 'review:' AND resource < 'reviewer;';

-- What the figures are made of, added up event by event: how far that has come, where each review was then, the sums.
CREATE TABLE review_tally (only_row int PRIMARY KEY CHECK (only_row = 1), counted_until bigint NOT NULL);
INSERT INTO review_tally VALUES (1, 0);

CREATE TABLE tallied_reviews (
    review_id   text        COLLATE "C" PRIMARY KEY,
    project_key text        NOT NULL,
    category    text        NOT NULL,
    status      text        NOT NULL,
    since       timestamptz NOT NULL,                -- when it came into that status
    created_at  timestamptz NOT NULL,
    judged      boolean     NOT NULL DEFAULT false,  -- a reviewer has given a verdict
    approved    boolean     NOT NULL DEFAULT false   -- has ever been approved
) WITH (fillfactor = 80);

CREATE TABLE review_figures (
    project_key text   NOT NULL,
    figure      text   NOT NULL,                     -- now:<status>, category:<name>, stay:<status>, judged, approved, verdict, closed
    number      bigint NOT NULL,                     -- how many
    micros      bigint NOT NULL,                     -- how long they took together
    PRIMARY KEY (project_key, figure)
) WITH (fillfactor = 50);

-- Reviews that were taken over from another broker's file, and how far: a second run takes over only what is new there.
CREATE TABLE imported_reviews (
    review_id   text   COLLATE "C" PRIMARY KEY REFERENCES reviews (id),
    fingerprint text   NOT NULL,  -- of everything the file said about it
    last_event  bigint NOT NULL,  -- the file's number of the last event taken over
    generation  bigint NOT NULL   -- of the claim here right after it was taken over
);
