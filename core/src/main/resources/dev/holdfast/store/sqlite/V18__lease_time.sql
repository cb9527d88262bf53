-- What the store must know of time, without knowing which tables have any.

-- The latest time that is stored: the lease clock never starts before it.
CREATE VIEW latest_time AS
    SELECT max(coalesce((SELECT at FROM events ORDER BY id DESC LIMIT 1), 0),
               coalesce((SELECT max(renewed_at) FROM resources WHERE state = 'held'), 0)) AS latest;

-- Time that the machine slept counts for nobody: everything that would be over, or be ended, is put off by it.
CREATE VIEW slept AS SELECT 0 AS micros;

CREATE TRIGGER put_off_by_sleep INSTEAD OF INSERT ON slept BEGIN
    UPDATE resources SET expires_at = expires_at + NEW.micros WHERE state = 'held' AND expires_at IS NOT NULL;
    UPDATE reviewers SET draining_at = draining_at + NEW.micros WHERE state = 'draining';
END;
