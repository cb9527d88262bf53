-- Forms that were sent, by the key that each has once, so that none is carried out twice.
CREATE TABLE sent_forms (
    key     TEXT NOT NULL PRIMARY KEY,
    done    INTEGER NOT NULL,
    sent_at INTEGER NOT NULL
);
CREATE INDEX sent_forms_at ON sent_forms (sent_at);
