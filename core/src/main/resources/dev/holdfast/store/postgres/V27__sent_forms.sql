-- Forms that were sent, by the key that each has once, so that none is carried out twice.
CREATE TABLE sent_forms (
    key     text NOT NULL PRIMARY KEY,
    done    boolean NOT NULL,
    sent_at timestamptz NOT NULL
);
CREATE INDEX sent_forms_at ON sent_forms (sent_at);
